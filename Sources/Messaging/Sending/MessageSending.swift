/// The sending of a message: until it is sent, failed or deleted, and then the reports of its recipients' phones.
///
/// A state machine without a clock or I/O: it takes events and the time, and returns the new state and effects. Store
/// it after each event, before carrying out its effects. A restored one resumes with ``Event/restored`` (R-MMS-39).
///
/// An MMS is one request for all recipients, an SMS one request for each (A39). A request that is repeated with an
/// unknown outcome keeps its transaction ID, by which a carrier recognises a duplicate MMS. The message is never sent
/// again to an accepted recipient. Times are seconds since 1970-01-01T00:00:00Z.
public struct MessageSending: Hashable, Codable, Sendable {
  /// What sending waits for, or how it ended.
  public enum State: String, Codable, Sendable, CaseIterable {
    /// Not started.
    case queued
    /// Requests are in flight.
    case sending
    /// Waits for the next attempt at ``MessageSending/nextAttempt``, or for service.
    case waiting
    /// Accepted for every recipient.
    case sent
    /// Refused for some recipients; the user may retry (R-MMS-40).
    case failed
    /// Deleted by the user.
    case deleted
  }

  /// A unique identifier, the prefix of its transaction IDs.
  public let id: String
  /// Whether it is sent as SMS or as MMS.
  public let type: MessageType
  /// The current state.
  public internal(set) var state = State.queued
  /// The recipients in the order of the send list, with their states.
  public internal(set) var recipients: [Recipient]
  /// The time of the next attempt in ``State/waiting``; nil if it waits for service.
  public internal(set) var nextAttempt: Double?
  /// Temporarily failed attempts since the user's last request.
  public internal(set) var attempts = 0
  /// Number of times that the user has sent the message; each round has its own transaction IDs.
  public internal(set) var round = 1
  /// The most recent reason for waiting or failing.
  public internal(set) var error: MessageErrorCode?
  /// The carrier's Message-ID of an MMS, which reports refer to.
  public internal(set) var messageID: String?

  /// When a failed attempt is repeated, and which reports are requested.
  public let policy: Policy

  /// Creates a message to send to the addresses of a composition's send list.
  public init(id: String, type: MessageType, to addresses: [String], policy: Policy = Policy()) {
    self.id = id
    self.type = type
    self.policy = policy
    let reads = type == .mms && policy.requestsReadReport
    recipients = addresses.map {
      Recipient(
        address: $0, delivery: policy.requestsDeliveryReport ? .pending : .notRequested,
        reading: reads ? .pending : .notRequested)
    }
  }

  /// Creates a message to send: its type and recipients are the composition's, and the reports that it requests are
  /// those of the user's settings (R-MMS-55).
  public init(
    _ composition: MessageComposition, id: String, under profile: CarrierProfile, settings: MessageSettings
  ) {
    let type = composition.type(under: profile)
    self.init(id: id, type: type, to: composition.sendList, policy: Policy(settings, for: type))
  }

  /// Options for sending a message.
  public struct Policy: Hashable, Codable, Sendable {
    /// When temporary failures are retried. By default without end.
    public var schedule = RetrySchedule.sending
    /// Whether to wait for service without a time limit. True by default (D6.6). If false, it fails at once, as in
    /// Firefox OS.
    public var waitsForService = true
    /// Whether to request delivery reports. False by default.
    public var requestsDeliveryReport = false
    /// Whether to request read reports; MMS only. False by default.
    public var requestsReadReport = false

    /// Creates the default policy.
    public init() {}

    /// Creates the default policy with the reports that the user's settings request for messages of a type (R-MMS-55).
    public init(_ settings: MessageSettings, for type: MessageType) {
      requestsDeliveryReport =
        type == .mms ? settings.requestsMMSDeliveryReports : settings.requestsSMSDeliveryReports
      requestsReadReport = type == .mms && settings.requestsReadReports
    }
  }

  /// A recipient and the state of its delivery.
  public struct Recipient: Hashable, Codable, Sendable {
    /// The address as in the send list.
    public let address: String
    /// The state of the submission.
    public internal(set) var submission = Submission.pending
    /// The state of the delivery.
    public internal(set) var delivery: Delivery
    /// The state of reading.
    public internal(set) var reading: Reading
    /// The carrier's reference of an SMS, which its reports refer to; nil once the carrier has given it to a later SMS.
    public internal(set) var messageID: String?
  }

  /// The state of a submission to the carrier.
  public enum Submission: Hashable, Codable, Sendable {
    /// Not submitted yet.
    case pending
    /// Submitted, without a response yet.
    case inFlight
    /// Accepted by the carrier.
    case accepted
    /// Refused by the carrier.
    case failed(MessageErrorCode)
  }

  /// The state of a delivery (A45).
  public enum Delivery: String, Codable, Sendable {
    /// No report was requested, or the carrier does not know.
    case notRequested = "not-applicable"
    /// Not yet delivered.
    case pending
    /// A report states that the message has reached the phone.
    case success
    /// The message will not be delivered.
    case rejected
  }

  /// What a recipient's read report states.
  public enum Reading: String, Codable, Sendable {
    /// No report was requested.
    case notRequested = "not-applicable"
    /// Not yet read.
    case pending
    /// The recipient has read it.
    case read
    /// The recipient deleted it without reading it.
    case deletedUnread
  }

  /// Whether every recipient's report states delivery.
  public var isDelivered: Bool { !recipients.isEmpty && recipients.allSatisfy { $0.delivery == .success } }

  /// Whether every recipient has read the message; always false for an SMS.
  public var isRead: Bool { type == .mms && !recipients.isEmpty && recipients.allSatisfy { $0.reading == .read } }

  /// Removes the references of an SMS that the network has given to another one: its reports cannot be distinguished from those of the other any more.
  package mutating func removeReferences(where isTaken: (Recipient) -> Bool) {
    for index in recipients.indices where isTaken(recipients[index]) { recipients[index].messageID = nil }
  }

  /// The refused addresses by reason, in the order of the send list (A39).
  public var failures: [MessageErrorCode: [String]] {
    recipients.reduce(into: [:]) { failures, recipient in
      if case .failed(let code) = recipient.submission { failures[code, default: []].append(recipient.address) }
    }
  }
}

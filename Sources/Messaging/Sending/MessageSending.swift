/// A message on its way to its recipients: until it is sent, has failed or is deleted, and then what its recipients' phones report.
///
/// A state machine without a clock, a network or a disk: events and the time go in, the new state and effects come out. Store it after each
/// event, before its effects are carried out; a stored one that gets ``Event/restored`` goes on where it was (R-MMS-39).
///
/// An MMS is one request for all recipients, an SMS one for each (A39). A request that is made again without knowing how the
/// last one ended keeps its transaction, by which an operator knows the second copy of an MMS; and who has been accepted is never
/// sent to again. Times are seconds since 1970 in UTC.
public struct MessageSending: Hashable, Codable, Sendable {
  /// Where the message is.
  public enum State: String, Codable, Sendable, CaseIterable {
    /// Not begun.
    case queued
    /// With the network.
    case sending
    /// To be sent by itself, at ``MessageSending/nextAttempt`` or when there is service.
    case waiting
    /// Accepted for every recipient.
    case sent
    /// Refused for some; the user may send it again (R-MMS-40).
    case failed
    /// Deleted.
    case deleted
  }

  /// Its own name, which begins the transactions of its requests.
  public let id: String
  /// As what it goes.
  public let type: MessageType
  /// Where the message is.
  public internal(set) var state = State.queued
  /// To whom it goes, in the order of the send list, and how far each is.
  public internal(set) var recipients: [Recipient]
  /// When it is tried again, while ``State/waiting`` for a time rather than for service.
  public internal(set) var nextAttempt: Double?
  /// Attempts that failed for now since the user last said so.
  public internal(set) var attempts = 0
  /// How often the user has sent it; each has transactions of its own.
  public internal(set) var round = 1
  /// Why it waits or has failed, the latest reason.
  public internal(set) var error: MessageErrorCode?
  /// The operator's Message-ID of an MMS, by which reports are matched.
  public internal(set) var messageID: String?

  /// How it is sent.
  public let policy: Policy

  /// A message that is to be sent to those addresses, the send list of a composition.
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

  /// How a message is sent.
  public struct Policy: Hashable, Codable, Sendable {
    /// When what failed for now is tried again. Default: without end.
    public var schedule = RetrySchedule.sending
    /// Whether it waits for service, however long; else it fails at once, as in Firefox OS. Default: it waits (D6.6).
    public var waitsForService = true
    /// Whether a report of its delivery is asked for. Default no.
    public var requestsDeliveryReport = false
    /// Whether a report of its reading is asked for; MMS only. Default no.
    public var requestsReadReport = false

    /// The defaults.
    public init() {}
  }

  /// One recipient, and how far the message is on the way to it.
  public struct Recipient: Hashable, Codable, Sendable {
    /// The address as in the send list.
    public let address: String
    /// How far sending is.
    public internal(set) var submission = Submission.pending
    /// What is known of its delivery.
    public internal(set) var delivery: Delivery
    /// What is known of its reading.
    public internal(set) var reading: Reading
    /// The operator's reference of an SMS, by which its reports are matched.
    public internal(set) var messageID: String?
  }

  /// How far a message is with the operator.
  public enum Submission: Hashable, Codable, Sendable {
    /// To be sent.
    case pending
    /// On its way to the operator.
    case inFlight
    /// The operator has it.
    case accepted
    /// The operator does not take it.
    case failed(MessageErrorCode)
  }

  /// What is known of a delivery (A45).
  public enum Delivery: String, Codable, Sendable {
    /// No report was asked for, or the operator cannot tell.
    case notRequested = "not-applicable"
    /// Not yet delivered.
    case pending
    /// Delivered.
    case success
    /// It will not be.
    case rejected
  }

  /// What is known of a reading.
  public enum Reading: String, Codable, Sendable {
    /// No report was asked for.
    case notRequested = "not-applicable"
    /// Not yet read.
    case pending
    /// Read.
    case read
    /// Deleted unread.
    case deletedUnread
  }

  /// Whether every recipient has it, says every report.
  public var isDelivered: Bool { !recipients.isEmpty && recipients.allSatisfy { $0.delivery == .success } }

  /// Whether every recipient has read it; never of an SMS.
  public var isRead: Bool { type == .mms && !recipients.isEmpty && recipients.allSatisfy { $0.reading == .read } }

  /// Who was refused, by reason, in the order of the send list (A39).
  public var failures: [MessageErrorCode: [String]] {
    recipients.reduce(into: [:]) { failures, recipient in
      if case .failed(let code) = recipient.submission { failures[code, default: []].append(recipient.address) }
    }
  }
}

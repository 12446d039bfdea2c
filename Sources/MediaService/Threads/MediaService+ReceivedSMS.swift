internal import MediaModel
internal import MessageStore
internal import Messaging

/// SMS that a client received, and reports of those that it sent.
extension MediaService {
  /// A received SMS, all of its segments joined.
  public struct ReceivedSMS: Decodable, Sendable {
    /// The address of the sender, at most 1 KiB.
    public var from: String
    /// The text, at most 64 KiB.
    public var text: String
    /// When the network took it over, in seconds since 1970: the time stamp of the service centre, by which an SMS that is delivered again is recognised.
    public var time: Int

    /// - Parameters:
    ///   - from: The address of the sender.
    ///   - time: When the network took it over, in seconds since 1970.
    public init(from: String, text: String, time: Int) { (self.from, self.text, self.time) = (from, text, time) }
  }

  /// Stores a received SMS in the thread of its sender. The client acknowledges it to the network when the call returns. One that is stored twice is one message.
  /// - Returns: The message; nil for one that was deleted.
  /// - Throws: `invalidRequest` without a sender or with a longer one, or with a time outside of the years 1970 to 9999; `tooLarge`; `quotaExceeded`; `diskFull`.
  public func receiveSMS(_ sms: ReceivedSMS, for caller: Caller) async throws(ServiceError) -> MessageAnswer? {
    try caller.require(.write)
    // The erasure of the owner ends a request that has begun before it.
    let work = work.begin(for: caller.owner)
    try Self.check(sender: sms.from, time: sms.time)
    guard sms.text.utf8.count <= FieldLimits.smsText else {
      throw ServiceError(
        .tooLarge, "The text of an SMS may have at most \(HumanNumbers.limit(FieldLimits.smsText)).",
        numbers: ["limit": FieldLimits.smsText, "actual": sms.text.utf8.count])
    }
    try await requireRoom()
    let (limits, files) = (configuration.limits, try await libraryBytes(of: caller.owner))
    return try await changeMessages(of: caller, creating: true, during: work) { store -> MessageAnswer? in
      let time = Double(sms.time)
      if try store.addition(ofSMS: sms.text, from: sms.from, at: time) == .message {
        // Texts count twice, because they are also stored for searches.
        let bytes = 2 * sms.text.utf8.count + sms.from.utf8.count
        try Self.checkQuota(try store.usage(), files: files, adding: bytes, limits)
      }
      let id = try store.receive(sms: sms.text, from: sms.from, at: time)
      return try id.map { MessageAnswer(try store.message($0)) }
    }
  }

  /// What the network reports of a sent SMS (3GPP TS 23.040 §9.2.3.15).
  public enum SMSDelivery: String, Decodable, Sendable {
    /// The recipient's phone has it.
    case delivered
    /// The network still tries.
    case pending
    /// The network has given up, because its time has expired.
    case expired
    /// The network has given up.
    case failed

    fileprivate var status: MessageSending.DeliveryStatus {
      switch self {
      case .delivered: .retrieved
      case .pending: .deferred
      case .expired: .expired
      case .failed: .unreachable
      }
    }
  }

  /// Stores the status report of an SMS that the client has sent.
  /// - Parameters:
  ///   - reference: That of the outcome, ``MessageOutcome/accepted(reference:)``.
  ///   - address: The recipient.
  /// - Throws: `notFound` if no SMS to the recipient has this reference.
  public func receive(
    _ delivery: SMSDelivery, ofSMS reference: String, to address: String, for caller: Caller
  ) async throws(ServiceError) -> MessageAnswer {
    try await changeMessages(of: caller) { store in
      guard let id = try store.receive(delivery.status, ofSMS: reference, from: address) else {
        throw ServiceError.notFound
      }
      return MessageAnswer(try store.message(id))
    }
  }

  static func check(sender: String, time: Int) throws(ServiceError) {
    guard !sender.isEmpty, sender.utf8.count <= FieldLimits.sender else {
      throw ServiceError(
        .invalidRequest, "`from` must have 1 to 1,024 bytes.",
        numbers: ["limit": FieldLimits.sender, "actual": sender.utf8.count])
    }
    guard FieldLimits.smsTimes.contains(time) else {
      throw ServiceError(.invalidRequest, "`time` must be a time in seconds since 1970, in the years 1970 to 9999.")
    }
  }
}

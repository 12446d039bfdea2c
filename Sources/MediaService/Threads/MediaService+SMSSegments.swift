internal import MessageStore

extension MediaService {
  /// One segment of a received SMS (3GPP TS 23.040 §9.2.3.24).
  public struct SMSSegment: Sendable {
    /// The address of the sender, at most 1 KiB.
    public var from: String
    /// The text in UTF-16, at most 1,000 units.
    public var text: [UInt16]
    /// The time stamp of the service centre, in seconds since 1970.
    public var time: Int
    /// The reference number, 0 to 65,535, which all segments of the SMS have.
    public var reference: Int
    /// The number of the segment, from 1.
    public var number: Int
    /// The number of segments, 1 to 255.
    public var count: Int

    /// - Parameters:
    ///   - text: UTF-16 code units: a segment may end within a surrogate pair.
    ///   - time: In seconds since 1970.
    ///   - number: From 1.
    public init(from: String, text: [UInt16], time: Int, reference: Int, number: Int, of count: Int) {
      (self.from, self.text, self.time) = (from, text, time)
      (self.reference, self.number, self.count) = (reference, number, count)
    }
  }

  /// What a segment leads to.
  public enum SMSProgress: Sendable {
    /// Others are still to come.
    case incomplete
    /// The SMS is whole.
    case message(MessageAnswer)
    /// The SMS is whole, and was deleted.
    case deleted
  }

  /// Stores a segment of a received SMS; the last one makes it a message. The client acknowledges the segment to the network when the call returns. A segment that
  /// is stored twice changes nothing; segments of an SMS that stays incomplete are removed after 30 days.
  /// - Throws: `invalidRequest` for a sender, a time, numbers or a text that no segment has; `quotaExceeded`; `diskFull`.
  public func receiveSMS(_ segment: SMSSegment, for caller: Caller) async throws(ServiceError) -> SMSProgress {
    try caller.require(.write)
    // The erasure of the owner ends a request that has begun before it.
    let work = work.begin(for: caller.owner)
    try Self.check(segment)
    try await requireRoom()
    let (limits, files) = (configuration.limits, try await libraryBytes(of: caller.owner))
    return try await changeMessages(of: caller, creating: true, during: work) { store -> SMSProgress in
      let stored = MessageStore.SMSSegment(
        segment.text, reference: segment.reference, number: segment.number, of: segment.count, from: segment.from,
        at: Double(segment.time))
      if try store.addition(of: stored) == .message {
        let bytes = 2 * segment.text.count + 2 * segment.from.utf8.count
        try Self.checkQuota(try store.usage(), files: files, adding: bytes, limits)
      }
      switch try store.receive(stored) {
      case .incomplete: return .incomplete
      case .deleted: return .deleted
      case .message(let id): return .message(MessageAnswer(try store.message(id)))
      }
    }
  }

  private static func check(_ segment: SMSSegment) throws(ServiceError) {
    try check(sender: segment.from, time: segment.time)
    guard FieldLimits.segmentReferences.contains(segment.reference),
      FieldLimits.segments.contains(segment.count),
      (1...segment.count).contains(segment.number)
    else {
      throw ServiceError(
        .invalidRequest, "`reference` must be 0 to 65,535, `count` 1 to 255, and `number` 1 to `count`.")
    }
    guard segment.text.count <= FieldLimits.segmentUnits else {
      throw ServiceError(
        .invalidRequest, "A segment may have at most 1,000 UTF-16 units.",
        numbers: ["limit": FieldLimits.segmentUnits, "actual": segment.text.count])
    }
  }
}

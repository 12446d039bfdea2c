extension MessageStore {
  /// One part of a received SMS that was too long for one: a concatenated short message (3GPP TS 23.040 §9.2.3.24).
  public struct SMSSegment: Hashable, Sendable {
    /// The address of the sender.
    public var sender: String
    /// The reference number, 0 to 65,535, which all segments of the SMS have.
    public var reference: Int
    /// The number of the segment, from 1.
    public var number: Int
    /// The number of segments, 1 to 255.
    public var count: Int
    /// When the network took the segment over, in seconds since 1970: the time stamp of the service centre.
    public var time: Double
    /// The text in UTF-16, at most 1,000 units. A sender may divide a text between two surrogates, which are one character again when the segments are joined.
    public var text: [UInt16]

    /// A segment with its text in UTF-16.
    public init(_ text: [UInt16], reference: Int, number: Int, of count: Int, from sender: String, at time: Double) {
      (self.text, self.reference, self.number, self.count) = (text, reference, number, count)
      (self.sender, self.time) = (sender, time)
    }

    /// A segment whose text is whole characters. Where a segment ends within a surrogate pair, its UTF-16 is needed.
    public init(_ text: String, reference: Int, number: Int, of count: Int, from sender: String, at time: Double) {
      self.init(Array(text.utf16), reference: reference, number: number, of: count, from: sender, at: time)
    }

    /// Whether the numbers are those of a segment, and the text is not longer.
    var isValid: Bool {
      (0...65_535).contains(reference) && (1...255).contains(count) && (1...count).contains(number) && time.isFinite
        && text.count <= 1_000
    }
  }

  /// What a segment of an SMS leads to.
  public enum SMSProgress: Hashable, Sendable {
    /// Others are still to come.
    case incomplete
    /// The SMS is whole, and it is this message.
    case message(Message.ID)
    /// The SMS is whole, and was deleted.
    case deleted
  }
}

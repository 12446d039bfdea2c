public import Messaging

extension MediaService {
  /// Links and segments of a text, in the words of `mediatool text`, and whether it is sent as SMS or MMS.
  public struct TextAnswer: Encodable, Sendable {
    /// Phone numbers, e-mail addresses and web addresses (R-CHAT-16).
    public var links: [LinkDetector.Link]
    /// The SMS segments that it needs.
    public var segments: Segments
    /// The type of a message with this text alone, under the default profile: MMS if it needs too many segments (R-MMS-30).
    public var type: MessageType

    /// What the text needs as SMS: alphabet, number of segments and room.
    public struct Segments: Encodable, Sendable {
      /// Number of segments.
      public var count: Int
      /// Characters, or UTF-16 code units, that fit into the last one.
      public var available: Int
      /// Characters, or UTF-16 code units, of a full one.
      public var perSegment: Int
      /// The alphabet in which the text needs the fewest segments.
      public var alphabet: SMSSegmenter.Segments.Alphabet
      /// Whether a composer shows the counter.
      public var showsCounter: Bool
    }

    /// Finds the links of a text, and counts its SMS segments.
    /// - Parameter isStrict7Bit: Whether letters with accents are replaced, so that the text fits the GSM 7-bit alphabet. Default: false.
    public init(_ text: String, isStrict7Bit: Bool = false) {
      links = LinkDetector().links(in: text)
      var profile = CarrierProfile()
      profile.segmenter = SMSSegmenter(isStrict7Bit: isStrict7Bit)
      let message = MessageComposition(content: [.text(text)])
      let counted = message.segments(under: profile)
      segments = Segments(
        count: counted.count, available: counted.available, perSegment: counted.perSegment, alphabet: counted.alphabet,
        showsCounter: counted.showsCounter)
      type = message.type(under: profile)
    }
  }
}

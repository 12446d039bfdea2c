extension SMSSegmenter {
  /// The division of a text into SMS segments.
  public struct Segments: Hashable, Codable, Sendable {
    /// The character encoding of an SMS.
    public enum Alphabet: String, Codable, Sendable {
      /// Seven bits per character: the alphabets of 3GPP TS 23.038.
      case gsm7
      /// Two bytes per UTF-16 code unit, for all other texts; an emoji takes two units.
      case ucs2
    }

    /// The national language tables that replace the default ones.
    public struct NationalTables: Hashable, Codable, Sendable {
      /// The language whose table replaces the GSM 7-bit default alphabet; nil for that alphabet.
      public var locking: NationalLanguage?
      /// The language whose table replaces the extension table, with characters after an escape; nil for the default one.
      public var singleShift: NationalLanguage?

      /// By default, both are those of the GSM 7-bit default alphabet.
      public init(locking: NationalLanguage? = nil, singleShift: NationalLanguage? = nil) {
        self.locking = locking
        self.singleShift = singleShift
      }
    }

    /// Number of segments; 1 for an empty text. More than ``largestCount`` cannot be sent as one message.
    public var count: Int
    /// Free septets or code units in the last segment.
    public var available: Int
    /// Capacity of a segment in septets or code units: 160 or 70 for a single one, less for several.
    public var perSegment: Int
    /// The character encoding.
    public var alphabet: Alphabet
    /// The national language tables, if used.
    public var nationalTables: NationalTables?

    /// What a segmenter counts in a text.
    public init(
      count: Int, available: Int, perSegment: Int, alphabet: Alphabet, nationalTables: NationalTables? = nil
    ) {
      self.count = count
      self.available = available
      self.perSegment = perSegment
      self.alphabet = alphabet
      self.nationalTables = nationalTables
    }

    /// Maximum segments of one message: the segment number is one byte (3GPP TS 23.040, 9.2.3.24.1).
    public static let largestCount = 255

    /// Whether to show "available/count" while the message is an SMS: from the second segment on (R-MMS-18, R-MMS-19).
    public var showsCounter: Bool { count > 1 }
  }
}

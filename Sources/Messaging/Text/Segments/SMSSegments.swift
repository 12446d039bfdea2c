/// Into how many SMS a text goes.
public struct SMSSegments: Hashable, Codable, Sendable {
  /// How the characters of an SMS are written.
  public enum Alphabet: String, Codable, Sendable {
    /// Seven bits a character: the alphabets of 3GPP TS 23.038.
    case gsm7
    /// Two bytes a UTF-16 unit, for everything else; an emoji is two units.
    case ucs2
  }

  /// The alphabets of a language that are used in place of the default ones.
  public struct NationalTables: Hashable, Codable, Sendable {
    /// In place of the default alphabet.
    public var locking: NationalLanguage?
    /// In place of the default extension.
    public var singleShift: NationalLanguage?

    /// Those two.
    public init(locking: NationalLanguage? = nil, singleShift: NationalLanguage? = nil) {
      self.locking = locking
      self.singleShift = singleShift
    }
  }

  /// Segments; 1 for an empty text. More than ``largestCount`` cannot be sent as one message.
  public var count: Int
  /// Septets or UTF-16 units that are still free in the last segment.
  public var available: Int
  /// Septets or UTF-16 units that fit into each segment: 160 or 70 in a single one, less when there are several.
  public var perSegment: Int
  /// The alphabet.
  public var alphabet: Alphabet
  /// The alphabets of a language, when they are used.
  public var nationalTables: NationalTables?

  /// Segments of those facts.
  public init(
    count: Int, available: Int, perSegment: Int, alphabet: Alphabet, nationalTables: NationalTables? = nil
  ) {
    self.count = count
    self.available = available
    self.perSegment = perSegment
    self.alphabet = alphabet
    self.nationalTables = nationalTables
  }

  /// Segments of one message at most: its number is one byte (3GPP TS 23.040, 9.2.3.24.1).
  public static let largestCount = 255

  /// Whether an app shows "available/count" while the message is an SMS: from the second segment on (R-MMS-18, R-MMS-19).
  public var showsCounter: Bool { count > 1 }
}

/// A language with an alphabet of its own in 3GPP TS 23.038, Annex A; the raw value is its identifier there.
///
/// Which of them a phone may use, its operator says: a receiver that does not know them shows other characters.
public enum NationalLanguage: Int, Codable, Sendable, CaseIterable, Comparable {
  /// ç ğ ı ş and their capitals.
  case turkish = 1
  /// ç á í ó ú and their capitals; no alphabet that replaces the default one.
  case spanish
  /// ê ã õ â and more.
  case portuguese
  /// Bengali.
  case bengali
  /// Gujarati.
  case gujarati
  /// Hindi, in Devanagari.
  case hindi
  /// Kannada.
  case kannada
  /// Malayalam.
  case malayalam
  /// Oriya.
  case oriya
  /// Punjabi, in Gurmukhi.
  case punjabi
  /// Tamil.
  case tamil
  /// Telugu.
  case telugu
  /// Urdu, in Arabic letters.
  case urdu

  /// By identifier.
  public static func < (one: NationalLanguage, other: NationalLanguage) -> Bool { one.rawValue < other.rawValue }

  /// Whether it has an alphabet that replaces the default one.
  public var hasLockingTable: Bool { Self.lockingRows[self] != nil }

  /// The alphabet that replaces the default one; nil when there is none.
  var locking: [Unicode.Scalar?]? { Self.lockingRows[self].map(Self.scalars) }

  /// The alphabet behind the escape.
  var singleShift: [Unicode.Scalar?] { Self.singleShiftRows[self].map(Self.scalars) ?? [] }

  private static func scalars(_ rows: String) -> [Unicode.Scalar?] {
    rows.split(whereSeparator: \.isWhitespace).map { UInt16($0, radix: 16).flatMap(Unicode.Scalar.init) }
  }
}

extension SMSSegmenter {
  /// A language with national language tables in 3GPP TS 23.038, Annex A. The raw value is its identifier there.
  ///
  /// The carrier decides which languages a phone may use. A receiver that does not support one shows other characters.
  public enum NationalLanguage: Int, Codable, Sendable, CaseIterable, Comparable {
    /// Turkish: ç ğ ı ş and their capitals.
    case turkish = 1
    /// Spanish: ç á í ó ú and their capitals; single shift only.
    case spanish
    /// Portuguese: ê ã õ â and more.
    case portuguese
    /// Bengali, in Bengali script.
    case bengali
    /// Gujarati, in Gujarati script.
    case gujarati
    /// Hindi, in Devanagari.
    case hindi
    /// Kannada, in Kannada script.
    case kannada
    /// Malayalam, in Malayalam script.
    case malayalam
    /// Odia, which the specification calls Oriya, in Odia script.
    case oriya
    /// Punjabi, in Gurmukhi.
    case punjabi
    /// Tamil, in Tamil script.
    case tamil
    /// Telugu, in Telugu script.
    case telugu
    /// Urdu, in Arabic letters.
    case urdu

    /// Orders languages by identifier.
    public static func < (one: NationalLanguage, other: NationalLanguage) -> Bool { one.rawValue < other.rawValue }

    /// Whether it has a locking shift table.
    public var hasLockingTable: Bool { Self.lockingRows[self] != nil }

    /// The locking shift table; nil if there is none.
    var locking: [Unicode.Scalar?]? { Self.lockingRows[self].map(Self.scalars) }

    /// The single shift table.
    var singleShift: [Unicode.Scalar?] { Self.singleShiftRows[self].map(Self.scalars) ?? [] }

    private static func scalars(_ rows: String) -> [Unicode.Scalar?] {
      rows.split(whereSeparator: \.isWhitespace).map { UInt16($0, radix: 16).flatMap(Unicode.Scalar.init) }
    }
  }
}

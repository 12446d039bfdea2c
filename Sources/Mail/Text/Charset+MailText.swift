internal import Encodings

extension EncodedWords {
  /// The text of a field or a parameter, whose octets beyond ASCII have no declared charset outside encoded words.
  static func mailText(_ octets: ArraySlice<UInt8>) -> String {
    let hasWords = zip(octets, octets.dropFirst()).contains { $0 == UInt8(ascii: "=") && $1 == UInt8(ascii: "?") }
    return hasWords ? decoded(octets) : Charset.mailText(undeclared: octets)
  }
}

extension Charset {
  /// Text of a mail: as the WHATWG Encoding Standard reads the labels, ISO-8859-1 is windows-1252, and US-ASCII is not trusted.
  func mailText(_ octets: ArraySlice<UInt8>) -> String {
    switch self {
    case .usASCII: Self.mailText(undeclared: octets)
    case .latin1: Self.windows1252.text(octets)
    default: text(octets)
    }
  }

  /// Text without a usable charset: UTF-8 if it is valid, otherwise windows-1252.
  static func mailText(undeclared octets: ArraySlice<UInt8>) -> String {
    if octets.allSatisfy({ $0 < 0x80 }) { return String(decoding: octets, as: UTF8.self) }
    return String(validating: octets, as: UTF8.self) ?? windows1252.text(octets)
  }

  private static let windows1252 = Charset(mib: 2252)
}

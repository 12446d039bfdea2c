/// Character classes of phone numbers.
enum PhoneNumber {
  static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  static func isDigitOrPlus(_ byte: UInt8) -> Bool { isDigit(byte) || byte == UInt8(ascii: "+") }

  /// Whether the byte is a space, tab, dot, parenthesis or hyphen, which people put between digits.
  static func isSeparator(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "."), UInt8(ascii: "("), UInt8(ascii: ")"),
      UInt8(ascii: "-"):
      true
    default: false
    }
  }

  /// Whether a phone can dial it: digits, `+`, `*`, `#`, and `,` for a pause.
  static func isDialable(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "+"), UInt8(ascii: "*"), UInt8(ascii: "#"), UInt8(ascii: ","): true
    default: isDigit(byte)
    }
  }

  /// The dialable characters of a text.
  static func dialable(_ text: some StringProtocol) -> String {
    String(decoding: text.utf8.filter(isDialable), as: UTF8.self)
  }
}

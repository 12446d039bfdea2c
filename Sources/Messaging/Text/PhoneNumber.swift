/// The characters of phone numbers.
enum PhoneNumber {
  static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  static func isDigitOrPlus(_ byte: UInt8) -> Bool { isDigit(byte) || byte == UInt8(ascii: "+") }

  /// Space, tab, dot, brackets and hyphen: what people put between digits.
  static func isSeparator(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "."), UInt8(ascii: "("), UInt8(ascii: ")"),
      UInt8(ascii: "-"):
      true
    default: false
    }
  }

  /// What a phone can dial: digits, `+`, `*`, `#` and `,`, which waits.
  static func isDialable(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "+"), UInt8(ascii: "*"), UInt8(ascii: "#"), UInt8(ascii: ","): true
    default: isDigit(byte)
    }
  }

  /// The characters of a text that can be dialled.
  static func dialable(_ text: some StringProtocol) -> String {
    String(decoding: text.utf8.filter(isDialable), as: UTF8.self)
  }
}

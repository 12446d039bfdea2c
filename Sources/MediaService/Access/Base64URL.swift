/// Base64 with the alphabet for addresses and without padding (RFC 4648, section 5).
enum Base64URL {
  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// The text of some bytes.
  static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var number = group.reduce(0) { $0 << 8 | Int($1) }
      number <<= 8 * (3 - group.count)
      for digit in 0...group.count { text.append(digits[number >> (18 - 6 * digit) & 63]) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Whether a byte is one of the 64 digits.
  static func isDigit(_ byte: UInt8) -> Bool { digits.contains(byte) }
}

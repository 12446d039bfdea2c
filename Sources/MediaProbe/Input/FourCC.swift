/// A four-character code: the name of a chunk or box.
struct FourCC: RawRepresentable, Hashable, ExpressibleByStringLiteral {
  let rawValue: UInt32
  init(rawValue: UInt32) { self.rawValue = rawValue }
  init(stringLiteral text: StaticString) {
    var value: UInt32 = 0
    for index in 0..<min(4, text.utf8CodeUnitCount) { value = value << 8 | UInt32(text.utf8Start[index]) }
    rawValue = value
  }
  /// Whether all four characters are ASCII letters, as in the name of a PNG chunk.
  var isLetters: Bool {
    (0..<4).allSatisfy { index in
      let byte = UInt8(truncatingIfNeeded: rawValue >> (8 * index)) | 0x20
      return (0x61...0x7A).contains(byte)
    }
  }
  /// The four characters; non-ASCII bytes as `?`.
  var text: String {
    String(
      decoding: (0..<4).map { i -> UInt8 in
        let byte = UInt8(truncatingIfNeeded: rawValue >> (24 - 8 * UInt32(i)))
        return byte >= 0x20 && byte < 0x7F ? byte : 0x3F
      }, as: UTF8.self)
  }
}

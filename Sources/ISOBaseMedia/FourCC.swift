/// A four-character code: the type of a box or the name of a chunk, in the order of the file.
public struct FourCC: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
  /// The four bytes, big-endian.
  public let rawValue: UInt32

  /// A code by its bytes.
  @inlinable
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// A code by its characters, of which there should be four.
  @inlinable
  public init(stringLiteral text: StaticString) {
    var value: UInt32 = 0
    for index in 0..<min(4, text.utf8CodeUnitCount) { value = value << 8 | UInt32(text.utf8Start[index]) }
    rawValue = value
  }

  /// Whether all four characters are ASCII letters, as in the name of a PNG chunk.
  public var isLetters: Bool {
    (0..<4).allSatisfy { index in
      let byte = UInt8(truncatingIfNeeded: rawValue >> (8 * index)) | 0x20
      return (0x61...0x7A).contains(byte)
    }
  }

  /// The four characters; non-ASCII bytes as `?`.
  public var text: String {
    String(decoding: bytes.map { $0 >= 0x20 && $0 < 0x7F ? $0 : 0x3F }, as: UTF8.self)
  }

  /// The code as it is in a file: big-endian.
  public var bytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: rawValue >> (24 - 8 * UInt32($0))) } }
}

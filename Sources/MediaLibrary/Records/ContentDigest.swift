/// The SHA-256 of some bytes: the name of a content, and the address of what a store keeps.
public struct ContentDigest: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The 32 bytes.
  public let bytes: [UInt8]

  /// A digest of 32 bytes; nil for any other number.
  public init?(bytes: some Sequence<UInt8>) {
    let bytes = Array(bytes)
    guard bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  /// A digest in 64 lower-case hexadecimal digits, as ``MediaModel/MediaInfo/sha256`` has it; nil for anything else.
  public init?(hexadecimal text: String) {
    let digits = Array(text.utf8)
    guard digits.count == 64 else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: 64, by: 2) {
      guard let high = Self.value(digits[index]), let low = Self.value(digits[index + 1]) else { return nil }
      bytes.append(high << 4 | low)
    }
    self.bytes = bytes
  }

  /// 64 lower-case hexadecimal digits.
  public var description: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// Ordered by bytes.
  public static func < (one: ContentDigest, other: ContentDigest) -> Bool {
    one.bytes.lexicographicallyPrecedes(other.bytes)
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x61...0x66: digit - 0x61 + 10
    default: nil
    }
  }
}

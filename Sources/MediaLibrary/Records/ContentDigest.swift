internal import FileSupport

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
    guard text.utf8.count == 64, let bytes = Hexadecimal.decode(text) else { return nil }
    self.bytes = bytes
  }

  /// 64 lower-case hexadecimal digits.
  public var description: String { Hexadecimal.encode(bytes) }

  /// Ordered by bytes.
  public static func < (one: ContentDigest, other: ContentDigest) -> Bool {
    one.bytes.lexicographicallyPrecedes(other.bytes)
  }
}

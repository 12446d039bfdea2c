internal import FileSupport

/// A SHA-256 digest. It identifies a file content, and is the address of bytes in a store.
public struct ContentDigest: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The 32 bytes.
  public let bytes: [UInt8]

  /// A digest of 32 bytes; nil for any other number of bytes.
  public init?(bytes: some Sequence<UInt8>) {
    let bytes = Array(bytes)
    guard bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  /// A digest of 64 lower-case hexadecimal digits, as in `MediaInfo.sha256`; nil for any other text.
  public init?(hexadecimal text: String) {
    guard text.utf8.count == 64, let bytes = Hexadecimal.decode(text) else { return nil }
    self.bytes = bytes
  }

  /// 64 lower-case hexadecimal digits.
  public var description: String { Hexadecimal.encode(bytes) }

  /// Compares by bytes.
  public static func < (one: ContentDigest, other: ContentDigest) -> Bool {
    one.bytes.lexicographicallyPrecedes(other.bytes)
  }
}

/// Bytes that boxes are read from: in memory, or in a file behind a buffer.
public protocol BoxSource {
  /// Bytes that there are.
  var count: Int { get }

  /// The big-endian number of 1 to 8 bytes at an offset; nil where a byte of it is not there. Never traps, whatever the offset.
  func number(at offset: Int, bytes: Int) -> UInt64?
}

/// Bytes in memory, counted from 0.
public struct MemoryBoxSource: BoxSource {
  /// The bytes.
  public let bytes: [UInt8]

  /// A source over these bytes, which are not copied.
  @inlinable
  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Bytes that there are.
  @inlinable public var count: Int { bytes.count }

  /// The big-endian number of 1 to 8 bytes at an offset; nil where a byte of it is not there.
  @inlinable
  public func number(at offset: Int, bytes count: Int) -> UInt64? {
    guard offset >= 0, (0...8).contains(count), offset <= bytes.count - count else { return nil }
    var value: UInt64 = 0
    for index in offset..<(offset + count) { value = value << 8 | UInt64(bytes[index]) }
    return value
  }
}

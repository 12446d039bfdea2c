extension Box {
  /// A source of bytes for boxes: memory, or a file with a buffer.
  public protocol Source {
    /// Number of bytes.
    var count: Int { get }

    /// The big-endian number of 1 to 8 bytes at an offset; nil if it is not completely inside. Never traps, for any offset.
    func number(at offset: Int, bytes: Int) -> UInt64?
  }

  /// Bytes in memory, with offsets from 0.
  public struct MemorySource: Box.Source {
    /// All bytes of the file, from offset 0.
    public let bytes: [UInt8]

    /// A source over these bytes, which are not copied.
    @inlinable
    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Number of bytes.
    @inlinable public var count: Int { bytes.count }

    /// The big-endian number of 1 to 8 bytes at an offset; nil if it is not completely inside.
    @inlinable
    public func number(at offset: Int, bytes count: Int) -> UInt64? {
      guard offset >= 0, (0...8).contains(count), offset <= bytes.count - count else { return nil }
      var value: UInt64 = 0
      for index in offset..<(offset + count) { value = value << 8 | UInt64(bytes[index]) }
      return value
    }
  }
}

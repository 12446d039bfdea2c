internal import NIOCore

/// Sizes the buffer into which a connection is read: by what arrives, as NIO does, and smaller while there are many connections.
///
/// A connection keeps one buffer, and up to ten wait for a handler that is behind. With NIO's defaults, which are four and 64 KiB each, a thousand
/// uploads take 256 to 900 MiB.
struct ReceiveBuffers: RecvByteBufferAllocator {
  /// Bytes of the smallest and of the largest buffer that a large body gets.
  static let sizes = 4_096...65_536
  /// Bytes of all buffers together, up to which connections get the larger ones.
  static let total = 96 << 20
  /// Buffers that one connection may have.
  private static let perConnection = 11

  private let registry: ConnectionRegistry
  private var byTraffic = AdaptiveRecvByteBufferAllocator(
    minimum: 64, initial: 2_048, maximum: ReceiveBuffers.sizes.upperBound)

  init(_ registry: ConnectionRegistry) { self.registry = registry }

  /// Bytes of the largest buffer while so many connections are open: a power of two, as buffers have.
  static func limit(connections: Int) -> Int {
    let share = min(max(total / (max(connections, 1) * perConnection), sizes.lowerBound), sizes.upperBound)
    return 1 << (Int.bitWidth - 1 - share.leadingZeroBitCount)
  }

  func nextBufferSize() -> Int? {
    min(byTraffic.nextBufferSize() ?? Self.sizes.lowerBound, Self.limit(connections: registry.count))
  }

  func buffer(allocator: ByteBufferAllocator) -> ByteBuffer {
    allocator.buffer(capacity: nextBufferSize() ?? Self.sizes.lowerBound)
  }

  mutating func record(actualReadBytes: Int) -> Bool { byTraffic.record(actualReadBytes: actualReadBytes) }
}

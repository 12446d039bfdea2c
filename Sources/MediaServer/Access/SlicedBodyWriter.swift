internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// Writes large buffers in slices, and each when the client has read enough of those before it. Hummingbird writes a buffer as a whole, and regards an
/// answer as sent while all of it may still be in memory.
struct SlicedBodyWriter: ResponseBodyWriter {
  /// 128 KiB.
  static let sliceBytes = 131_072

  var base: any ResponseBodyWriter
  /// Of the connection.
  let eventLoop: any EventLoop

  @concurrent mutating func write(_ buffer: ByteBuffer) async throws {
    guard buffer.readableBytes > Self.sliceBytes else { return try await base.write(buffer) }
    var rest = buffer
    while let slice = rest.readSlice(length: min(Self.sliceBytes, rest.readableBytes)), slice.readableBytes > 0 {
      // A copy, for a slice that waits in the connection keeps the whole buffer in memory.
      try await base.write(ByteBuffer(buffer: slice))
      // The connection reports in its event loop that its client does not read, and the next write waits for that only if it comes later.
      try await eventLoop.submit {}.get()
    }
  }

  @concurrent func finish(_ trailingHeaders: HTTPFields?) async throws { try await base.finish(trailingHeaders) }
}

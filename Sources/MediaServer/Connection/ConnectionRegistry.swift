internal import MediaEngine
internal import NIOCore

/// The open connections of a server: bounded, and closed at the end of a graceful stop.
final class ConnectionRegistry: Sendable {
  private struct State: Sendable {
    var channels: [ObjectIdentifier: any Channel] = [:]
    /// The highest number since half of it was reported as gone.
    var peak = 0
  }

  private let limit: Int
  private let state = Locked(State())
  private let onHalved: @Sendable () -> Void

  /// The number of connections from which it is reported that half of them have gone.
  static let crowd = 64

  /// - Parameters:
  ///   - limit: How many there may be.
  ///   - onHalved: Called when half of ``crowd`` or more have gone, and again with each further half.
  init(limit: Int, onHalved: @escaping @Sendable () -> Void = {}) { (self.limit, self.onHalved) = (limit, onHalved) }

  /// How many there are.
  var count: Int { state.withLock { $0.channels.count } }

  /// Takes a new connection until it closes.
  /// - Returns: false if there are too many.
  func admit(_ channel: any Channel) -> Bool {
    let key = ObjectIdentifier(channel)
    let isAdmitted = state.withLock { state in
      guard state.channels.count < limit else { return false }
      state.channels[key] = channel
      state.peak = max(state.peak, state.channels.count)
      return true
    }
    if isAdmitted { channel.closeFuture.whenComplete { [self] _ in remove(key) } }
    return isAdmitted
  }

  private func remove(_ key: ObjectIdentifier) {
    let isHalved = state.withLock { state in
      state.channels[key] = nil
      guard state.peak >= Self.crowd, state.channels.count <= state.peak / 2 else { return false }
      state.peak = state.channels.count
      return true
    }
    if isHalved { onHalved() }
  }

  /// Closes all that are left.
  func closeAll() {
    for channel in state.withLock({ Array($0.channels.values) }) { channel.close(promise: nil) }
  }
}

/// Answers a connection beyond the limit with 503 and closes it, whatever it sends.
final class RefusedConnection: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private static let answer =
    "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
  /// Behind TLS nobody could read it.
  private let isReadable: Bool

  init(isReadable: Bool) { self.isReadable = isReadable }

  func channelActive(context: ChannelHandlerContext) {
    if isReadable { context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: Self.answer)), promise: nil) }
    context.close(promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {}
}

@available(*, unavailable)
extension RefusedConnection: Sendable {}

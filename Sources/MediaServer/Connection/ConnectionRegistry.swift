internal import MediaEngine
internal import NIOCore

/// The open connections of a server: bounded, and closed at the end of a graceful stop.
final class ConnectionRegistry: Sendable {
  private let limit: Int
  private let channels = Locked<[ObjectIdentifier: any Channel]>([:])

  init(limit: Int) { self.limit = limit }

  /// How many there are.
  var count: Int { channels.withLock { $0.count } }

  /// Takes a new connection until it closes.
  /// - Returns: false if there are too many.
  func admit(_ channel: any Channel) -> Bool {
    let key = ObjectIdentifier(channel)
    let isAdmitted = channels.withLock { channels in
      guard channels.count < limit else { return false }
      channels[key] = channel
      return true
    }
    if isAdmitted {
      channel.closeFuture.whenComplete { [channels] _ in channels.withLock { _ = $0.removeValue(forKey: key) } }
    }
    return isAdmitted
  }

  /// Closes all that are left.
  func closeAll() {
    for channel in channels.withLock({ Array($0.values) }) { channel.close(promise: nil) }
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

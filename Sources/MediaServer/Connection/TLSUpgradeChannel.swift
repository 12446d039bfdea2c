internal import HummingbirdCore
internal import HummingbirdHTTP2
internal import Logging
internal import NIOCore
internal import NIOSSL
internal import NIOTLS

/// Connections with TLS, which negotiate HTTP/2 or HTTP/1.1.
///
/// Hummingbird's own channel takes its certificate once, and waits for a handshake as long as it lasts.
struct TLSUpgradeChannel: ServerChildChannel {
  /// A connection and its protocol, once it is known.
  struct Value: ServerChildChannelValue {
    enum Connection: Sendable {
      case http1(HTTP1Channel.Value)
      case http2(HTTP2Channel.Value)
    }

    let channel: any Channel
    let negotiated: EventLoopFuture<Connection>
  }

  let certificate: CertificateStore
  let http1: HTTP1Channel
  let http2: HTTP2Channel
  let limits: MediaServer.ConnectionLimits
  let report: ServerReport

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    channel.eventLoop.makeCompletedFuture {
      try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: certificate.context))
      let negotiation = NIOTypedApplicationProtocolNegotiationHandler<Value.Connection> { result, channel in
        switch result {
        case .negotiated("h2"): http2.setup(channel: channel, logger: logger).map { .http2($0) }
        case .negotiated("http/1.1"), .fallback: http1.setup(channel: channel, logger: logger).map { .http1($0) }
        case .negotiated:
          channel.close().flatMapThrowing { throw ChannelError.inappropriateOperationForState }
        }
      }
      try channel.pipeline.syncOperations.addHandler(negotiation)
      let negotiated = negotiation.protocolNegotiationResult
      let timer = channel.eventLoop.scheduleTask(in: .nanoseconds(Int64(limits.headSeconds * 1e9))) {
        report.cut(.handshake)
        channel.close(promise: nil)
      }
      negotiated.whenComplete { _ in timer.cancel() }
      return Value(channel: channel, negotiated: negotiated)
    }
  }

  func handle(value: Value, logger: Logger) async {
    // A handshake that fails is the client's concern: there are many, for ports are scanned.
    guard let connection = try? await value.negotiated.get() else { return }
    switch connection {
    case .http1(let value): await http1.handle(value: value, logger: logger)
    case .http2(let value): await http2.handle(value: value, logger: logger)
    }
  }
}

internal import NIOCore
internal import NIOHTTP1

/// Drops interim answers (100, 104) to requests of HTTP/1.0, whose clients take them for the final answer (RFC 9110, section 15.2).
///
/// Between the decoder of HTTP/1 and what knows no versions. Streams of HTTP/2 need none.
final class InterimAnswerGuard: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private var isOld = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .head(let head) = unwrapInboundIn(data) { isOld = head.version.major < 1 || head.version == .http1_0 }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if isOld, case .head(let head) = unwrapOutboundIn(data), (100..<200).contains(head.status.code) {
      promise?.succeed()
      return
    }
    context.write(data, promise: promise)
  }

  /// Puts the guard behind the decoder, which Hummingbird adds; as one of the handlers that are added after it.
  final class Installer: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    func handlerAdded(context: ChannelHandlerContext) {
      let pipeline = context.pipeline.syncOperations
      guard let decoder = try? pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self) else { return }
      do { try pipeline.addHandler(InterimAnswerGuard(), position: .after(decoder)) } catch {
        // Without the guard an old client could be answered wrongly.
        context.close(promise: nil)
      }
    }
  }
}

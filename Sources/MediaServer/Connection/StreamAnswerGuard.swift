internal import NIOCore
internal import NIOHTTPTypes

/// Ends a stream of HTTP/2 whose client takes an answer too slowly or not at all, because it does not open the window of the stream. ``AnswerGuard``
/// does not see that: what waits for a window has not reached the connection.
///
/// A body is written in slices, and a slice that was written completely has left. In each window of time, at least one slice must leave, or all that
/// waits: half of the rate of the limits, so that a client at the rate is never cut. Below the other handlers of a stream. One for each stream.
final class StreamAnswerGuard: ChannelOutboundHandler, RemovableChannelHandler {
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let limits: MediaServer.ConnectionLimits
  private let report: ServerReport
  /// Bytes of a slice.
  private let slice: Int
  private var timer: RepeatedTask?
  private var rate = AnswerRate()
  private var buffered = 0

  init(limits: MediaServer.ConnectionLimits, report: ServerReport) {
    (self.limits, self.report) = (limits, report)
    // A frame of HTTP/2 has at most 16,384 bytes unless the client allows more.
    slice = max(1, min(16_384, Int(Double(limits.writeRate) * limits.writeWindowSeconds / 2)))
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard case .body(var buffer) = unwrapOutboundIn(data), buffer.readableBytes > 0 else {
      return context.write(data, promise: promise)
    }
    while buffer.readableBytes > slice, let part = buffer.readSlice(length: slice) { send(part, context, promise: nil) }
    send(buffer, context, promise: promise)
  }

  func handlerRemoved(context: ChannelHandlerContext) { stop() }

  private func send(_ buffer: ByteBuffer, _ context: ChannelHandlerContext, promise: EventLoopPromise<Void>?) {
    let count = buffer.readableBytes
    rate.wrote(count)
    buffered += count
    if timer == nil { watch(context) }
    let written = promise ?? context.eventLoop.makePromise()
    let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
    written.futureResult.whenComplete { _ in bound.value.left(count) }
    context.write(wrapOutboundOut(.body(buffer)), promise: written)
  }

  private func left(_ count: Int) {
    buffered -= count
    if buffered == 0 { stop() }
  }

  private func watch(_ context: ChannelHandlerContext) {
    let window = TimeAmount.nanoseconds(Int64(limits.writeWindowSeconds * 1e9))
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    timer = context.eventLoop.scheduleRepeatedTask(initialDelay: window, delay: window) { _ in
      let (handler, context) = bound.value
      guard handler.rate.isTooSlow(buffered: handler.buffered, required: handler.slice) else { return }
      // While the connection itself is full, the streams wait for each other, and AnswerGuard decides about it.
      let waiting = try? context.channel.parent?.syncOptions?.getOption(ChannelOptions.bufferedWritableBytes)
      guard (waiting ?? 0) == 0 else { return }
      handler.stop()
      handler.report.cut(.answer)
      context.close(promise: nil)
    }
  }

  private func stop() {
    timer?.cancel()
    timer = nil
    rate = AnswerRate()
  }
}

@available(*, unavailable)
extension StreamAnswerGuard: Sendable {}

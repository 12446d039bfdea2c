internal import NIOCore

/// Closes a connection whose peer reads an answer too slowly or not at all: Hummingbird waits for it as long as it lasts.
///
/// First in the pipeline, so it sees the bytes that the socket takes. One for each connection.
final class AnswerGuard: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let limits: MediaServer.ConnectionLimits
  private let report: ServerReport
  private var timer: RepeatedTask?
  private var added = 0
  private var pending = 0

  init(limits: MediaServer.ConnectionLimits, report: ServerReport) { (self.limits, self.report) = (limits, report) }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    added += unwrapOutboundIn(data).readableBytes
    if timer == nil { watch(context) }
    context.write(data, promise: promise)
  }

  func channelInactive(context: ChannelHandlerContext) {
    stop()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { stop() }

  private func watch(_ context: ChannelHandlerContext) {
    let window = TimeAmount.nanoseconds(Int64(limits.writeWindowSeconds * 1e9))
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    timer = context.eventLoop.scheduleRepeatedTask(initialDelay: window, delay: window) { _ in
      let (handler, context) = bound.value
      handler.check(context)
    }
  }

  /// At the end of each window: of the bytes that were waiting at its beginning, some must have left, and at the rate.
  private func check(_ context: ChannelHandlerContext) {
    guard let buffered = try? context.channel.syncOptions?.getOption(ChannelOptions.bufferedWritableBytes) else {
      return stop()
    }
    let before = pending
    let taken = before + added - buffered
    (pending, added) = (buffered, 0)
    if buffered == 0 { return stop() }
    let required = min(before, Int(Double(limits.writeRate) * limits.writeWindowSeconds))
    if taken < required {
      stop()
      report.cut(.answer)
      context.close(promise: nil)
    }
  }

  private func stop() {
    timer?.cancel()
    timer = nil
    (pending, added) = (0, 0)
  }
}

@available(*, unavailable)
extension AnswerGuard: Sendable {}

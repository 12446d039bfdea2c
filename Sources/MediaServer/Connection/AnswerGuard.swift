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
  private var rate = AnswerRate()

  init(limits: MediaServer.ConnectionLimits, report: ServerReport) { (self.limits, self.report) = (limits, report) }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    rate.wrote(unwrapOutboundIn(data).readableBytes)
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

  private func check(_ context: ChannelHandlerContext) {
    guard let buffered = try? context.channel.syncOptions?.getOption(ChannelOptions.bufferedWritableBytes) else {
      return stop()
    }
    let required = Int(Double(limits.writeRate) * limits.writeWindowSeconds)
    if rate.isTooSlow(buffered: buffered, required: required) {
      stop()
      report.cut(.answer)
      context.close(promise: nil)
    } else if buffered == 0 {
      stop()
    }
  }

  private func stop() {
    timer?.cancel()
    timer = nil
    rate = AnswerRate()
  }
}

@available(*, unavailable)
extension AnswerGuard: Sendable {}

/// The rate at which the peer takes an answer.
struct AnswerRate {
  private var added = 0
  private var pending = 0

  init() {}

  /// Bytes were written, and wait for the peer.
  mutating func wrote(_ count: Int) { added += count }

  /// Whether too few of the bytes that were waiting at the beginning of the last window have left; begins the next window.
  /// - Parameters:
  ///   - buffered: The bytes that still wait.
  ///   - required: The bytes that must leave in a window, if so many were waiting.
  mutating func isTooSlow(buffered: Int, required: Int) -> Bool {
    let (waiting, taken) = (pending, pending + added - buffered)
    (pending, added) = (buffered, 0)
    return taken < min(waiting, required)
  }
}

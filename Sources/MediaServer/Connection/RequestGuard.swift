internal import HTTPTypes
internal import NIOCore
internal import NIOHTTP2
internal import NIOHTTPTypes
internal import NIOHTTPTypesHTTP2

/// Guards the requests of a connection below Hummingbird, which has no deadline for a body and no end for an answer before it.
///
/// - The first head, and the next one after an answer, must be complete in time.
/// - A body must arrive at a rate while the server waits for it. What has arrived is kept: the handler sees the end of the connection.
/// - After an answer before the end of a body, a stream of HTTP/2 ends without an error, and a connection of HTTP/1.1 is closed with manners: the answer says so, the sending direction is ended, and what
///   still comes is read and dropped up to a bound. Without this, a client that is still sending sees a reset instead of the answer.
///
/// In the pipeline between the codec and Hummingbird. One for each connection of HTTP/1.1, and for each stream of HTTP/2.
final class RequestGuard: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let limits: MediaServer.ConnectionLimits
  private let isStream: Bool
  private let report: ServerReport

  /// When a head must be complete; nil while a request is read or answered.
  private var headDeadline: NIODeadline?
  private var headTimer: (task: Scheduled<Void>, time: NIODeadline)?
  private var bodyTimer: RepeatedTask?
  private var lingerTimer: Scheduled<Void>?
  private var body = BodyRate()
  /// A request whose end has not been read.
  private var isReading = false
  /// Bytes of its body that are to come; nil if its length is not known.
  private var remaining: Int?
  /// It waits for `100 Continue`.
  private var expectsContinue = false
  /// Heads that were read, less answers that were ended.
  private var unanswered = 0
  private var isClosing = false
  private var isLingering = false
  private var lingered = 0

  /// - Parameter isStream: Whether it guards a stream of HTTP/2, which has one request.
  init(limits: MediaServer.ConnectionLimits, isStream: Bool, report: ServerReport) {
    (self.limits, self.isStream, self.report) = (limits, isStream, report)
  }

  func handlerAdded(context: ChannelHandlerContext) {
    if !isStream { expectHead(within: limits.headSeconds, context) }
  }

  func handlerRemoved(context: ChannelHandlerContext) { stop() }

  func channelInactive(context: ChannelHandlerContext) {
    // Without an error Hummingbird takes the end of a stream of HTTP/2 for the end of its body.
    if isReading, !isLingering { context.fireErrorCaught(ChannelError.eof) }
    stop()
    context.fireChannelInactive()
  }

  // MARK: Reading

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let part = unwrapInboundIn(data)
    if isLingering { return drop(part, context) }
    switch part {
    case .head(let head):
      headDeadline = nil
      isReading = true
      unanswered += 1
      remaining = head.headerFields[.contentLength].flatMap { Int($0) }
      expectsContinue = head.headerFields[.expect]?.lowercased() == "100-continue"
      body = BodyRate()
    case .body(let buffer):
      body.received(buffer.readableBytes, at: context.eventLoop.now)
      if let left = remaining { remaining = max(0, left - buffer.readableBytes) }
      // The client did not wait.
      expectsContinue = false
    case .end:
      isReading = false
      bodyTimer?.cancel()
      bodyTimer = nil
    }
    context.fireChannelRead(data)
  }

  func read(context: ChannelHandlerContext) {
    if isReading { body.awaited(at: context.eventLoop.now) }
    context.read()
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    // While a connection lingers nobody above asks for more.
    if isLingering {
      context.read()
    } else if isReading, bodyTimer == nil {
      // Most requests end in the read in which they begin: they need no timer.
      watchBody(context)
    }
    context.fireChannelReadComplete()
  }

  /// Closes the connection unless a head is complete in time.
  private func expectHead(within seconds: Double, _ context: ChannelHandlerContext) {
    let deadline = context.eventLoop.now + .nanoseconds(Int64(seconds * 1e9))
    headDeadline = deadline
    // One timer for many requests: one that fires early is scheduled again, which costs less than to cancel it for each head.
    if let timer = headTimer, timer.time <= deadline { return }
    scheduleHeadTimer(at: deadline, context)
  }

  private func scheduleHeadTimer(at time: NIODeadline, _ context: ChannelHandlerContext) {
    headTimer?.task.cancel()
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    let task = context.eventLoop.scheduleTask(deadline: time) {
      let (handler, context) = bound.value
      handler.headTimer = nil
      guard let deadline = handler.headDeadline else { return }
      guard context.eventLoop.now >= deadline else { return handler.scheduleHeadTimer(at: deadline, context) }
      handler.report.cut(.head)
      context.close(promise: nil)
    }
    headTimer = (task, time)
  }

  private func watchBody(_ context: ChannelHandlerContext) {
    let window = TimeAmount.nanoseconds(Int64(limits.bodyWindowSeconds * 1e9))
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    bodyTimer = context.eventLoop.scheduleRepeatedTask(initialDelay: window, delay: window) { _ in
      let (handler, context) = bound.value
      if handler.expectsContinue {
        handler.body = BodyRate()
        return
      }
      let (now, rate) = (context.eventLoop.now, handler.limits.bodyRate)
      guard handler.body.isTooSlow(at: now, window: window, bytesPerSecond: rate) else { return }
      handler.stop()
      handler.report.cut(.body)
      context.close(promise: nil)
    }
  }

  // MARK: Writing

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(var head) where head.status.kind != .informational:
      isClosing = isReading && !willEndSoon
      if isStream, head.headerFields[.connection] != nil {
        // HTTP/2 has no such field (RFC 9113, section 8.2.2).
        head.headerFields[.connection] = nil
        return context.write(wrapOutboundOut(.head(head)), promise: promise)
      }
      if isClosing, !isStream {
        head.headerFields[.connection] = "close"
        return context.write(wrapOutboundOut(.head(head)), promise: promise)
      }
    case .head: expectsContinue = false
    case .end where isClosing:
      unanswered = max(0, unanswered - 1)
      // Hummingbird would read the whole rest of the body first.
      let written = promise ?? context.eventLoop.makePromise()
      let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
      written.futureResult.whenComplete { _ in bound.value.0.linger(bound.value.1) }
      return context.writeAndFlush(data, promise: written)
    case .end where !isStream:
      unanswered = max(0, unanswered - 1)
      // Another request may have been read already.
      if unanswered == 0 { expectHead(within: limits.idleSeconds, context) }
    default: break
    }
    context.write(data, promise: promise)
  }

  /// The rest of the body is so short that reading it costs less than a new connection. A client that waits for `100 Continue` never sends it.
  private var willEndSoon: Bool { remaining.map { $0 <= 65_536 && !expectsContinue } ?? false }

  private func linger(_ context: ChannelHandlerContext) {
    guard context.channel.isActive, !isLingering else { return }
    if isStream { return endStream(context) }
    if !isReading { return context.close(promise: nil) }
    stop()
    isLingering = true
    context.close(mode: .output, promise: nil)
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    lingerTimer = context.eventLoop.scheduleTask(in: .nanoseconds(Int64(limits.lingerSeconds * 1e9))) {
      bound.value.close(promise: nil)
    }
    context.read()
  }

  /// Asks the client of a stream to send no more of its body, which is no error: the answer is complete (RFC 9113, section 8.1). Closing the stream
  /// would say `CANCEL`, for which clients drop the answer.
  private func endStream(_ context: ChannelHandlerContext) {
    guard isReading else { return }
    stop()
    isLingering = true
    do {
      // Below the codec, which has no word for it.
      let codec = try context.pipeline.syncOperations.context(handlerType: HTTP2FramePayloadToHTTPServerCodec.self)
      codec.writeAndFlush(NIOAny(HTTP2Frame.FramePayload.rstStream(.noError)), promise: nil)
    } catch {
      context.close(promise: nil)
    }
  }

  private func drop(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) {
    switch part {
    case .body(let buffer): lingered += buffer.readableBytes
    // The client has sent all; a further request is not answered.
    case .end, .head: lingered = .max
    }
    if lingered > limits.lingerBytes {
      stop()
      context.close(promise: nil)
    }
  }

  private func stop() {
    headTimer?.task.cancel()
    bodyTimer?.cancel()
    lingerTimer?.cancel()
    (headDeadline, headTimer, bodyTimer, lingerTimer) = (nil, nil, nil, nil)
  }
}

@available(*, unavailable)
extension RequestGuard: Sendable {}

/// The rate at which a body arrives while somebody waits for it: a server that is busy is not the client's fault.
struct BodyRate {
  private var bytes = 0
  private var waited: TimeAmount = .zero
  private var waitingSince: NIODeadline?

  init() {}

  /// More bytes are asked for.
  mutating func awaited(at now: NIODeadline) { if waitingSince == nil { waitingSince = now } }

  /// Bytes have arrived.
  mutating func received(_ count: Int, at now: NIODeadline) {
    bytes += count
    if let since = waitingSince { waited = waited + (now - since) }
    waitingSince = nil
  }

  /// Whether the last window was spent waiting for bytes that came too slowly; begins the next window.
  mutating func isTooSlow(at now: NIODeadline, window: TimeAmount, bytesPerSecond: Int) -> Bool {
    if let since = waitingSince {
      waited = waited + (now - since)
      waitingSince = now
    }
    defer { (bytes, waited) = (0, .zero) }
    guard waited.nanoseconds * 2 >= window.nanoseconds else { return false }
    return Double(bytes) < Double(bytesPerSecond) * Double(waited.nanoseconds) / 1e9
  }
}

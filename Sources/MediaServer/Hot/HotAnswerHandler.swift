internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes
internal import Tracing

/// Answers requests for ``HotRenditions`` on the event loop. All others go on to the router, where the same address gets the same answer: a hop to a
/// task and back costs more than the answer itself.
///
/// Only a GET without a body, at a time when no other request of its connection is being answered.
final class HotAnswerHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  /// What to answer at the end of the request that is being read.
  private struct Pending {
    let head: HTTPResponse
    let body: ByteBuffer?
    let use: HotAnswerCounts.Use
    let span: RequestSpan?
  }

  private let renditions: HotRenditions
  private let hosts: Set<String>?
  private let report: ServerReport
  private let tracer: (any Tracer)?
  private let now: @Sendable () -> Int
  /// Requests that went on and are not answered completely.
  private var passed = 0
  private var answer: Pending?
  private var date = (second: 0, text: "")

  /// - Parameters:
  ///   - hosts: The names that `Host` may have; nil for any.
  ///   - tracer: Gets a span for each answer; nil if nobody collects them.
  init(
    _ renditions: HotRenditions, hosts: Set<String>?, report: ServerReport, tracer: (any Tracer)? = nil,
    now: @escaping @Sendable () -> Int
  ) {
    (self.renditions, self.hosts, self.report, self.tracer, self.now) = (renditions, hosts, report, tracer, now)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      answer = passed == 0 ? answer(to: head) : nil
      if answer == nil {
        passed += 1
        context.fireChannelRead(data)
      }
    case .body: if answer == nil { context.fireChannelRead(data) }
    case .end:
      guard let pending = answer else { return context.fireChannelRead(data) }
      answer = nil
      report.hot()
      renditions.uses.count(pending.use)
      context.write(wrapOutboundOut(.head(pending.head)), promise: nil)
      if let body = pending.body { context.write(wrapOutboundOut(.body(body)), promise: nil) }
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
      if let span = pending.span {
        span.answered(pending.use.status, route: pending.use.route)
        span.span.end()
      }
    }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .end = unwrapOutboundIn(data) { passed -= 1 }
    context.write(data, promise: promise)
  }

  private func answer(to head: HTTPRequest) -> Pending? {
    guard head.method == .get, let target = head.path else { return nil }
    let fields = head.headerFields
    guard fields[.contentLength] ?? "0" == "0", fields[.transferEncoding] == nil, fields[.expect] == nil,
      // Its answer names the origin.
      fields[.origin] == nil,
      fields[.connection]?.lowercased() ?? "keep-alive" == "keep-alive", isServed(head.authority)
    else { return nil }
    let now = now()
    guard let hot = renditions.answer(for: target), now < hot.expires else { return nil }
    let outcome = Conditions.evaluate(
      fields, isHead: false, entityTag: hot.entityTag, size: hot.body.readableBytes)
    var answered = hot.fields
    answered[.cacheControl] = "private, max-age=\(hot.expires - now), immutable"
    answered[.date] = dateText(now)
    if let name = RequestID.name { answered[name] = RequestID.of(fields) }
    let response: HTTPResponse
    switch outcome {
    case .full: response = HTTPResponse(status: .ok, headerFields: answered)
    case .notModified:
      (answered[.contentType], answered[.contentLength]) = (nil, nil)
      response = HTTPResponse(status: .notModified, headerFields: answered)
    default: return nil
    }
    return Pending(
      head: response, body: response.status == .ok ? hot.body : nil,
      use: HotAnswerCounts.Use(file: hot.file, route: hot.route, key: hot.key, status: response.status.code),
      span: tracer.map { RequestSpan(head, path: String(target.prefix { $0 != "?" }), $0) })
  }

  private func isServed(_ authority: String?) -> Bool {
    guard let hosts else { return true }
    return authority.flatMap(HostMiddleware<MediaServer.Context>.host).map(hosts.contains) ?? false
  }

  private func dateText(_ now: Int) -> String {
    if date.second != now { date = (now, HTTPDate.field(now)) }
    return date.text
  }
}

@available(*, unavailable)
extension HotAnswerHandler: Sendable {}

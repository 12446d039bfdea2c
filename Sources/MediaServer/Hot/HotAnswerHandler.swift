internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

/// Answers requests for ``HotRenditions`` on the event loop. All others go on to the router, where the same address gets the same answer: a hop to a
/// task and back costs more than the answer itself.
///
/// Only a GET without a body, at a time when no other request of its connection is being answered.
final class HotAnswerHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let renditions: HotRenditions
  private let hosts: Set<String>?
  private let report: ServerReport
  private let now: @Sendable () -> Int
  /// Requests that went on and are not answered completely.
  private var passed = 0
  /// What to answer at the end of the request that is being read.
  private var answer: (HTTPResponse, ByteBuffer?)?
  private var date = (second: 0, text: "")

  /// - Parameter hosts: The names that `Host` may have; nil for any.
  init(_ renditions: HotRenditions, hosts: Set<String>?, report: ServerReport, now: @escaping @Sendable () -> Int) {
    (self.renditions, self.hosts, self.report, self.now) = (renditions, hosts, report, now)
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
      guard let (head, body) = answer else { return context.fireChannelRead(data) }
      answer = nil
      report.hot()
      context.write(wrapOutboundOut(.head(head)), promise: nil)
      if let body { context.write(wrapOutboundOut(.body(body)), promise: nil) }
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .end = unwrapOutboundIn(data) { passed -= 1 }
    context.write(data, promise: promise)
  }

  private func answer(to head: HTTPRequest) -> (HTTPResponse, ByteBuffer?)? {
    guard head.method == .get, let target = head.path else { return nil }
    let fields = head.headerFields
    guard fields[.contentLength] ?? "0" == "0", fields[.transferEncoding] == nil, fields[.expect] == nil,
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
    switch outcome {
    case .full: return (HTTPResponse(status: .ok, headerFields: answered), hot.body)
    case .notModified:
      (answered[.contentType], answered[.contentLength]) = (nil, nil)
      return (HTTPResponse(status: .notModified, headerFields: answered), nil)
    default: return nil
    }
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

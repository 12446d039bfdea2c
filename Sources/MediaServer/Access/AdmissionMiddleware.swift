internal import HTTPTypes
internal import Hummingbird
internal import MediaService

/// Bounds the requests that run at a time, by class, and answers the rest with 503 at once: a queue would only make everybody wait. Of the work for
/// decoders and of the multimedia messages, one owner gets only a share; beyond, it is answered with 429.
struct AdmissionMiddleware<Context: MediaRequestContext>: RouterMiddleware {
  /// What a request costs.
  enum Class: String, CaseIterable, Sendable {
    /// Bytes that arrive for as long as the client sends.
    case upload
    /// A stream of events, for as long as the client listens.
    case stream
    /// Seconds of decoding and encoding: composed messages, modules of messages, images of profiles.
    case work
    /// Multimedia messages, which are in memory as a whole: received ones, and those that the operator is to get.
    case message
    /// Anything else.
    case other
  }

  private let slots: Slots
  let report: ServerReport

  init(_ limits: MediaServer.RequestLimits, report: ServerReport) {
    slots = Slots([
      .upload: .init(limits.uploads), .stream: .init(limits.streams),
      .work: .init(limits.work, perOwner: limits.workPerOwner),
      .message: .init(limits.messages, perOwner: limits.messagesPerOwner), .other: .init(limits.others),
    ])
    self.report = report
  }

  func handle(
    _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
  ) async throws -> Response {
    guard RequestPath.isOfInterface(request.uri.path) else { return try await next(request, context) }
    let kind = Self.kind(of: request)
    let owner = context.caller?.owner
    switch slots.take(kind, owner: owner) {
    case .taken: break
    case .full:
      report.refused(kind.rawValue)
      throw Problem(ServiceError(.busy, "The service is overloaded; try again later.", retryAfter: 1))
    case .ownShareTaken:
      report.refused("\(kind.rawValue)OfOwner")
      throw Problem(
        ServiceError(.rateLimited, "Too many requests of this kind are running; try again later.", retryAfter: 1))
    }
    do {
      var response = try await answer(request, kind, context, next)
      if kind == .stream || kind == .message {
        // It ends with its body: a stream sends until then, and a message stays in memory.
        let body = response.body
        let slot = Slot(slots, kind, owner: owner)
        response.body = ResponseBody(contentLength: body.contentLength) { [slot] writer in
          defer { slot.free() }
          try await body.write(writer)
        }
      } else {
        slots.free(kind, owner: owner)
      }
      return response
    } catch {
      slots.free(kind, owner: owner)
      throw error
    }
  }

  /// Work for decoders ends when its client has gone. Hummingbird then ends the connection after the answer, which says so.
  private func answer(
    _ request: Request, _ kind: Class, _ context: Context,
    _ next: @concurrent (Request, Context) async throws -> Response
  ) async throws -> Response {
    guard kind == .work else { return try await next(request, context) }
    // Called once, by this call's own task group, which ends before this call does.
    nonisolated(unsafe) let next = next
    return try await request.body.consumeWithCancellationOnInboundClose { @Sendable body in
      var request = request
      request.body = body
      var response = try await next(request, context)
      response.headers[.connection] = "close"
      return response
    }
  }

  static func kind(of request: Request) -> Class {
    let path = request.uri.path
    if path == "/v1/compose" || path.hasPrefix("/v1/compose/") { return .work }
    if path.hasPrefix("/v1/messages/"), path.hasSuffix("/modules") { return .work }
    if path == "/v1/avatar", request.method == .put { return .work }
    if path.hasPrefix("/v1/threads/"), path.hasSuffix("/draft/commit") { return .work }
    if isOfMessages(path, request.method) { return .message }
    if path == "/v1/tray/events" || path == "/v1/messages/events" { return .stream }
    if path.hasPrefix("/v1/uploads/"), [.patch, .post].contains(request.method) { return .upload }
    if ["/v1/uploads", "/v1/attachments"].contains(path), request.method == .post { return .upload }
    return .other
  }

  /// Whether a body or an answer has the octets of messages.
  private static func isOfMessages(_ path: String, _ method: HTTPRequest.Method) -> Bool {
    if path == "/v1/messages" { return method == .post }
    return path == "/v1/messages/answers" || path.hasPrefix("/v1/messages/") && path.hasSuffix("/requests")
  }
}

internal import HTTPTypes
internal import Hummingbird
internal import MediaService
internal import NIOCore

/// Bounds the requests that run at a time, by class, and messages by their bytes, and answers the rest with 503 at once: a queue would only make everybody wait. Of the work for
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
    /// Multimedia messages, which are in memory as a whole: received ones, those that the carrier is to get, and their files.
    case message
    /// Anything else.
    case other

    /// Whether a request keeps its place until its answer is sent: a stream sends until then, and a message stays in memory.
    var lastsUntilSent: Bool { [.stream, .work, .message].contains(self) }
  }

  private let slots: Slots
  let report: ServerReport

  init(_ limits: MediaServer.RequestLimits, report: ServerReport) {
    slots = Slots([
      .upload: .init(limits.uploads), .stream: .init(limits.streams),
      .work: .init(limits.work, perOwner: limits.workPerOwner),
      .message: .init(limits.messageBytes, perOwner: limits.messageBytesPerOwner), .other: .init(limits.others),
    ])
    self.report = report
  }

  func handle(
    _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
  ) async throws -> Response {
    guard RequestPath.isOfInterface(request.uri.path) else { return try await next(request, context) }
    let kind = Self.kind(of: request)
    let owner = context.caller?.owner
    let weight = slots.weight(Self.bytes(of: request, kind) ?? 1, of: kind)
    switch slots.take(kind, weight, owner: owner) {
    case .taken: break
    case .full:
      report.refused(kind.rawValue)
      throw Problem(ServiceError(.busy, "The service is overloaded; try again later.", retryAfter: 1))
    case .ownShareTaken:
      report.refused("\(kind.rawValue)OfOwner")
      throw Problem(
        ServiceError(
          .rateLimited,
          "Too many of your requests of the kind `\(kind.rawValue)` are running; wait until one has finished.",
          retryAfter: 1))
    }
    let slot = Slot(slots, kind, weight, owner: owner)
    do {
      var response = try await answer(request, kind, context, next)
      guard kind.lastsUntilSent else {
        slot.free()
        return response
      }
      let body = response.body
      // What was received is in memory no more, and the length of the answer is known.
      if kind == .message, let length = body.contentLength { slot.resize(to: max(length, Self.minBytes)) }
      let eventLoop = context.channel.eventLoop
      response.body = ResponseBody(contentLength: body.contentLength) { [slot] writer in
        defer { slot.free() }
        try await body.write(SlicedBodyWriter(base: writer, eventLoop: eventLoop))
      }
      return response
    } catch {
      slot.free()
      throw error
    }
  }

  /// Bytes of memory that a request with a message counts as until its answer is made: those of its body as stated, or the most that a message may have;
  /// for a file of a message what most have, since a browser asks for all of a thread at once; nil for other requests.
  static func bytes(of request: Request, _ kind: Class) -> Int? {
    guard kind == .message else { return nil }
    if isOfPart(request.uri.path) { return partBytes }
    guard request.method == .post, let length = request.headers[.contentLength].flatMap({ Int($0) }) else {
      return MessagePDU.limit
    }
    return min(max(length, minBytes), MessagePDU.limit)
  }

  /// What the smallest message counts as, which bounds their number.
  static var minBytes: Int { 262_144 }

  /// What a file of a message counts as until its length is known.
  static var partBytes: Int { 1_048_576 }

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
    if ["/v1/events", "/v1/tray/events", "/v1/messages/events"].contains(path) { return .stream }
    if path.hasPrefix("/v1/uploads/"), [.patch, .post].contains(request.method) { return .upload }
    if ["/v1/uploads", "/v1/attachments"].contains(path), request.method == .post { return .upload }
    return .other
  }

  /// Whether a body or an answer has the octets of messages, or of a file in one.
  private static func isOfMessages(_ path: String, _ method: HTTPRequest.Method) -> Bool {
    if path == "/v1/messages" { return method == .post }
    if isOfPart(path) || path == "/v1/messages/answers" { return true }
    return path.hasPrefix("/v1/messages/") && (path.hasSuffix("/requests") || path.hasSuffix("/resend"))
  }

  private static func isOfPart(_ path: String) -> Bool {
    guard path.hasPrefix("/v1/messages/") || path.hasPrefix("/v1/attachments/") else { return false }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 6 && parts[4] == "parts"
  }
}

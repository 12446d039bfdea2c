internal import HTTPTypes
internal import Hummingbird
internal import MediaEngine
internal import MediaService

/// Bounds the requests that run at a time, by class, and answers the rest with 503 at once: a queue would only make everybody wait. Of the work for
/// decoders, one owner gets only a share; beyond, it is answered with 429.
struct AdmissionMiddleware<Context: MediaRequestContext>: RouterMiddleware {
  /// What a request costs.
  enum Class: String, CaseIterable, Sendable {
    /// Bytes that arrive for as long as the client sends.
    case upload
    /// A stream of events, for as long as the client listens.
    case stream
    /// Seconds of decoding and encoding: composed messages, modules of messages, images of profiles.
    case work
    /// Anything else.
    case other
  }

  private let slots: Slots
  let report: ServerReport

  init(_ limits: MediaServer.RequestLimits, report: ServerReport) {
    slots = Slots(
      [.upload: limits.uploads, .stream: limits.streams, .work: limits.work, .other: limits.others],
      workPerOwner: limits.workPerOwner)
    self.report = report
  }

  func handle(
    _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
  ) async throws -> Response {
    guard RequestPath.isOfInterface(request.uri.path) else { return try await next(request, context) }
    let kind = Self.kind(of: request)
    let owner = kind == .work ? context.caller?.owner : nil
    switch slots.take(kind, owner: owner) {
    case .taken: break
    case .full:
      report.refused(kind.rawValue)
      throw Problem(ServiceError(.busy, "The service is overloaded; try again later.", retryAfter: 1))
    case .ownShareTaken:
      report.refused("workOfOwner")
      throw Problem(
        ServiceError(.rateLimited, "Too many requests of this kind are running; try again later.", retryAfter: 1))
    }
    do {
      var response = try await answer(request, kind, context, next)
      if kind == .stream {
        // It ends with its body.
        let body = response.body
        let slot = Slot(slots, kind)
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
    if path == "/v1/tray/events" || path == "/v1/messages/events" { return .stream }
    if path.hasPrefix("/v1/uploads/"), [.patch, .post].contains(request.method) { return .upload }
    if ["/v1/uploads", "/v1/attachments", "/v1/messages"].contains(path), request.method == .post { return .upload }
    return .other
  }

  /// The free places of each class.
  final class Slots: Sendable {
    /// Whether a place was free.
    enum Outcome: Sendable {
      case taken
      /// There is none.
      case full
      /// The owner has as many as one may have.
      case ownShareTaken
    }

    private struct State: Sendable {
      var free: [Class: Int]
      /// Places of work by owner.
      var owners: [String: Int] = [:]
    }

    private let state: Locked<State>
    private let workPerOwner: Int

    init(_ limits: [Class: Int], workPerOwner: Int) {
      state = Locked(State(free: limits))
      self.workPerOwner = workPerOwner
    }

    /// - Parameter owner: Whose share is counted; nil for nobody's.
    func take(_ kind: Class, owner: String? = nil) -> Outcome {
      state.withLock { state in
        guard let count = state.free[kind], count > 0 else { return .full }
        if let owner {
          guard state.owners[owner, default: 0] < workPerOwner else { return .ownShareTaken }
          state.owners[owner, default: 0] += 1
        }
        state.free[kind] = count - 1
        return .taken
      }
    }

    func free(_ kind: Class, owner: String? = nil) {
      state.withLock { state in
        state.free[kind, default: 0] += 1
        guard let owner, let count = state.owners[owner] else { return }
        state.owners[owner] = count > 1 ? count - 1 : nil
      }
    }
  }

  /// A place that is freed once: at the end of a body, or when an answer is dropped unwritten.
  private final class Slot: Sendable {
    private let slots: Slots
    private let kind: Class
    private let isTaken = Locked(true)

    init(_ slots: Slots, _ kind: Class) { (self.slots, self.kind) = (slots, kind) }

    func free() {
      if isTaken.withLock({ isTaken in
        defer { isTaken = false }
        return isTaken
      }) {
        slots.free(kind)
      }
    }

    deinit { free() }
  }
}

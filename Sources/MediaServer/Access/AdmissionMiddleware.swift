internal import HTTPTypes
internal import Hummingbird
internal import MediaEngine
internal import MediaService

/// Bounds the requests that run at a time, by class, and answers the rest with 503 at once: a queue would only make everybody wait.
struct AdmissionMiddleware<Context: MediaRequestContext>: RouterMiddleware {
  /// What a request costs.
  enum Class: String, CaseIterable, Sendable {
    /// Bytes that arrive for as long as the client sends.
    case upload
    /// A stream of events, for as long as the client listens.
    case stream
    /// Anything else.
    case other
  }

  private let slots: Slots
  let report: ServerReport

  init(_ limits: MediaServer.RequestLimits, report: ServerReport) {
    slots = Slots([.upload: limits.uploads, .stream: limits.streams, .other: limits.others])
    self.report = report
  }

  func handle(
    _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
  ) async throws -> Response {
    guard RequestPath.isOfInterface(request.uri.path) else { return try await next(request, context) }
    let kind = Self.kind(of: request)
    guard slots.take(kind) else {
      report.refused(kind.rawValue)
      throw Problem(ServiceError(.busy, "The service has too much to do.", retryAfter: 1))
    }
    do {
      var response = try await next(request, context)
      if kind == .stream {
        // It ends with its body.
        let body = response.body
        let slot = Slot(slots, kind)
        response.body = ResponseBody(contentLength: body.contentLength) { [slot] writer in
          defer { slot.free() }
          try await body.write(writer)
        }
      } else {
        slots.free(kind)
      }
      return response
    } catch {
      slots.free(kind)
      throw error
    }
  }

  static func kind(of request: Request) -> Class {
    let path = request.uri.path
    if path == "/v1/tray/events" { return .stream }
    if path.hasPrefix("/v1/uploads/"), [.patch, .post].contains(request.method) { return .upload }
    if path == "/v1/uploads" || path == "/v1/attachments", request.method == .post { return .upload }
    return .other
  }

  /// The free places of each class.
  final class Slots: Sendable {
    private let free: Locked<[Class: Int]>

    init(_ limits: [Class: Int]) { free = Locked(limits) }

    func take(_ kind: Class) -> Bool {
      free.withLock { free in
        guard let count = free[kind], count > 0 else { return false }
        free[kind] = count - 1
        return true
      }
    }

    func free(_ kind: Class) { free.withLock { $0[kind, default: 0] += 1 } }
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

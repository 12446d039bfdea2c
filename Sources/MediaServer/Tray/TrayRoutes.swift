internal import HTTPTypes
internal import Hummingbird
internal import MediaService
internal import NIOCore

/// `/v1/tray`, `/v1/tray/events`, and `/v1/events`, which has the changes of messages, too.
struct TrayRoutes<Context: MediaRequestContext> {
  let service: MediaService
  /// The time between two comments on a quiet stream, by which a lost connection is noticed. Proxies close after a minute.
  var heartbeat = Duration.seconds(15)

  func add(to router: some RouterMethods<Context>) {
    router.get("/v1/tray") { request, context in
      let caller = try context.requireCaller()
      let json = try await Problem.mapping { () async throws(ServiceError) in
        try await service.tray(
          for: caller, select: request.parameter("select"), before: request.parameter("before"))
      }
      return JSONAnswer.response(json: json)
    }
    router.get("/v1/tray/events") { request, context in
      let caller = try context.requireCaller()
      return try await EventStreamBody.response(to: request, context, caller, service, heartbeat) {
        last throws(ServiceError) in try service.trayEvents(for: caller, after: last)
      }
    }
    router.get("/v1/events") { request, context in
      let caller = try context.requireCaller()
      return try await EventStreamBody.response(to: request, context, caller, service, heartbeat) {
        last throws(ServiceError) in try service.events(for: caller, after: last)
      }
    }
  }
}

extension Request {
  /// The value of a field that HTTPTypes has no name for; nil if it is absent.
  func field(_ name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }
}

extension Problem {
  /// Calls a use case, with its errors as problems.
  static func mapping<Value>(
    _ body: () async throws(ServiceError) -> Value
  ) async throws(Problem) -> Value {
    do { return try await body() } catch { throw Problem(error) }
  }
}

extension JSONAnswer {
  /// An answer that was encoded before.
  static func response(json: [UInt8], status: HTTPResponse.Status = .ok) -> Response {
    Response(
      status: status, headers: [.contentType: "application/json", .cacheControl: "private, no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: json)))
  }
}

internal import HTTPTypes
internal import Hummingbird
internal import MediaEngine
internal import MediaService
internal import NIOCore

/// Whether a server should get requests.
final class Readiness: Sendable {
  private let isDraining = Locked(false)

  /// From now on, no: a graceful stop has begun.
  func drain() { isDraining.withLock { $0 = true } }

  /// Why not; empty if it should.
  func reasons(_ service: MediaService) async -> [String] {
    if isDraining.withLock({ $0 }) { return ["stopping"] }
    return await service.unreadyReasons()
  }
}

/// `/healthz`, `/readyz` and `/metrics`: for those who run the server, without a token.
struct HealthRoutes<Context: MediaRequestContext>: Sendable {
  let service: MediaService
  let readiness: Readiness
  let prometheus: PrometheusRegistry?

  func add(to router: some RouterMethods<Context>) {
    router.get("/healthz") { _, _ in try JSONAnswer.response(["status": "alive"]) }
    router.get("/readyz") { _, _ in
      let (reasons, warnings) = (await readiness.reasons(service), service.readinessWarnings)
      return try JSONAnswer.response(
        ReadinessBody(
          status: reasons.isEmpty ? "ready" : "notReady", reasons: reasons.isEmpty ? nil : reasons,
          warnings: warnings.isEmpty ? nil : warnings),
        status: reasons.isEmpty ? .ok : .serviceUnavailable, headers: reasons.isEmpty ? [:] : [.retryAfter: "5"])
    }
    if let prometheus {
      router.get("/metrics") { _, _ in
        Response(
          status: .ok,
          headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8", .cacheControl: "no-store"],
          body: ResponseBody(byteBuffer: ByteBuffer(string: prometheus.text())))
      }
    }
  }

  private struct ReadinessBody: Encodable {
    var status: String
    var reasons: [String]?
    var warnings: [String]?
  }
}

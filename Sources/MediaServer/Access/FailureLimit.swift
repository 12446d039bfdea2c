internal import HTTPTypes
internal import Hummingbird
internal import MediaService
internal import NIOCore

/// Answers 429 in place of 401 and 403 to a client that sends wrong tokens or signatures too often.
///
/// A valid token or signature is accepted in any case: otherwise, whoever shares an address with others could lock them out (docs/decisions/0113).
struct FailureLimit: Sendable {
  let limiter: RateLimiter
  /// The administrator's proxies in front of the server.
  let proxies: Int
  let report: ServerReport

  /// The problem itself, or `rateLimited` after too many invalid tokens and signatures from one address.
  func answer(_ problem: Problem, to request: Request, on channel: any Channel) -> Problem {
    guard problem.status == .unauthorized || problem.error.code.rawValue == "invalidSignature",
      let client = ClientAddress.name(request.headers, channel.remoteAddress, proxies: proxies),
      let seconds = limiter.take(client, at: .now())
    else { return problem }
    report.refused("failureRate")
    return .rateLimited(seconds)
  }
}

/// Limits the failures of routes: requests without a token, and wrong signatures.
struct FailureLimitMiddleware<Context: MediaRequestContext>: RouterMiddleware {
  let limit: FailureLimit

  func handle(
    _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
  ) async throws -> Response {
    do { return try await next(request, context) } catch let problem as Problem {
      throw limit.answer(problem, to: request, on: context.channel)
    }
  }
}

internal import Hummingbird
internal import MediaService
internal import NIOCore

/// Answers 429 to an owner who makes requests too often.
struct RateLimitMiddleware<Context: MediaRequestContext>: RouterMiddleware {
  let limiter: RateLimiter
  let report: ServerReport

  func handle(
    _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
  ) async throws -> Response {
    if let caller = context.caller, let seconds = limiter.take(caller.owner, at: .now()) {
      report.refused("rate")
      throw Problem.rateLimited(seconds)
    }
    return try await next(request, context)
  }
}

/// The rate of requests with signed URLs of each attachment: they have no owner.
///
/// Taken when the signature was found valid, so that forged ones use up nothing. Answers from memory are not counted: they cost less than a refusal.
struct AddressLimit: Sendable {
  let limiter: RateLimiter
  let report: ServerReport

  /// Takes a request of an attachment.
  /// - Throws: 429 with the time to wait.
  func admit(_ attachment: String) throws(Problem) {
    guard let seconds = limiter.take(attachment, at: .now()) else { return }
    report.refused("addressRate")
    throw .rateLimited(seconds)
  }
}

extension Problem {
  /// The answer to requests that are too many.
  /// - Parameter seconds: How long to wait.
  static func rateLimited(_ seconds: Int) -> Problem {
    Problem(
      ServiceError(
        .rateLimited, "Too many requests; try again after the seconds in Retry-After.", retryAfter: seconds))
  }
}

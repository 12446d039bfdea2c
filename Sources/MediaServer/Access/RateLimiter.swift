internal import HTTPTypes
internal import Hummingbird
internal import MediaEngine
internal import MediaService
internal import NIOCore

/// Requests of each owner, as tokens that drip into a bucket.
final class RateLimiter: Sendable {
  private struct Bucket: Sendable {
    var tokens: Double
    var filled: NIODeadline
  }

  private let rate: Double
  private let burst: Double
  private let buckets = Locked<[String: Bucket]>([:])

  /// Buckets that are kept; full ones are dropped first, which changes nothing.
  static let maxOwners = 100_000

  init(rate: Double, burst: Double) { (self.rate, self.burst) = (max(rate, 0.001), max(burst, 1)) }

  /// Takes a token of an owner.
  /// - Returns: nil, or the whole seconds until there is one again.
  func take(_ owner: String, at now: NIODeadline) -> Int? {
    buckets.withLock { buckets in
      if buckets.count >= Self.maxOwners, buckets[owner] == nil {
        buckets = buckets.filter { tokens(of: $0.value, at: now) < burst }
        // Nobody has a full one: all begin again, rather than memory without a bound.
        if buckets.count >= Self.maxOwners { buckets = [:] }
      }
      var bucket = buckets[owner] ?? Bucket(tokens: burst, filled: now)
      bucket.tokens = tokens(of: bucket, at: now)
      bucket.filled = now
      defer { buckets[owner] = bucket }
      guard bucket.tokens < 1 else {
        bucket.tokens -= 1
        return nil
      }
      return max(1, Int(((1 - bucket.tokens) / rate).rounded(.up)))
    }
  }

  private func tokens(of bucket: Bucket, at now: NIODeadline) -> Double {
    min(burst, bucket.tokens + rate * Double((now - bucket.filled).nanoseconds) / 1e9)
  }
}

/// Answers 429 to an owner who makes requests too often.
struct RateLimitMiddleware<Context: MediaRequestContext>: RouterMiddleware {
  let limiter: RateLimiter
  let report: ServerReport

  func handle(
    _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
  ) async throws -> Response {
    if let caller = context.caller, let seconds = limiter.take(caller.owner, at: .now()) {
      report.refused("rate")
      throw Problem(
        ServiceError(
          .rateLimited, "Too many requests; try again after the seconds in Retry-After.", retryAfter: seconds))
    }
    return try await next(request, context)
  }
}

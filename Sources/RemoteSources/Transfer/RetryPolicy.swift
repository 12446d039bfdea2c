/// Whether a failed request is tried again, and when: the rules of the AWS SDKs ("standard mode", revised in 2026). Other servers of HTTP have no codes of S3, so
/// the statuses 408 and 429 are reasons to try again, too.
enum RetryPolicy {
  /// Number of attempts of one request.
  static let attempts = 3

  /// Why another attempt may succeed.
  enum Reason: Hashable, Sendable {
    /// The connection failed, or the server did.
    case transient
    /// The server asks for fewer requests.
    case throttled
  }

  /// The reason to try again after a response; nil for one that is final.
  /// - Parameter code: The code in the body of an error of S3.
  static func reason(status: Int, code: String?) -> Reason? {
    if let code, throttlingCodes.contains(code) { return .throttled }
    switch status {
    case 429: return .throttled
    case 408, 500, 502, 503, 504: return .transient
    default: return code == "RequestTimeout" || code == "RequestTimeoutException" ? .transient : nil
    }
  }

  /// Seconds to wait after so many attempts.
  /// - Parameters:
  ///   - jitter: From 0 to 1, chosen at random, so that clients do not come back together.
  ///   - stated: Milliseconds that the service asks for (`x-amz-retry-after`); at most five seconds are added for them.
  static func delay(after attempt: Int, _ reason: Reason, jitter: Double, stated: String? = nil) -> Double {
    let base = reason == .throttled ? 1 : 0.05
    let delay = jitter * min(20, base * Double(1 << max(0, min(attempt - 1, 30))))
    guard let milliseconds = stated.flatMap({ Int($0) }), milliseconds >= 0 else { return delay }
    return max(delay, min(Double(milliseconds) / 1_000, delay + 5))
  }

  private static let throttlingCodes: Set<String> = [
    "Throttling", "ThrottlingException", "ThrottledException", "RequestThrottledException", "TooManyRequestsException",
    "ProvisionedThroughputExceededException", "TransactionInProgressException", "RequestLimitExceeded",
    "BandwidthLimitExceeded", "LimitExceededException", "RequestThrottled", "SlowDown", "PriorRequestNotComplete",
    "EC2ThrottledException",
  ]
}

/// Tokens for retries, shared by all requests of a client: while most requests fail, retries would only add load.
struct RetryTokens: Hashable, Sendable {
  /// Number of tokens at the start, and at most.
  static let capacity = 500
  private(set) var count = capacity

  /// The tokens that a retry takes.
  static func cost(of reason: RetryPolicy.Reason) -> Int { reason == .throttled ? 5 : 14 }

  /// Takes the tokens for a retry; false if there are not enough.
  mutating func take(for reason: RetryPolicy.Reason) -> Bool {
    let cost = Self.cost(of: reason)
    guard count >= cost else { return false }
    count -= cost
    return true
  }

  /// Returns tokens after a success.
  /// - Parameter cost: Those that the retry before it took; 0 for a first attempt, which returns one.
  mutating func giveBack(_ cost: Int) { count = min(Self.capacity, count + max(1, cost)) }
}

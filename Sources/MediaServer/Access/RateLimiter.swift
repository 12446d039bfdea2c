internal import MediaEngine
internal import NIOCore

/// Requests by name, as tokens that drip into a bucket for each name: an owner, an attachment, the address of a client.
///
/// The number of buckets is bounded. The one that was used least recently goes first, and is full when it comes back.
final class RateLimiter: Sendable {
  private struct Bucket: Sendable {
    var tokens: Double
    var filled: NIODeadline
  }

  private struct State: Sendable {
    /// What was used since the last change of generations, and what before that. Each generation has half of the buckets.
    var young: [String: Bucket] = [:]
    var old: [String: Bucket] = [:]
  }

  private let rate: Double
  private let burst: Double
  private let maxBuckets: Int
  private let state = Locked(State())

  /// - Parameters:
  ///   - rate: Tokens a second.
  ///   - burst: Tokens of a full bucket.
  ///   - maxBuckets: Names that are kept.
  init(rate: Double, burst: Double, maxBuckets: Int = 100_000) {
    (self.rate, self.burst, self.maxBuckets) = (max(rate, 0.001), max(burst, 1), maxBuckets)
  }

  /// Takes a token of a name.
  /// - Returns: nil, or the whole seconds until there is one again.
  func take(_ name: String, at now: NIODeadline) -> Int? {
    state.withLock { state in
      let found = state.young[name] ?? state.old.removeValue(forKey: name)
      var bucket = found ?? Bucket(tokens: burst, filled: now)
      bucket.tokens = tokens(of: bucket, at: now)
      bucket.filled = now
      let isTaken = bucket.tokens >= 1
      if isTaken { bucket.tokens -= 1 }
      state.young[name] = bucket
      if state.young.count >= max(1, maxBuckets / 2) { (state.old, state.young) = (state.young, [:]) }
      return isTaken ? nil : max(1, Int(((1 - bucket.tokens) / rate).rounded(.up)))
    }
  }

  /// How many names are kept.
  var count: Int { state.withLock { $0.young.count + $0.old.count } }

  private func tokens(of bucket: Bucket, at now: NIODeadline) -> Double {
    min(burst, bucket.tokens + rate * Double((now - bucket.filled).nanoseconds) / 1e9)
  }
}

/// When a temporary failure is retried.
public struct RetrySchedule: Hashable, Codable, Sendable {
  /// Delays in seconds before each retry.
  public var delays: [Double]
  /// Whether the last delay repeats without end.
  public var repeatsLast: Bool

  /// Creates a schedule, which ends by default.
  public init(delays: [Double], repeatsLast: Bool = false) {
    self.delays = delays
    self.repeatsLast = repeatsLast
  }

  /// The delay in seconds after this many attempts; nil if there is no further retry.
  public func delay(afterAttempts attempts: Int) -> Double? {
    guard attempts > 0 else { return 0 }
    if attempts <= delays.count { return delays[attempts - 1] }
    return repeatsLast ? delays.last : nil
  }

  /// Downloads: four retries, after 1, 5, 10 and 30 minutes (Firefox OS).
  public static let fetching = RetrySchedule(delays: [60, 300, 600, 1_800])
  /// Sending: retries without end, finally every half hour, until it is sent (R-MMS-39).
  public static let sending = RetrySchedule(delays: [10, 60, 180, 600, 1_800], repeatsLast: true)
  /// Sending: three retries, after 10 seconds, 1 and 3 minutes (Firefox OS).
  public static let sendingWithEnd = RetrySchedule(delays: [10, 60, 180])
  /// No retries.
  public static let none = RetrySchedule(delays: [])
}

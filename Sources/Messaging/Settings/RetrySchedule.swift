/// When something that failed for now is tried again.
public struct RetrySchedule: Hashable, Codable, Sendable {
  /// Seconds before each further attempt.
  public var delays: [Double]
  /// Whether the last delay repeats without end.
  public var repeatsLast: Bool

  /// A schedule of those delays. Default: it ends.
  public init(delays: [Double], repeatsLast: Bool = false) {
    self.delays = delays
    self.repeatsLast = repeatsLast
  }

  /// Seconds before the attempt after so many; nil when there is none.
  public func delay(afterAttempts attempts: Int) -> Double? {
    guard attempts > 0 else { return 0 }
    if attempts <= delays.count { return delays[attempts - 1] }
    return repeatsLast ? delays.last : nil
  }

  /// Fetching: four more times, after 1, 5, 10 and 30 minutes (Firefox OS).
  public static let fetching = RetrySchedule(delays: [60, 300, 600, 1_800])
  /// Sending: again and again, at last every half hour, until it is sent (R-MMS-39).
  public static let sending = RetrySchedule(delays: [10, 60, 180, 600, 1_800], repeatsLast: true)
  /// Sending: three more times, after 10 seconds, 1 and 3 minutes (Firefox OS).
  public static let sendingWithEnd = RetrySchedule(delays: [10, 60, 180])
  /// Not at all.
  public static let none = RetrySchedule(delays: [])
}

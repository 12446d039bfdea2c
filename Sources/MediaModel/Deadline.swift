/// A moment on the monotonic clock after which work is given up.
public struct Deadline: Hashable, Sendable {
  /// The moment.
  public let instant: ContinuousClock.Instant

  /// A deadline so many seconds from now.
  public static func after(seconds: Double) -> Deadline {
    Deadline(instant: .now.advanced(by: .milliseconds(Int64((max(0, min(seconds, 1e9)) * 1_000).rounded(.up)))))
  }

  /// Whether the moment has passed.
  public var hasPassed: Bool { ContinuousClock.now >= instant }

  /// Nanoseconds left; 0 once it has passed.
  public var nanosecondsLeft: Int64 {
    let left = ContinuousClock.now.duration(to: instant).components
    guard left.seconds >= 0, left.attoseconds >= 0 else { return 0 }
    let (whole, overflow) = left.seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, carried) = whole.addingReportingOverflow(left.attoseconds / 1_000_000_000)
    return overflow || carried ? .max : sum
  }

  /// Throws ``MediaFailure/Code/timedOut`` once the moment has passed. Called between the steps of a job.
  public func check() throws(MediaFailure) {
    if hasPassed { throw MediaFailure(.timedOut, "The deadline passed.") }
  }
}

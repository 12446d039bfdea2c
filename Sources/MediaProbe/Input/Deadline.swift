package import MediaModel

/// A point in time on the monotonic clock after which work is abandoned.
package struct Deadline: Hashable, Sendable {
  /// The point in time.
  package let instant: ContinuousClock.Instant

  /// Creates a deadline this many seconds from now.
  package static func after(seconds: Double) -> Deadline {
    Deadline(instant: .now.advanced(by: .milliseconds(Int64((max(0, min(seconds, 1e9)) * 1_000).rounded(.up)))))
  }

  /// Whether the deadline has passed.
  package var hasPassed: Bool { ContinuousClock.now >= instant }

  /// An earlier deadline that reserves a fraction, 0…1, of the remaining time for later work.
  package func leaving(_ share: Double) -> Deadline {
    let left = min(nanosecondsLeft, 1_000_000_000_000_000)
    return Deadline(instant: instant.advanced(by: .nanoseconds(-Int64(Double(left) * min(max(0, share), 1)))))
  }

  /// Remaining nanoseconds; 0 once the deadline has passed.
  package var nanosecondsLeft: Int64 {
    let left = ContinuousClock.now.duration(to: instant).components
    guard left.seconds >= 0, left.attoseconds >= 0 else { return 0 }
    let (whole, overflow) = left.seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, carried) = whole.addingReportingOverflow(left.attoseconds / 1_000_000_000)
    return overflow || carried ? .max : sum
  }

  /// Throws `timedOut` if the deadline has passed. Call it between the steps of a job.
  package func check() throws(MediaFailure) {
    if hasPassed { throw .timedOut() }
  }
}

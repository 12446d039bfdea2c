package import MediaModel

/// A moment on the monotonic clock after which work is given up.
package struct Deadline: Hashable, Sendable {
  /// The moment.
  package let instant: ContinuousClock.Instant

  /// A deadline so many seconds from now.
  package static func after(seconds: Double) -> Deadline {
    Deadline(instant: .now.advanced(by: .milliseconds(Int64((max(0, min(seconds, 1e9)) * 1_000).rounded(.up)))))
  }

  /// Whether the moment has passed.
  package var hasPassed: Bool { ContinuousClock.now >= instant }

  /// An earlier deadline that leaves such a share of what is left, 0…1, to what comes after it.
  package func leaving(_ share: Double) -> Deadline {
    let left = min(nanosecondsLeft, 1_000_000_000_000_000)
    return Deadline(instant: instant.advanced(by: .nanoseconds(-Int64(Double(left) * min(max(0, share), 1)))))
  }

  /// Nanoseconds left; 0 once it has passed.
  package var nanosecondsLeft: Int64 {
    let left = ContinuousClock.now.duration(to: instant).components
    guard left.seconds >= 0, left.attoseconds >= 0 else { return 0 }
    let (whole, overflow) = left.seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, carried) = whole.addingReportingOverflow(left.attoseconds / 1_000_000_000)
    return overflow || carried ? .max : sum
  }

  /// Throws `timedOut` once the moment has passed. Called between the steps of a job.
  package func check() throws(MediaFailure) {
    if hasPassed { throw .timedOut() }
  }
}

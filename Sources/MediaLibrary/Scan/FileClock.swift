#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The clock of the file system's timestamps.
package enum FileClock {
  /// Waits until the clock is past a file's last change, at most a few milliseconds, so that a later write has a later time and the next scan
  /// finds it. Two writes within one tick of the kernel's clock have the same time.
  package static func wait(past changed: Int) {
    for _ in 0..<Self.maximum {
      var now = timespec()
      #if os(Linux)
      clock_gettime(CLOCK_REALTIME_COARSE, &now)
      #else
      clock_gettime(CLOCK_REALTIME, &now)
      #endif
      let time = now.tv_sec.multipliedReportingOverflow(by: 1_000_000_000).partialValue &+ now.tv_nsec
      // A change in the future has the clock of another machine; waiting would not help.
      guard changed >= time, changed &- time < 100_000_000 else { return }
      usleep(1_000)
    }
  }

  /// The kernel's slowest clock ticks a hundred times per second.
  private static let maximum = 20
}

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The clock that files are stamped with.
package enum FileClock {
  /// Waits until the clock has gone on past a file's last change, which takes a few milliseconds at most: what is written from now on then
  /// has a later time, and the next scan sees it. Two writes within one tick of the kernel's clock have the same time.
  package static func wait(past changed: Int) {
    for _ in 0..<Self.maximum {
      var now = timespec()
      #if os(Linux)
      clock_gettime(CLOCK_REALTIME_COARSE, &now)
      #else
      clock_gettime(CLOCK_REALTIME, &now)
      #endif
      let time = now.tv_sec.multipliedReportingOverflow(by: 1_000_000_000).partialValue &+ now.tv_nsec
      // A change in the future is another machine's clock; there is nothing to wait for.
      guard changed >= time, changed &- time < 100_000_000 else { return }
      usleep(1_000)
    }
  }

  /// The kernel's slowest clock ticks a hundred times a second.
  private static let maximum = 20
}

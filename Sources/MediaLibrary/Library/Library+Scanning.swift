internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Scans of this process that are running.
struct RunningScans {
  var count = 0
  /// When the first of them began, in nanoseconds since 1970.
  var since = 0
}

extension Library {
  /// Calls `body`, which scans into the library. Meanwhile ``verify(_:)`` does not take what the scan has stored and not yet recorded for orphans, and
  /// ``repair(_:)`` fails.
  package func whileScanning<Result>(_ body: () throws -> Result) rethrows -> Result {
    scans.withLock {
      if $0.count == 0 { $0.since = Self.fileTime() }
      $0.count += 1
    }
    defer { scans.withLock { $0.count -= 1 } }
    return try body()
  }

  /// Since when somebody may be writing: a scan of this process, or another process. In nanoseconds since 1970; nil if nobody is.
  func writesSince() -> Int? {
    guard access == .writing else { return WriterLock.since(in: location.data) }
    return scans.withLock { $0.count > 0 ? $0.since : nil }
  }

  /// The time that a file would get that is written now.
  private static func fileTime() -> Int {
    var now = timespec()
    #if os(Linux)
    clock_gettime(CLOCK_REALTIME_COARSE, &now)
    #else
    clock_gettime(CLOCK_REALTIME, &now)
    #endif
    return now.tv_sec.multipliedReportingOverflow(by: 1_000_000_000).partialValue &+ now.tv_nsec
  }
}

/// How far a scan is.
public struct ScanProgress: Sendable {
  /// What a scan is doing.
  public enum Phase: String, Sendable, CaseIterable {
    /// It walks once to find the newest files (``ScanOptions/newestFirst``).
    case ordering
    /// It looks into files.
    case scanning
    /// It looks again into what other versions of the decoders failed with.
    case retrying
    /// All was scanned; it waits for changes (``ScanOptions/watch``).
    case watching
  }

  /// What it is doing.
  public var phase: Phase
  /// What was counted so far.
  public var totals: ScanTotals
  /// Files that a walk ahead has counted so far; none without ``ScanOptions/countsAhead``.
  public var expected: ScanTotals.Count
  /// Whether that walk has come to its end.
  public var isCounted: Bool
  /// Seconds since the scan began.
  public var seconds: Double

  package init(
    phase: Phase, totals: ScanTotals, expected: ScanTotals.Count, isCounted: Bool, seconds: Double
  ) {
    (self.phase, self.totals, self.seconds) = (phase, totals, seconds)
    (self.expected, self.isCounted) = (expected, isCounted)
  }

  /// Files seen in a second, unchanged ones too.
  public var filesPerSecond: Double { seconds > 0 ? Double(totals.all.files) / seconds : 0 }

  /// Seconds until the end, at the pace so far; nil while that is not known. By files: a video takes hardly longer than a photo, however many bytes
  /// it has.
  public var secondsLeft: Double? {
    let seen = totals.all.files
    guard isCounted, seen > 0, expected.files > seen else { return nil }
    return seconds * Double(expected.files - seen) / Double(seen)
  }
}

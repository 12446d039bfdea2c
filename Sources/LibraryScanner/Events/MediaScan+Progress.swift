extension MediaScan {
  /// How far a scan is, for a progress display.
  public struct Progress: Sendable {
    /// The parts of a scan, in the order in which they run.
    public enum Phase: String, Sendable, CaseIterable {
      /// Walks once to find the newest files (``MediaScanner/Options/newestFirst``).
      case ordering
      /// Walks the folders, and examines files that are new or have changed.
      case scanning
      /// Scans files again that failed with other versions of the decoders.
      case retrying
      /// Everything was scanned; waits for changes (``MediaScanner/Options/watch``).
      case watching
    }

    /// What the scan is doing now.
    public var phase: Phase
    /// The totals so far.
    public var totals: Totals
    /// Files that the count ahead has found so far; zero without ``MediaScanner/Options/countsAhead``.
    public var expected: Totals.Count
    /// Whether the count ahead is complete.
    public var isCounted: Bool
    /// Seconds since the scan began.
    public var seconds: Double

    package init(
      phase: Phase, totals: Totals, expected: Totals.Count, isCounted: Bool, seconds: Double
    ) {
      (self.phase, self.totals, self.seconds) = (phase, totals, seconds)
      (self.expected, self.isCounted) = (expected, isCounted)
    }

    /// Files per second, including unchanged ones.
    public var filesPerSecond: Double { seconds > 0 ? Double(totals.all.files) / seconds : 0 }

    /// Estimated seconds to the end, from the number of files; nil until it is known. Sizes do not count, because a video takes hardly longer
    /// than a photo.
    public var secondsLeft: Double? {
      let seen = totals.all.files
      guard isCounted, seen > 0, expected.files > seen else { return nil }
      return seconds * Double(expected.files - seen) / Double(seen)
    }
  }
}

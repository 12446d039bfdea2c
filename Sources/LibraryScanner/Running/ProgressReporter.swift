internal import MediaEngine

/// Knows what a scan is doing, and tells its reader how far it is, now and then.
final class ProgressReporter: Sendable {
  private struct State {
    var phase = ScanProgress.Phase.scanning
    var expected = ScanTotals.Count()
    var isCounted = false
    var reported: ContinuousClock.Instant
  }

  private let began = ContinuousClock.now
  private let interval: Duration?
  private let buffer: EventBuffer
  private let state: Locked<State>

  /// - Parameter interval: How often it is told, at most; nil for never.
  init(interval: Duration?, buffer: EventBuffer) {
    (self.interval, self.buffer) = (interval, buffer)
    state = Locked(State(reported: began))
  }

  /// The scan does something else from now on.
  func enter(_ phase: ScanProgress.Phase) { state.withLock { $0.phase = phase } }

  /// The walk ahead has come so far.
  func counted(_ count: ScanTotals.Count, isAll: Bool) {
    state.withLock { ($0.expected, $0.isCounted) = (count, isAll) }
  }

  /// Tells the reader, if it is time to.
  func tick(_ totals: () -> ScanTotals) {
    guard let interval else { return }
    let now = ContinuousClock.now
    let due: State? = state.withLock { state in
      guard state.reported.duration(to: now) >= interval else { return nil }
      state.reported = now
      return state
    }
    guard let due else { return }
    buffer.update(
      ScanProgress(
        phase: due.phase, totals: totals(), expected: due.expected, isCounted: due.isCounted,
        seconds: began.duration(to: now) / .seconds(1)))
  }
}

internal import MediaEngine

/// Tracks the phase of a scan and reports its progress at intervals.
final class ProgressReporter: Sendable {
  private struct State {
    var phase = MediaScan.Progress.Phase.scanning
    var expected = MediaScan.Totals.Count()
    var isCounted = false
    var reported: ContinuousClock.Instant
  }

  private let began = ContinuousClock.now
  private let interval: Duration?
  private let buffer: EventBuffer
  private let state: Locked<State>

  /// - Parameter interval: Minimum time between two reports; nil for none.
  init(interval: Duration?, buffer: EventBuffer) {
    (self.interval, self.buffer) = (interval, buffer)
    state = Locked(State(reported: began))
  }

  /// Starts a phase.
  func enter(_ phase: MediaScan.Progress.Phase) { state.withLock { $0.phase = phase } }

  /// Sets the result of the count ahead so far.
  func counted(_ count: MediaScan.Totals.Count, isAll: Bool) {
    state.withLock { ($0.expected, $0.isCounted) = (count, isAll) }
  }

  /// Reports the progress if the interval has passed.
  func tick(_ totals: () -> MediaScan.Totals) {
    guard let interval else { return }
    let now = ContinuousClock.now
    let due: State? = state.withLock { state in
      guard state.reported.duration(to: now) >= interval else { return nil }
      state.reported = now
      return state
    }
    guard let due else { return }
    buffer.update(
      MediaScan.Progress(
        phase: due.phase, totals: totals(), expected: due.expected, isCounted: due.isCounted,
        seconds: began.duration(to: now) / .seconds(1)))
  }
}

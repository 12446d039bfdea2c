internal import MediaEngine
internal import MediaLibrary
internal import MediaModel

/// The terminal line that shows how far an erasure is.
final class ErasureLine: Sendable {
  private struct State {
    let began = ContinuousClock.now
    var lastShown: ContinuousClock.Instant?
  }

  private let isWanted: Bool
  private let state = Locked(State())

  /// - Parameter isWanted: Whether to show it; true only if standard error is a terminal.
  init(isWanted: Bool) { self.isWanted = isWanted && Diagnostics.level != .quiet }

  /// Shows progress at most ten times per second, and not in the first moments.
  func show(_ progress: ErasureRequest.Progress) {
    guard isWanted else { return }
    state.withLock { state in
      let now = ContinuousClock.now
      guard state.began.duration(to: now) > .milliseconds(500),
        state.lastShown.map({ $0.duration(to: now) >= .milliseconds(100) }) ?? true
      else { return }
      state.lastShown = now
      Diagnostics.replaceLine(with: Self.line(progress))
    }
  }

  /// Clears the line.
  func end() {
    state.withLock { state in
      if state.lastShown != nil { Diagnostics.replaceLine() }
      state.lastShown = nil
    }
  }

  /// The line: `erasing: 12,000 of 100,000 moments`.
  static func line(_ progress: ErasureRequest.Progress) -> String {
    let name =
      switch progress.step {
      case .snapshots: "snapshots"
      case .moments: "moments"
      case .files: "files"
      case .originals: "originals"
      case .renditions: "thumbnails"
      case .rewriting: "rewriting the catalogue"
      }
    if progress.step == .rewriting { return "erasing: \(name)" }
    let total = progress.total.map { " of \($0.grouped)" } ?? ""
    return "erasing: \(progress.done.grouped)\(total) \(name)"
  }
}

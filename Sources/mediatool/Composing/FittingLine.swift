internal import AttachmentPolicy
internal import MediaEngine
internal import MediaModel
internal import MessageFitting

/// The terminal line that shows the progress of fitting.
final class FittingLine: Sendable {
  private struct State {
    let began = ContinuousClock.now
    var lastShown: ContinuousClock.Instant?
    var isOver = false
  }

  private let isWanted: Bool
  private let names: [MediaAttachment.ID: String]
  private let state = Locked(State())

  /// - Parameters:
  ///   - isWanted: Whether to show it; true only if standard error is a terminal.
  ///   - names: The names of the files, safe to display.
  init(isWanted: Bool, names: [MediaAttachment.ID: String]) {
    self.isWanted = isWanted && Diagnostics.level != .quiet
    self.names = names
  }

  /// Shows progress at most ten times per second, and not in the first moments.
  func show(_ progress: MessageFitter.Progress) {
    guard isWanted else { return }
    state.withLock { state in
      let now = ContinuousClock.now
      guard !state.isOver, state.began.duration(to: now) > .milliseconds(500),
        state.lastShown.map({ $0.duration(to: now) >= .milliseconds(100) }) ?? true,
        // The caller watches a worker and must not block.
        Diagnostics.isReady
      else { return }
      state.lastShown = now
      Diagnostics.replaceLine(with: Self.line(progress, names: names, width: Terminal.width(2)))
    }
  }

  /// Clears the line for good.
  func end() {
    state.withLock { state in
      if state.lastShown != nil { Diagnostics.replaceLine() }
      state.isOver = true
    }
  }

  /// The line: `encoding 2, 43 %  beach.mov`, or `measured 3 of 12 images`.
  static func line(_ progress: MessageFitter.Progress, names: [MediaAttachment.ID: String], width: Int) -> String {
    switch progress {
    case .measuring(let done, let all): return "measured \(done) of \(all) images"
    case .transcoding(let id, let step):
      let far = step.share == nil ? HumanNumbers.duration(Double(step.step)) : "\(step.step) %"
      let text = "encoding \(step.encoding), \(far)"
      guard let name = names[id], !name.isEmpty else { return text }
      return text + "  " + DisplayWidth.fitted(name, to: max(8, width - text.count - 3), keepingEnd: true)
    }
  }
}

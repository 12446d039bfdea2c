internal import AttachmentPolicy
internal import MediaEngine
internal import MediaModel
internal import MessageFitting

/// The line that fitting shows on a terminal: what it works on, and how far that is.
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
  ///   - isWanted: Only where standard error is a terminal.
  ///   - names: The files, as they may be shown.
  init(isWanted: Bool, names: [MediaAttachment.ID: String]) {
    self.isWanted = isWanted
    self.names = names
  }

  /// Shows how far it has come: ten times a second at most, and not before somebody would ask.
  func show(_ progress: MessageFitter.Progress) {
    guard isWanted else { return }
    state.withLock { state in
      let now = ContinuousClock.now
      guard !state.isOver, state.began.duration(to: now) > .milliseconds(500),
        state.lastShown.map({ $0.duration(to: now) >= .milliseconds(100) }) ?? true,
        // Whoever calls watches a worker, and must not wait.
        Diagnostics.isReady
      else { return }
      state.lastShown = now
      Diagnostics.replaceLine(with: Self.line(progress, names: names, width: Terminal.width(2)))
    }
  }

  /// Takes the line away; none is shown any more.
  func end() {
    state.withLock { state in
      if state.lastShown != nil { Diagnostics.replaceLine() }
      state.isOver = true
    }
  }

  /// The line: `encoding 2, 43 %  beach.mov`, or `3 of 12 pictures tried`.
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

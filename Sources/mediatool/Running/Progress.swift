internal import FileSupport

/// A terminal line that counts files while results are written elsewhere.
///
/// It shows no percentage, because the number of inputs is not known: they are found while the first are processed.
struct Progress {
  private let isShown: Bool
  private var done = 0
  private var failed = 0
  private var lastShown: ContinuousClock.Instant?

  /// - Parameter isShown: Whether to show it: only if standard error is a terminal, and results are not printed there.
  init(isShown: Bool) { self.isShown = isShown && Diagnostics.level != .quiet }

  /// Counts one file.
  mutating func count(failed isFailure: Bool, path: PathBytes) {
    done += 1
    if isFailure { failed += 1 }
    // A few files finish before anybody looks, and ten updates per second are readable.
    guard isShown, done >= Self.many, lastShown.map({ $0.duration(to: .now) >= .milliseconds(100) }) ?? true else {
      return
    }
    lastShown = .now
    let counts = failed > 0 ? "\(done) done, \(failed) failed" : "\(done) done"
    let width = max(8, Terminal.width(2) - counts.count - 3)
    let name = DisplayWidth.fitted(DisplayText.visible(path), to: width, keepingEnd: true)
    Diagnostics.replaceLine(with: "\(counts)  \(name)")
  }

  /// Clears the line.
  mutating func end() {
    guard lastShown != nil else { return }
    lastShown = nil
    Diagnostics.replaceLine()
  }

  private static let many = 20
}

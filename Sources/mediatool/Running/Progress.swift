internal import FileSupport

/// A line on the terminal that counts along while results go elsewhere.
///
/// How many inputs there will be is not known, for they are looked for while the first are worked on: it counts, and shows no share.
struct Progress {
  private let isShown: Bool
  private var done = 0
  private var failed = 0
  private var lastShown: ContinuousClock.Instant?

  /// - Parameter isShown: Only where standard error is a terminal, and the results do not go by on it.
  init(isShown: Bool) { self.isShown = isShown }

  /// One more file is done.
  mutating func count(failed isFailure: Bool, path: PathBytes) {
    done += 1
    if isFailure { failed += 1 }
    // A few files are done before anybody looks; a line ten times a second is all one can read.
    guard isShown, done >= Self.many, lastShown.map({ $0.duration(to: .now) >= .milliseconds(100) }) ?? true else {
      return
    }
    lastShown = .now
    let counts = failed > 0 ? "\(done) done, \(failed) failed" : "\(done) done"
    let width = max(8, Terminal.width(2) - counts.count - 3)
    let name = DisplayWidth.fitted(DisplayText.visible(path), to: width, keepingEnd: true)
    Diagnostics.replaceLine(with: "\(counts)  \(name)")
  }

  /// Takes the line away.
  mutating func end() {
    guard lastShown != nil else { return }
    lastShown = nil
    Diagnostics.replaceLine()
  }

  private static let many = 20
}

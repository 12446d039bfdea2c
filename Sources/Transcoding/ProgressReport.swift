internal import MediaModel

/// Tells how far the encodings of one file have come, as often as somebody who looks on can see.
final class ProgressReport {
  private let tell: (TranscodeProgress) -> Void
  /// Those that were begun; one that is given up at once, because its sound cannot be copied, counts too.
  private var encodings = 0

  /// Steps that an encoding is told in, where its length is known; elsewhere a step is a second.
  private static let steps = 100.0

  init(tell: @escaping (TranscodeProgress) -> Void) { self.tell = tell }

  /// Begins another encoding: takes the seconds that it has come to, as often as they come.
  func teller(duration: Double?) -> (Double) -> Void {
    encodings += 1
    let duration = duration.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
    var next = 0
    return { [tell, encodings] seconds in
      let step = duration.map { min(Self.steps, seconds / $0 * Self.steps) } ?? seconds
      // A hair more, for a hundredth is no number of the machine's.
      guard seconds.isFinite, let reached = Int(exactly: (step + 1e-9).rounded(.down)), reached >= next else { return }
      next = reached + 1
      let shown = duration.map { min($0, seconds) } ?? seconds
      tell(TranscodeProgress(encoding: encodings, seconds: shown, duration: duration))
    }
  }
}

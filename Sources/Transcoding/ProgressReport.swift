internal import MediaModel

/// Tells how far the encodings of one file have come, as often as somebody who looks on can see.
final class ProgressReport {
  private let tell: (TranscodeProgress) -> Void
  /// Those of which something was told.
  private var encodings = 0

  init(tell: @escaping (TranscodeProgress) -> Void) { self.tell = tell }

  /// Begins another encoding: takes the seconds that it has come to, as often as they come, and tells each step of `TranscodeProgress` once.
  func teller(duration: Double?) -> (Double) -> Void {
    var last: TranscodeProgress?
    let duration = duration.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
    return { [self] seconds in
      guard seconds.isFinite, seconds >= 0 else { return }
      // Nothing comes after the end, however long it turns out to be.
      var progress = TranscodeProgress(
        encoding: encodings, seconds: min(seconds, duration ?? seconds), duration: duration)
      guard last.map({ $0.step < progress.step }) ?? true else { return }
      // One that is given up at once, because its audio cannot be copied, is none.
      if last == nil { encodings += 1 }
      progress.encoding = encodings
      last = progress
      tell(progress)
    }
  }
}

internal import MediaModel

/// Throttles the progress of the encoding passes of one file to steps that a user can notice.
final class ProgressReport {
  private let send: (TranscodeProgress) -> Void
  /// Number of passes that have reported progress.
  private var encodings = 0

  init(send: @escaping (TranscodeProgress) -> Void) { self.send = send }

  /// Starts another pass. The returned closure takes the encoded seconds at any rate, and reports each step of
  /// `TranscodeProgress` once.
  func pass(duration: Double?) -> (Double) -> Void {
    var last: TranscodeProgress?
    let duration = duration.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
    return { [self] seconds in
      guard seconds.isFinite, seconds >= 0 else { return }
      // Progress never exceeds the end, even if the duration was understated.
      var progress = TranscodeProgress(
        encoding: encodings, seconds: min(seconds, duration ?? seconds), duration: duration)
      guard last.map({ $0.step < progress.step }) ?? true else { return }
      // A pass that is abandoned at once, because its audio cannot be copied, does not count.
      if last == nil { encodings += 1 }
      progress.encoding = encodings
      last = progress
      send(progress)
    }
  }
}

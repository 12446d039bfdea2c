package import MediaModel

/// The failures of an engine, with their messages.
extension MediaFailure {
  /// The images of a result are too large for one message.
  package static let imagesTooLarge = MediaFailure(
    .tooLarge,
    "The images are larger than the limit of \(HumanNumbers.limit(256 << 20)) in total; request fewer or smaller ones.")

  /// The worker process died because of the file.
  package static func decoderCrashed(detail: String) -> MediaFailure {
    MediaFailure(.decoderCrashed, "The decoder crashed.", detail: detail)
  }

  /// The caller has cancelled.
  package static let cancelled = MediaFailure(.cancelled, "The request was cancelled.")

  /// The queue of the engine is full.
  package static let busy = MediaFailure(.busy, "The queue is full; try again later.")

  /// The engine has no worker, and cannot start one.
  package static func unavailable(detail: String) -> MediaFailure {
    MediaFailure(.unavailable, "No worker process can be started; `mediatool doctor` shows the reason.", detail: detail)
  }
}

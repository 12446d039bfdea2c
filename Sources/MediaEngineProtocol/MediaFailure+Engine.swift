package import MediaModel

/// What only an engine says, each sentence in one place.
extension MediaFailure {
  /// All images of a result together are more than one message holds.
  package static let imagesTooLarge = MediaFailure(
    .tooLarge, "The images are together larger than the limit of 256 MiB.")

  /// The process that decoded it died of it.
  package static func decoderCrashed(detail: String) -> MediaFailure {
    MediaFailure(.decoderCrashed, "The decoder crashed.", detail: detail)
  }

  /// The caller has given up.
  package static let cancelled = MediaFailure(.cancelled, "The request was cancelled.")

  /// There are as many jobs as the engine takes.
  package static let busy = MediaFailure(.busy, "The queue is full. Try again later.")

  /// The engine has no worker, and gets none.
  package static func unavailable(detail: String) -> MediaFailure {
    MediaFailure(.unavailable, "No worker process can be started.", detail: detail)
  }
}

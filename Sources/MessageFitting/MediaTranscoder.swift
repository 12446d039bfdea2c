package import MediaEngine
package import MediaModel
package import Messaging

/// Transcodes videos and audio files for ``MessageFitter``. ``EngineTranscoder`` is the standard implementation.
package protocol MediaTranscoder: Sendable {
  /// Transcodes a video or an audio file to a size limit, for every receiver of a content class.
  ///
  /// If it throws, the file is sent unchanged, provided that it fits.
  ///
  /// - Parameters:
  ///   - source: The file.
  ///   - info: Its facts.
  ///   - maxBytes: Maximum size of the result; a larger one is discarded.
  ///   - contentClass: Determines the codecs and sizes that receivers support.
  ///   - domain: Whose the file is; nil if that is not stated.
  ///   - progress: Receives progress, on any thread.
  func transcode(
    _ source: MediaSource, info: MediaInfo, maxBytes: Int, contentClass: CarrierProfile.ContentClass,
    domain: MediaEngine.TrustDomain?, progress: @escaping @Sendable (TranscodeProgress) -> Void
  ) async throws(MediaFailure) -> TranscodedMedia
}

/// A transcoded video or audio file.
package struct TranscodedMedia: Hashable, Sendable {
  /// The facts of the new file.
  package var info: MediaInfo
  /// The bytes of the new file.
  package var data: [UInt8]

  /// Creates a transcoded file.
  package init(info: MediaInfo, data: [UInt8]) {
    self.info = info
    self.data = data
  }
}

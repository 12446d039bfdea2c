public import MediaEngine
public import MediaModel
public import Messaging

/// Encodes videos and audio files anew: the one thing that fitting asks of whoever can. ``EngineTranscoder`` does it.
public protocol MediaTranscoder: Sendable {
  /// The video or audio in at most so many bytes, as every receiver of the class can play it.
  ///
  /// What it throws costs the file nothing: it goes as it is, if it fits.
  /// - Parameters:
  ///   - source: The file.
  ///   - info: Its facts.
  ///   - maxBytes: Bytes that the result may have; one with more is not taken.
  ///   - contentClass: Which codecs and sizes the receivers know.
  ///   - progress: To be told how far it has come, from any thread.
  func transcode(
    _ source: MediaSource, info: MediaInfo, maxBytes: Int, contentClass: CarrierProfile.ContentClass,
    progress: @escaping @Sendable (TranscodeProgress) -> Void
  ) async throws(MediaFailure) -> TranscodedMedia
}

/// A video or an audio file that was encoded anew.
public struct TranscodedMedia: Hashable, Sendable {
  /// Its facts.
  public var info: MediaInfo
  /// The file.
  public var data: [UInt8]

  /// A file of those parts.
  public init(info: MediaInfo, data: [UInt8]) {
    self.info = info
    self.data = data
  }
}

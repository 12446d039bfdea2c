public import MediaEngine
public import MediaModel
public import Messaging

/// Makes videos smaller: the one thing that fitting asks of whoever can encode them.
public protocol VideoTranscoder: Sendable {
  /// The video in at most so many bytes, as every receiver of the class can show it.
  ///
  /// What it throws costs the video nothing: it goes as it is, if it fits.
  /// - Parameters:
  ///   - source: The file.
  ///   - info: Its facts.
  ///   - maxBytes: Bytes that the result may have; one with more is not taken.
  ///   - contentClass: Which codecs and sizes the receivers know.
  func transcode(
    _ source: MediaSource, info: MediaInfo, maxBytes: Int, contentClass: CarrierProfile.ContentClass
  ) async throws(MediaFailure) -> TranscodedVideo
}

/// A video that was made smaller.
public struct TranscodedVideo: Hashable, Sendable {
  /// Its facts.
  public var info: MediaInfo
  /// The file.
  public var data: [UInt8]

  /// A video of those parts.
  public init(info: MediaInfo, data: [UInt8]) {
    self.info = info
    self.data = data
  }
}

/// A request to transcode a video or an audio file so that it fits into a message.
public struct TranscodeRequest: Hashable, Codable, Sendable {
  /// The output format.
  public var format: Format
  /// Maximum size of the output in bytes, 1…``maxBytesLimit``. The output never exceeds it.
  public var maxBytes: Int
  /// The maximum frame size in pixels, in either orientation: 640 × 480 also allows 480 × 640.
  ///
  /// Nil, the default, allows what the format allows. A video is never enlarged. H.263 has three sizes, of which the largest inside the
  /// box is used; a box smaller than 128 × 96 is `invalidRequest` then.
  public var box: PixelSize?
  /// Maximum frames per second. 30 by default. Frames of a faster video are dropped; the others keep their timestamps.
  public var maxFrameRate = 30.0
  /// Maximum duration in seconds. Nil, the default, allows as much as fits.
  public var maxDuration: Double?
  /// Whether to cut the end of a file that is too long to fit.
  ///
  /// False by default: the request fails, and the result states how much would fit.
  public var mayCut = false
  /// Whether a video keeps its audio. True by default.
  public var keepsAudio = true
  /// Deadline and size limits. Defaults to `MediaLimits()`.
  public var limits = MediaLimits()

  /// The upper bound for ``maxBytes``: 32 MiB, because a worker holds the whole output in memory.
  public static let maxBytesLimit = 33_554_432

  /// Creates a request for a format and a maximum size in bytes.
  public init(format: Format, maxBytes: Int) {
    self.format = format
    self.maxBytes = maxBytes
  }
}

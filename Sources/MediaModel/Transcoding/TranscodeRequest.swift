/// How a video or an audio file is written anew so that it fits.
public struct TranscodeRequest: Hashable, Codable, Sendable {
  /// What it becomes.
  public var format: TranscodeFormat
  /// The most bytes that the file may have, 1…``maxBytesLimit``. What comes out never has more.
  public var maxBytes: Int
  /// The box that images fit in, whichever way they stand: 640 × 480 also allows 480 × 640. Default nil: as large as the format allows. Never
  /// larger than the source.
  public var box: PixelSize?
  /// The most frames a second. Default 30. Of a faster video frames are left out; those that stay keep their times.
  public var maxFrameRate = 30.0
  /// The longest that it may be, in seconds. Default nil: as long as fits.
  public var maxDuration: Double?
  /// Whether the end may be left out of what is too long to fit. Default false: it is refused with how much of it would fit.
  public var mayCut = false
  /// Whether a video keeps its audio. Default true.
  public var keepsAudio = true
  /// Deadline and sizes. Default: `MediaLimits`'s own.
  public var limits = MediaLimits()

  /// The most bytes that can be asked for: 32 MiB, for the whole file lies in the memory of a worker.
  public static let maxBytesLimit = 33_554_432

  /// A file of that format in at most so many bytes.
  public init(format: TranscodeFormat, maxBytes: Int) {
    self.format = format
    self.maxBytes = maxBytes
  }
}

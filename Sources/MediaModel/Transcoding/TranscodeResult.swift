/// What came of writing a video or an audio file anew.
public struct TranscodeResult: Hashable, Sendable {
  /// The new file; nil when there is none.
  public var file: TranscodedFile?
  /// With `wouldNotFit`: how many seconds of it would fit, were it cut there; 0 when none would.
  public var fittingDuration: Double?
  /// How often it was encoded to find the quality that fits; 0 for a file that only moved into another container.
  public var encodings: Int
  /// Bytes read of the file.
  public var bytesRead: Int
  /// Why there is no new file.
  public var error: MediaFailure?

  /// A result of those parts.
  public init(
    file: TranscodedFile? = nil, fittingDuration: Double? = nil, encodings: Int = 0, bytesRead: Int = 0,
    error: MediaFailure? = nil
  ) {
    self.file = file
    self.fittingDuration = fittingDuration
    self.encodings = encodings
    self.bytesRead = bytesRead
    self.error = error
  }
}

/// A video or an audio file that was written anew: upright, without metadata, its index before its content.
public struct TranscodedFile: Hashable, Sendable {
  /// The media type of ``data``.
  public var type: MediaType
  /// Columns; nil for an audio file.
  public var width: Int?
  /// Rows; nil for an audio file.
  public var height: Int?
  /// Seconds.
  public var duration: Double
  /// Images; nil for an audio file.
  public var frames: Int?
  /// FFmpeg's name of the codec of the images; nil for an audio file.
  public var videoCodec: String?
  /// FFmpeg's name of the codec of the audio; nil for a silent video.
  public var audioCodec: String?
  /// Whether the images, or of an audio file the samples, are the source's own and were not encoded again.
  public var isCopy: Bool
  /// Whether its end was left out.
  public var isCut: Bool
  /// The file.
  public var data: [UInt8]

  /// A file of those facts.
  public init(
    type: MediaType, width: Int? = nil, height: Int? = nil, duration: Double, frames: Int? = nil,
    videoCodec: String? = nil, audioCodec: String? = nil, isCopy: Bool = false, isCut: Bool = false, data: [UInt8]
  ) {
    self.type = type
    self.width = width
    self.height = height
    self.duration = duration
    self.frames = frames
    self.videoCodec = videoCodec
    self.audioCodec = audioCodec
    self.isCopy = isCopy
    self.isCut = isCut
    self.data = data
  }
}

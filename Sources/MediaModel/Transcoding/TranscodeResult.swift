/// The result of transcoding a video or an audio file.
public struct TranscodeResult: Hashable, Sendable {
  /// The transcoded file; nil on failure.
  public var file: File?
  /// With `wouldNotFit`: how many seconds from the start would fit; 0 when none would.
  public var fittingDuration: Double?
  /// The number of encoding passes; 0 for a file that was only remuxed.
  public var encodings: Int
  /// The number of bytes read from the source.
  public var bytesRead: Int
  /// The reason why there is no file.
  public var error: MediaFailure?

  /// By default, nothing was encoded, and nothing has failed.
  public init(
    file: File? = nil, fittingDuration: Double? = nil, encodings: Int = 0, bytesRead: Int = 0,
    error: MediaFailure? = nil
  ) {
    self.file = file
    self.fittingDuration = fittingDuration
    self.encodings = encodings
    self.bytesRead = bytesRead
    self.error = error
  }
}

extension TranscodeResult {
  /// A transcoded video or audio file: upright, without metadata, its index before its content.
  public struct File: Hashable, Sendable {
    /// The media type of ``data``.
    public var type: MediaType
    /// Width in pixels; nil for an audio file.
    public var width: Int?
    /// Height in pixels; nil for an audio file.
    public var height: Int?
    /// Duration in seconds.
    public var duration: Double
    /// Number of video frames; nil for an audio file.
    public var frames: Int?
    /// FFmpeg's name of the video codec; nil for an audio file.
    public var videoCodec: String?
    /// FFmpeg's name of the audio codec; nil for a video without audio.
    public var audioCodec: String?
    /// Whether the video stream, or the audio of an audio file, was copied without encoding.
    public var isCopy: Bool
    /// Whether the end was cut.
    public var isCut: Bool
    /// The content of the file.
    public var data: [UInt8]

    /// Creates a description of a transcoded file.
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
}

/// What a file is: every fact that its content states. An absent fact is nil and has no key in JSON.
///
/// The property names are the JSON keys of `mediatool probe` (docs/design.md §3).
public struct MediaInfo: Hashable, Codable, Sendable {
  /// The family of the content.
  public var kind: MediaKind
  /// The type of the content.
  public var type: MediaType
  /// The usual file name extension of ``type``, without a dot.
  public var `extension`: String?
  /// Size of the file in bytes.
  public var bytes: Int

  /// Columns as displayed: after orientation, rotation and pixel aspect.
  public var width: Int?
  /// Rows as displayed: after orientation, rotation and pixel aspect.
  public var height: Int?
  /// How the stored image has to be turned, only when the file says so.
  public var orientation: Orientation?
  /// Degrees clockwise that a player turns a video: 90, 180 or 270.
  public var rotation: Int?
  /// Images in a format that can hold several.
  public var frames: Int?
  /// Whether there is more than one frame.
  public var animated: Bool?
  /// Whether pixels can be transparent.
  public var alpha: Bool?
  /// Pages of a document or of a TIFF.
  public var pages: Int?

  /// Length in seconds of a video, an audio file or one pass of an animation.
  public var duration: Double?
  /// Frames a second of a video.
  public var frameRate: Double?
  /// Bits a second of the whole file.
  public var bitRate: Int?
  /// FFmpeg's name of the video codec; `unknown` for a stream that names none.
  public var videoCodec: String?
  /// FFmpeg's name of the audio codec; `unknown` for a stream that names none.
  public var audioCodec: String?
  /// Channels of the audio.
  public var channels: Int?
  /// Samples a second of the audio.
  public var sampleRate: Int?

  /// High dynamic range, and by which means.
  public var hdr: HDR?
  /// The primaries of a signal of high dynamic range; nil beside any other, and where the file names none of these.
  public var colorPrimaries: ColorPrimaries?
  /// The description in the embedded ICC profile, such as `Display P3`.
  public var colorProfile: String?

  /// When it was taken.
  public var takenAt: CaptureTime?
  /// Where ``takenAt`` stands in the file.
  public var takenAtSource: TimeSource?
  /// Degrees north of the equator.
  public var latitude: Double?
  /// Degrees east of Greenwich.
  public var longitude: Double?
  /// Metres above sea level.
  public var altitude: Double?
  /// Maker of the camera.
  public var make: String?
  /// Model of the camera.
  public var model: String?
  /// Title of the work.
  public var title: String?
  /// Performer or author.
  public var artist: String?
  /// Album of an audio file.
  public var album: String?

  /// The thumbnail that the file carries of itself.
  public var embeddedThumbnail: EmbeddedThumbnail?
  /// True when an audio file carries an image, or a container nothing else.
  public var coverArt: Bool?
  /// True for a still with a video inside.
  public var motionPhoto: Bool?
  /// How name and content disagree.
  public var mismatch: Mismatch?
  /// SHA-256 of the file in lower-case hexadecimal, when asked for.
  public var sha256: String?
  /// What went wrong; whatever facts were found stand beside it.
  public var error: MediaFailure?

  /// Facts of a file of `bytes` bytes whose content is of `type`.
  public init(type: MediaType, bytes: Int) {
    self.type = type
    self.kind = type.kind
    self.extension = type.preferredExtension
    self.bytes = bytes
  }

  /// ``width`` and ``height`` together.
  public var displaySize: PixelSize? {
    guard let width, let height else { return nil }
    return PixelSize(width: width, height: height)
  }

  /// By which means an image or a video has a high dynamic range.
  public enum HDR: String, Codable, Sendable {
    /// SMPTE ST 2084 transfer.
    case pq
    /// ARIB STD-B67 transfer.
    case hlg
    /// A standard image with a gain map beside it (ISO 21496-1, Ultra HDR, Apple).
    case gainmap
  }

  /// The red, green and blue that a signal is made of, by FFmpeg's names of ITU-T H.273's code points.
  public enum ColorPrimaries: String, Codable, Sendable {
    /// Those of sRGB.
    case bt709
    /// Those of ultra high definition television.
    case bt2020
    /// Display P3.
    case p3 = "smpte432"
  }

  /// Where a capture time was found. An open set.
  public struct TimeSource: RawRepresentable, Hashable, Codable, Sendable {
    /// The name in JSON.
    public let rawValue: String
    /// A source of that name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// EXIF DateTimeOriginal, else DateTimeDigitized.
    public static let exif = TimeSource(rawValue: "exif")
    /// An XMP packet.
    public static let xmp = TimeSource(rawValue: "xmp")
    /// Apple's `com.apple.quicktime.creationdate` or the movie header of MP4, MOV and 3GP.
    public static let quicktime = TimeSource(rawValue: "quicktime")
    /// A tag of another container: Matroska, ASF, FLV, RIFF, ID3.
    public static let container = TimeSource(rawValue: "container")
  }
}

/// The facts that a file's content states. A fact that the file does not state is nil and has no key in JSON.
///
/// The property names are the JSON keys of `mediatool probe` (docs/design.md §3).
public struct MediaInfo: Hashable, Codable, Sendable {
  /// The kind of media, derived from ``type``.
  public var kind: MediaKind
  /// The media type, determined from the content.
  public var type: MediaType
  /// The usual file name extension of ``type``, without a dot.
  public var `extension`: String?
  /// Size of the file in bytes.
  public var bytes: Int

  /// Width in pixels as displayed: after orientation, rotation and pixel aspect ratio.
  public var width: Int?
  /// Height in pixels as displayed: after orientation, rotation and pixel aspect ratio.
  public var height: Int?
  /// The rotation and mirroring that the stored image needs; nil when the file does not state it.
  public var orientation: Orientation?
  /// Clockwise rotation in degrees that a player applies to a video: 90, 180 or 270.
  public var rotation: Int?
  /// Number of frames, for formats that can hold several.
  public var frames: Int?
  /// Whether there is more than one frame.
  public var animated: Bool?
  /// Whether the image has an alpha channel.
  public var alpha: Bool?
  /// Number of pages of a document or a TIFF, or of images of a HEIF collection.
  public var pages: Int?
  /// Number of tracks or images of which a viewer shows one, and not every viewer the same; nil for one.
  ///
  /// These are the video tracks of a container, the image and the sequence of a HEIF or AVIF file that differ, a PNG's
  /// default image that is not part of its animation, and the images of an icon.
  public var tracks: Int?

  /// Duration in seconds of a video, an audio file or one pass of an animation.
  public var duration: Double?
  /// Frames per second of a video.
  public var frameRate: Double?
  /// Bits per second of the whole file.
  public var bitRate: Int?
  /// FFmpeg's name of the video codec; `unknown` for a stream that names none.
  public var videoCodec: String?
  /// FFmpeg's name of the audio codec; `unknown` for a stream that names none.
  public var audioCodec: String?
  /// Number of audio channels.
  public var channels: Int?
  /// Audio sample rate in Hz.
  public var sampleRate: Int?

  /// The HDR method; nil for standard dynamic range.
  public var hdr: HDR?
  /// The color primaries of an HDR signal. Nil for standard dynamic range, and for primaries other than these.
  public var colorPrimaries: ColorPrimaries?
  /// The description in the embedded ICC profile, such as `Display P3`.
  public var colorProfile: String?

  /// The time at which the image or video was taken.
  public var takenAt: CaptureTime?
  /// The metadata field that ``takenAt`` was read from.
  public var takenAtSource: TimeSource?
  /// Latitude in degrees; north is positive.
  public var latitude: Double?
  /// Longitude in degrees; east is positive.
  public var longitude: Double?
  /// Altitude in metres above sea level.
  public var altitude: Double?
  /// Camera maker, as Exif (`Make`) or the container states it.
  public var make: String?
  /// Camera model, as Exif (`Model`) or the container states it.
  public var model: String?
  /// Title of the work.
  public var title: String?
  /// Performer or author.
  public var artist: String?
  /// Album title of an audio file.
  public var album: String?

  /// The thumbnail that is embedded in the file.
  public var embeddedThumbnail: EmbeddedThumbnail?
  /// True when an audio file carries a cover image, or when a container holds nothing else.
  public var coverArt: Bool?
  /// True for a still image with an embedded video.
  public var motionPhoto: Bool?
  /// How the file name or the declared type disagrees with the content.
  public var mismatch: Mismatch?
  /// SHA-256 of the file in lower-case hexadecimal, when requested.
  public var sha256: String?
  /// The reason why facts are missing. The facts that were found are present as well.
  public var error: MediaFailure?

  /// Creates the facts of a file of `bytes` bytes whose content has the given type.
  public init(type: MediaType, bytes: Int) {
    self.type = type
    self.kind = type.kind
    self.extension = type.preferredExtension
    self.bytes = bytes
  }

  /// ``width`` and ``height`` as one value; nil when either is unknown.
  public var displaySize: PixelSize? {
    guard let width, let height else { return nil }
    return PixelSize(width: width, height: height)
  }

  /// The method by which an image or a video encodes high dynamic range.
  public enum HDR: String, Codable, Sendable {
    /// Perceptual quantizer: the SMPTE ST 2084 transfer function.
    case pq
    /// Hybrid log-gamma: the ARIB STD-B67 transfer function.
    case hlg
    /// A standard dynamic range image with a gain map (ISO 21496-1, Ultra HDR, Apple).
    case gainmap
  }

  /// Color primaries, by FFmpeg's names for the code points of ITU-T H.273.
  public enum ColorPrimaries: String, Codable, Sendable {
    /// BT.709, the primaries of sRGB.
    case bt709
    /// BT.2020, for ultra high definition television.
    case bt2020
    /// Display P3.
    case p3 = "smpte432"
  }

  /// The metadata that a capture time was read from. The set is open.
  public struct TimeSource: RawRepresentable, Hashable, Codable, Sendable {
    /// The name in JSON.
    public let rawValue: String
    /// Creates the source with that name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// EXIF DateTimeOriginal, or DateTimeDigitized if it is absent.
    public static let exif = TimeSource(rawValue: "exif")
    /// An XMP packet.
    public static let xmp = TimeSource(rawValue: "xmp")
    /// Apple's `com.apple.quicktime.creationdate`, or the movie header of MP4, MOV and 3GP.
    public static let quicktime = TimeSource(rawValue: "quicktime")
    /// A tag of another container: Matroska, ASF, FLV, RIFF or ID3.
    public static let container = TimeSource(rawValue: "container")
  }
}

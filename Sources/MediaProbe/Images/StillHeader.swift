internal import MediaModel

/// What the header of an image says, before it is turned into ``MediaInfo``. Every format's reader fills one of these.
struct StillHeader {
  /// Stored size, before any orientation.
  var size: PixelSize?
  /// The size as displayed, where the container itself says how and EXIF's orientation turns nothing (HEIF: `clap`, `irot`).
  var displaySize: PixelSize?
  /// Orientation of the codestream itself (JPEG XL), which its decoder applies; it wins over EXIF.
  var containerOrientation: Orientation?
  var frames: Int?
  /// Whether there is more than one frame, where the header says so without their number.
  var animated: Bool?
  var pages: Int?
  var alpha: Bool?
  /// Seconds of one pass of an animation.
  var duration: Double?
  var hdr: MediaInfo.HDR?
  /// Of a signal of high dynamic range.
  var primaries: MediaInfo.ColorPrimaries?
  var motionPhoto = false
  var exif: EXIFBlock?
  var xmp: XMPPacket?
  /// An ICC profile.
  var icc: ByteReader?
  var embeddedThumbnail: EmbeddedThumbnail?
  /// Title and author in the format's own words (PNG's text chunks).
  var title: String?
  var artist: String?
  /// Truncation or contradiction that the structure itself shows.
  var failure: MediaFailure?
}

extension MediaFailure {
  /// The file ends before its content does.
  static let truncatedImage = MediaFailure(.truncated, "The image is cut off.")

  /// The content contradicts its own format.
  static func corruptImage(_ detail: String) -> MediaFailure {
    MediaFailure(.corrupt, "The image is damaged.", detail: detail)
  }
}

internal import MediaModel

/// The content of an image header, before it is converted to ``MediaInfo``. Each format has a reader that fills it.
struct StillHeader {
  /// The stored size, before any orientation.
  var size: PixelSize?
  /// The displayed size, if the container defines it and EXIF's orientation is ignored (HEIF: `clap`, `irot`).
  var displaySize: PixelSize?
  /// The orientation in the codestream (JPEG XL), which its decoder applies. It takes precedence over EXIF.
  var containerOrientation: MediaInfo.Orientation?
  var frames: Int?
  /// Whether there is more than one frame, if the header states that without a number.
  var animated: Bool?
  var pages: Int?
  /// Number of images of which a viewer shows one; nil for one.
  var tracks: Int?
  /// Which of the images, pages and frames represents the file.
  var shown = ShownImage()
  var alpha: Bool?
  /// Duration in seconds of one pass of an animation.
  var duration: Double?
  var hdr: MediaInfo.HDR?
  /// The primaries of an HDR signal.
  var primaries: MediaInfo.ColorPrimaries?
  var motionPhoto = false
  var exif: EXIFBlock?
  var xmp: XMPPacket?
  /// An ICC profile.
  var icc: ByteReader?
  var embeddedThumbnail: MediaInfo.EmbeddedThumbnail?
  /// Title and author from the format's own fields (PNG's text chunks).
  var title: String?
  var artist: String?
  /// Truncation or corruption that the structure shows.
  var failure: MediaFailure?
}

extension MediaFailure {
  /// The file ends before its content does.
  static let truncatedImage = MediaFailure(.truncated, "The image is truncated.")

  /// The content violates its own format.
  static func corruptImage(_ detail: String) -> MediaFailure {
    MediaFailure(.corrupt, "The image is damaged.", detail: detail)
  }
}

internal import MediaModel

/// What the header of a picture says, before it is turned into ``MediaInfo``. Every format's reader fills one of these.
struct StillHeader {
  /// Stored size, before any orientation.
  var size: PixelSize?
  /// Orientation of the container itself (HEIF `irot`/`imir`, JPEG XL); it wins over EXIF.
  var containerOrientation: Orientation?
  var frames: Int?
  var pages: Int?
  var alpha: Bool?
  /// Seconds of one pass of an animation.
  var duration: Double?
  var hdr: MediaInfo.HDR?
  var motionPhoto = false
  /// A raw TIFF structure (beginning with `II` or `MM`) with EXIF, and where it begins in the file if it stands there in one piece.
  var exif: (bytes: [UInt8], offset: Int?)?
  /// An XMP packet.
  var xmp: [UInt8]?
  /// An ICC profile, whole or at least its first 64 KiB.
  var icc: [UInt8]?
  var embeddedThumbnail: EmbeddedThumbnail?
  /// Truncation or contradiction that the structure itself shows.
  var failure: MediaFailure?
}

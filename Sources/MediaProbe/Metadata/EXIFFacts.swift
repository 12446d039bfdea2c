internal import MediaModel

/// The facts that EXIF states about an image (CIPA DC-008-2023). Missing and malformed ones are nil.
struct EXIFFacts {
  var orientation: MediaInfo.Orientation?
  var takenAt: MediaInfo.CaptureTime?
  var position: GeoPosition?
  var altitude: Double?
  var make: String?
  var model: String?
  /// XPTitle, which Windows lets users edit.
  var title: String?
  /// Defined as "the title of the image" in DC-008, but used as a caption by most programs.
  var imageDescription: String?
  var artist: String?
  /// The pixel size that the camera recorded (PixelXDimension, PixelYDimension).
  var pixelSize: PixelSize?
  var thumbnail: MediaInfo.EmbeddedThumbnail?

  init?(_ block: EXIFBlock) {
    guard let structure = TIFFStructure(block.reader),
      let main = structure.directory(at: structure.firstDirectory)
    else { return nil }
    orientation = main.integer(0x0112).flatMap(MediaInfo.Orientation.init(rawValue:))
    make = main.text(0x010F)
    model = main.text(0x0110)
    title = main.bytes(0x9C9B, limit: 8_192).flatMap { MetadataText.cleanUTF16($0.bytes, bigEndian: false) }
    imageDescription = main.text(0x010E)
    artist = main.text(0x013B)
    if artist == nil {
      artist = main.bytes(0x9C9D, limit: 8_192).flatMap { MetadataText.cleanUTF16($0.bytes, bigEndian: false) }
    }

    let exif = main.directory(0x8769) ?? Self.directory(of: block.exif)
    takenAt = Self.captureTime(exif) ?? Self.captureTime(main)
    if let width = exif?.integer(0xA002), let height = exif?.integer(0xA003), width > 0, height > 0 {
      pixelSize = PixelSize(width: width, height: height)
    }
    if let gps = main.directory(0x8825) ?? Self.directory(of: block.gps) {
      position = GeoPosition(exif: gps)
      altitude = GeoPosition.altitude(exif: gps)
    }
    // In a whole TIFF file the second directory is a page, and raw files have better information about their previews.
    if block.fileOffset != 0 { thumbnail = Self.thumbnail(after: main, in: block) }
  }

  /// The first directory of a structure of its own.
  private static func directory(of reader: ByteReader?) -> TIFFDirectory? {
    reader.flatMap(TIFFStructure.init).flatMap { $0.directory(at: $0.firstDirectory) }
  }

  /// DateTimeOriginal or else DateTimeDigitized, each with its own offset.
  ///
  /// DateTime is ignored: it is the time of the last change. TIFF/EP cameras store these tags in the main directory.
  private static func captureTime(_ directory: TIFFDirectory?) -> MediaInfo.CaptureTime? {
    guard let directory else { return nil }
    for (time, offset) in [(0x9003, 0x9011), (0x9004, 0x9012)] {
      guard let bytes = directory.bytes(time, limit: 64)?.bytes, let taken = MediaInfo.CaptureTime(exif: bytes) else {
        continue
      }
      if taken.utcOffset == nil, let zone = directory.bytes(offset, limit: 16)?.bytes,
        let seconds = MediaInfo.CaptureTime.utcOffset(exif: zone)
      {
        return taken.with(utcOffset: seconds) ?? taken
      }
      return taken
    }
    return nil
  }

  /// The thumbnail: the JPEG in the second directory, which must be inside the block and have a frame header.
  private static func thumbnail(after main: TIFFDirectory, in block: EXIFBlock) -> MediaInfo.EmbeddedThumbnail? {
    guard let next = main.next, next != 0, next != main.structure.firstDirectory,
      let directory = main.structure.directory(at: next),
      let start = directory.integer(0x0201), let length = directory.integer(0x0202),
      length > 0, start <= block.reader.count, length <= block.reader.count - start,
      let frame = JPEGFrame.first(in: block.reader, start..<start + length), frame.isImage
    else { return nil }
    // Only a complete JPEG can be extracted and decoded.
    let isWhole = JPEGFrame.hasEnd(in: block.reader, start..<start + length)
    return MediaInfo.EmbeddedThumbnail(
      width: frame.size.width, height: frame.size.height, bytes: length,
      offset: isWhole ? block.fileOffset.map { $0 + start } : nil)
  }
}

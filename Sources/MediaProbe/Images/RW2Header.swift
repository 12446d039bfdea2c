internal import MediaModel

/// Reads Panasonic RW2 (https://exiftool.org/TagNames/PanasonicRaw.html): TIFF with the magic number 85, tags of its own for
/// the sensor, and a JPEG with the same metadata in one of them.
enum RW2Header {
  static func read(_ reader: ByteReader) -> StillHeader {
    var header = StillHeader()
    header.alpha = false
    header.pages = 1
    guard let structure = TIFFStructure(reader), let main = structure.directory(at: structure.firstDirectory) else {
      header.failure = reader.count < 16 ? .truncatedImage : .corruptImage("no TIFF header")
      return header
    }
    header.exif = EXIFBlock(wholeFile: reader)
    header.size = size(main)
    let range = main.entry(0x002E).map { $0.offset..<$0.offset + $0.count }
    if let range {
      header.embeddedThumbnail = EmbeddedJPEG.largest(of: [range], in: reader)
      let camera = JPEGHeader.read(ByteReader([range], of: reader))
      header.size = header.size ?? camera.size
      header.xmp = camera.xmp
      // Older cameras have the time and the location in the JPEG only.
      if header.exif.flatMap(EXIFFacts.init)?.takenAt == nil, camera.exif.flatMap(EXIFFacts.init)?.takenAt != nil {
        header.exif = camera.exif?.moved(by: range.lowerBound)
      }
    }
    if header.size == nil {
      header.failure = .corruptImage("no image dimensions")
    } else if !dataLiesInside(main) {
      header.failure = .truncatedImage
    }
    return header
  }

  /// Whether the raw data is inside the file. The strip that TIFF describes is at 0xFFFFFFFF: RawDataOffset replaces it.
  private static func dataLiesInside(_ main: TIFFDirectory) -> Bool {
    guard let start = main.integer(0x0118) else { return true }
    let end = start.addingReportingOverflow(max(0, main.integer(0x0117) ?? 0))
    return start < main.structure.reader.count && !end.overflow && end.partialValue <= main.structure.reader.count
  }

  /// The size inside the borders of the sensor, or else of the whole sensor.
  private static func size(_ main: TIFFDirectory) -> PixelSize? {
    if let top = main.integer(4), let left = main.integer(5), let bottom = main.integer(6), let right = main.integer(7),
      bottom > top, right > left, top >= 0, left >= 0, bottom <= 65_535, right <= 65_535
    {
      return PixelSize(width: right - left, height: bottom - top)
    }
    guard let width = main.integer(2), let height = main.integer(3), width > 0, height > 0 else { return nil }
    return PixelSize(width: width, height: height)
  }
}

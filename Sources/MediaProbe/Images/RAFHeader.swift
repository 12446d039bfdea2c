internal import MediaModel

/// Reads Fujifilm RAF (https://libopenraw.freedesktop.org/formats/raf): a table of offsets, a JPEG with all metadata, and the
/// raw data with a directory of its own.
enum RAFHeader {
  /// Maximum entries of the directory; cameras write about twenty.
  private static let entryLimit = 256

  static func read(_ reader: ByteReader) -> StillHeader {
    var header = StillHeader()
    header.alpha = false
    header.pages = 1
    guard let jpeg = range(reader, 84), let directory = range(reader, 92), let raw = range(reader, 100) else {
      header.failure = .truncatedImage
      return header
    }
    header.size = size(reader, directory)
    if jpeg.upperBound <= reader.count, !jpeg.isEmpty {
      let camera = JPEGHeader.read(ByteReader([jpeg], of: reader))
      header.exif = camera.exif?.moved(by: jpeg.lowerBound)
      header.xmp = camera.xmp
      header.size = header.size ?? camera.size
      header.embeddedThumbnail = EmbeddedJPEG.largest(of: [jpeg], in: reader)
    }
    if [jpeg, directory, raw].contains(where: { $0.upperBound > reader.count }) {
      header.failure = .truncatedImage
    } else if header.size == nil {
      header.failure = .corruptImage("no image dimensions")
    }
    return header
  }

  /// An offset and a length, of four bytes each.
  private static func range(_ reader: ByteReader, _ at: Int) -> Range<Int>? {
    guard let start = reader.u32be(at), let length = reader.u32be(at + 4) else { return nil }
    return Int(start)..<Int(start) + Int(length)
  }

  /// The size without borders (tag 0x0111), or else of the whole sensor (0x0100).
  private static func size(_ reader: ByteReader, _ directory: Range<Int>) -> PixelSize? {
    var sizes: [UInt16: PixelSize] = [:]
    var offset = directory.lowerBound + 4
    for _ in 0..<min(entryLimit, Int(reader.u32be(directory.lowerBound) ?? 0)) {
      guard offset < directory.upperBound, let tag = reader.u16be(offset), let length = reader.u16be(offset + 2) else {
        break
      }
      if length == 4, let height = reader.u16be(offset + 4), let width = reader.u16be(offset + 6), width > 0, height > 0
      {
        sizes[tag] = PixelSize(width: Int(width), height: Int(height))
      }
      offset += 4 + Int(length)
    }
    return sizes[0x0111] ?? sizes[0x0100]
  }
}

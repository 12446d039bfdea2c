internal import MediaModel

/// Reads Windows icons and cursors: the largest of their images.
enum ICOHeader {
  /// Maximum number of images; each costs one lookup elsewhere in the file.
  static let entryLimit = 256

  static func read(_ reader: ByteReader) -> StillHeader {
    var header = StillHeader()
    guard let count = reader.u16le(4), reader.u16le(0) == 0 else {
      header.failure = .corruptImage("no icon directory")
      return header
    }
    header.alpha = true
    // A viewer selects one by its size.
    if count > 1 { header.tracks = Int(count) }
    for index in 0..<min(Int(count), entryLimit) {
      let entry = 6 + index * 16
      guard let width = reader.u8(entry), let height = reader.u8(entry + 1), let length = reader.u32le(entry + 8),
        let offset = reader.u32le(entry + 12)
      else {
        header.failure = .truncatedImage
        break
      }
      let (size, failure) = image(
        reader, stated: PixelSize(width: width == 0 ? 256 : Int(width), height: height == 0 ? 256 : Int(height)),
        at: Int(offset), length: Int(length))
      if size.pixelCount > header.size?.pixelCount ?? 0 {
        header.size = size
        header.failure = failure
      }
    }
    if header.size == nil, header.failure == nil { header.failure = .corruptImage("no image in the icon directory") }
    return header
  }

  /// The size of one image.
  ///
  /// A PNG overrides the directory, which can state at most 256. A bitmap has the combined height of image and mask,
  /// and must agree with the directory.
  private static func image(
    _ reader: ByteReader, stated: PixelSize, at offset: Int, length: Int
  ) -> (PixelSize, MediaFailure?) {
    if reader.u32be(offset) == 0x8950_4E47, let width = reader.u32be(offset + 16),
      let height = reader.u32be(offset + 20),
      width > 0, height > 0, width <= 0x7FFF_FFFF, height <= 0x7FFF_FFFF
    {
      return (
        PixelSize(width: Int(width), height: Int(height)), length > reader.count - offset ? .truncatedImage : nil
      )
    }
    guard offset < reader.count, let info = BMPInfo(reader, at: offset) else {
      return (stated, offset >= reader.count ? .truncatedImage : .corruptImage("an entry has no image"))
    }
    guard info.size.width == stated.width, info.size.height == 2 * stated.height || info.size.height == stated.height
    else {
      return (stated, .corruptImage("directory entry and image differ in width and height"))
    }
    // Lengths in directories are often wrong, so the rows are checked instead.
    let rows = (info.rowBytes ?? 0) * stated.height
    return (stated, rows > reader.count - offset - info.headerBytes ? .truncatedImage : nil)
  }
}

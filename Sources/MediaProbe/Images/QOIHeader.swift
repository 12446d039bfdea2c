internal import MediaModel

/// Reads QOI (qoiformat.org, version 1.0): magic, width, height, channels, and the eight-byte end marker.
enum QOIHeader {
  static func read(_ reader: ByteReader) -> StillHeader {
    var header = StillHeader()
    guard reader.has("qoif", at: 0), let width = reader.u32be(4), let height = reader.u32be(8),
      let channels = reader.u8(12)
    else {
      header.failure = reader.count < 14 ? .truncatedImage : .corruptImage("no QOI header")
      return header
    }
    guard width > 0, height > 0 else {
      header.failure = .corruptImage("width or height is 0")
      return header
    }
    header.size = PixelSize(width: Int(width), height: Int(height))
    header.alpha = channels == 4
    if reader.u64be(reader.count - 8) != 1 { header.failure = .truncatedImage }
    return header
  }
}

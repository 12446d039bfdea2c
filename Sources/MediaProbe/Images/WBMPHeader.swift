internal import MediaModel

/// Reads WBMP, the one-bit images of early phones (WAP-237): type 0, a fixed header, width and height in groups of
/// seven bits.
enum WBMPHeader {
  static func read(_ reader: ByteReader) -> StillHeader {
    var header = StillHeader()
    header.alpha = false
    var offset = 2
    guard let width = number(reader, &offset), let height = number(reader, &offset) else {
      header.failure = reader.count < 4 ? .truncatedImage : .corruptImage("no width and height")
      return header
    }
    guard width > 0, height > 0 else {
      header.failure = .corruptImage("width or height is 0")
      return header
    }
    header.size = PixelSize(width: width, height: height)
    if (width + 7) / 8 * height > reader.count - offset { header.failure = .truncatedImage }
    return header
  }

  /// Whether the image fills the whole file exactly. Two zeros are no signature, so the length decides.
  static func fills(_ reader: ByteReader) -> Bool {
    var offset = 2
    guard reader.u16be(0) == 0, let width = number(reader, &offset), let height = number(reader, &offset), width > 0,
      height > 0
    else { return false }
    return (width + 7) / 8 * height == reader.count - offset
  }

  /// A number of at most four groups, which is far beyond any such image.
  private static func number(_ reader: ByteReader, _ offset: inout Int) -> Int? {
    var value = 0
    for _ in 0..<4 {
      guard let byte = reader.u8(offset) else { return nil }
      offset += 1
      value = value << 7 | Int(byte & 0x7F)
      if byte & 0x80 == 0 { return value }
    }
    return nil
  }
}

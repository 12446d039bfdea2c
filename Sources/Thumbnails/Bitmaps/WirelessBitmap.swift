internal import MediaModel

/// Decodes WBMP type 0, the images of early phones: one bit per pixel, 1 is white (WAP-237, 4.5).
enum WirelessBitmap {
  /// Nil for any other image.
  static func pixels(of file: BitmapBytes, maxPixels: Int) throws(MediaFailure) -> BitmapPixels? {
    var offset = 2
    guard file.u16(0) == 0, let width = number(file, &offset), let height = number(file, &offset),
      width > 0, height > 0
    else { return nil }
    let pixels = try BitmapPixels(width: width, height: height, maxPixels: maxPixels)
    let length = (width + 7) / 8
    for row in 0..<height {
      try file.checkDeadline(row)
      let bytes = file.slice(offset + row * length, length)
      if bytes.count < length { pixels.isCut = true }
      for x in 0..<min(width, bytes.count * 8) {
        let level: UInt8 = bytes[x / 8] >> (7 - x % 8) & 1 == 1 ? 255 : 0
        let at = (row * width + x) * 4
        (pixels.rgba[at], pixels.rgba[at + 1], pixels.rgba[at + 2], pixels.rgba[at + 3]) = (level, level, level, 255)
      }
    }
    return pixels
  }

  /// A number in at most four groups of seven bits, the highest first; all except the last have the top bit set.
  private static func number(_ file: BitmapBytes, _ offset: inout Int) -> Int? {
    var value = 0
    for _ in 0..<4 {
      guard let byte = file.u8(offset) else { return nil }
      offset += 1
      value = value << 7 | byte & 0x7F
      if byte & 0x80 == 0 { return value }
    }
    return nil
  }
}

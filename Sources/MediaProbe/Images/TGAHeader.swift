internal import MediaModel

/// Reads Truevision TGA 2.0. The format has no signature at its start; the type was determined before.
enum TGAHeader {
  static func read(_ reader: ByteReader) -> StillHeader {
    var header = StillHeader()
    guard let identifier = reader.u8(0), let kind = reader.u8(2), let mapLength = reader.u16le(5),
      let mapDepth = reader.u8(7), let width = reader.u16le(12), let height = reader.u16le(14),
      let depth = reader.u8(16),
      let descriptor = reader.u8(17)
    else {
      header.failure = .truncatedImage
      return header
    }
    guard width > 0, height > 0 else {
      header.failure = .corruptImage("width or height is 0")
      return header
    }
    header.size = PixelSize(width: Int(width), height: Int(height))
    // The low bits of the descriptor state the number of alpha bits.
    header.alpha = descriptor & 0x0F != 0 && (depth == 32 || depth == 16)
    // Types 1 to 3 are not run-length coded, so their length is known: header, ID field, color map, pixels.
    if (1...3).contains(kind) {
      let map = Int(mapLength) * ((Int(mapDepth) + 7) / 8)
      let pixels = Int(width) * Int(height) * ((Int(depth) + 7) / 8)
      if 18 + Int(identifier) + map + pixels > reader.count { header.failure = .truncatedImage }
    }
    return header
  }
}

internal import MediaModel

/// Reads the header of Windows and OS/2 bitmaps in all its sizes.
enum BMPHeader {
  static func read(_ reader: ByteReader) -> StillHeader {
    var header = StillHeader()
    guard reader.has("BM", at: 0) else {
      header.failure = .corruptImage("no BMP signature")
      return header
    }
    guard let info = BMPInfo(reader, at: 14) else {
      header.failure = reader.count < 54 ? .truncatedImage : .corruptImage("no BMP header")
      return header
    }
    header.size = info.size
    header.alpha = info.hasAlpha
    header.icc = info.profile.map { ByteReader([$0], of: reader) }
    // Only uncompressed rows have a known length.
    if let rows = info.rowBytes, let offset = reader.u32le(10) {
      let (length, overflow) = rows.multipliedReportingOverflow(by: info.size.height)
      if overflow || Int(offset) > reader.count || length > reader.count - Int(offset) {
        header.failure = .truncatedImage
      }
    }
    return header
  }
}

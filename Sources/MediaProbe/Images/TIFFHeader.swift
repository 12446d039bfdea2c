internal import MediaModel

/// Reads TIFF and BigTIFF: the first page, the number of pages, transparency.
enum TIFFHeader {
  /// Maximum number of strips or tiles whose range is checked.
  static let stripLimit = 65_536

  static func read(_ reader: ByteReader) -> StillHeader {
    var header = StillHeader()
    guard let structure = TIFFStructure(reader) else {
      header.failure = reader.count < 16 ? .truncatedImage : .corruptImage("no TIFF header")
      return header
    }
    guard let first = structure.directory(at: structure.firstDirectory) else {
      header.failure =
        structure.firstDirectory >= reader.count ? .truncatedImage : .corruptImage("no image file directory")
      return header
    }
    readMetadata(first, into: &header)
    let pages = structure.chain()
    header.pages = pages.offsets.count
    if let width = first.integer(256), let height = first.integer(257), width > 0, height > 0 {
      header.size = PixelSize(width: width, height: height)
    } else {
      header.failure = .corruptImage("no width and height")
    }
    // ExtraSamples: 1 and 2 are alpha, 0 is unspecified.
    header.alpha = first.integers(338, limit: 16)?.contains { $0 == 1 || $0 == 2 } ?? false
    if header.failure == nil {
      if pages.end == .cut || !dataLiesInside(first) {
        header.failure = .truncatedImage
      } else if pages.end == .loop {
        header.failure = .corruptImage("image file directories form a loop")
      }
    }
    return header
  }

  /// Reads EXIF, XMP and profile, which are in the directories of the file itself.
  static func readMetadata(_ directory: TIFFDirectory, into header: inout StillHeader) {
    header.exif = EXIFBlock(wholeFile: directory.structure.reader)
    header.xmp = directory.bytes(700, limit: XMPPacket.byteLimit).map { XMPPacket($0.bytes) }
    header.icc = directory.entry(34_675).map {
      ByteReader([$0.offset..<$0.offset + $0.count], of: directory.structure.reader)
    }
  }

  /// Whether the strips or tiles of a directory are inside the file.
  static func dataLiesInside(_ directory: TIFFDirectory) -> Bool {
    let end = directory.structure.reader.count
    for (offsets, counts) in [(273, 279), (324, 325)] {
      guard let starts = directory.integers(offsets, limit: stripLimit) else { continue }
      let lengths = directory.integers(counts, limit: stripLimit) ?? []
      for (index, start) in starts.enumerated() {
        let length = index < lengths.count ? lengths[index] : 0
        if start < 0 || start > end || length < 0 || length > end - start { return false }
      }
    }
    return true
  }
}

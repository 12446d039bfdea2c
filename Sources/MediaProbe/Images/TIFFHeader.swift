internal import MediaModel

/// Reads TIFF and BigTIFF: the first page, the number of pages, transparency.
enum TIFFHeader {
  /// Maximum number of strips or tiles whose range is checked.
  static let stripLimit = 65_536
  /// Maximum number of pages among which the image is searched.
  static let pageLimit = 64

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
    let image = shownImage(first, pages.offsets, in: &header)
    if let width = image.integer(256), let height = image.integer(257), width > 0, height > 0 {
      header.size = PixelSize(width: width, height: height)
    } else {
      header.failure = .corruptImage("no width and height")
    }
    // ExtraSamples: 1 and 2 are alpha, 0 is unspecified.
    header.alpha = image.integers(338, limit: 16)?.contains { $0 == 1 || $0 == 2 } ?? false
    if header.failure == nil {
      if pages.end == .cut || !dataLiesInside(image) {
        header.failure = .truncatedImage
      } else if pages.end == .loop {
        header.failure = .corruptImage("image file directories form a loop")
      }
    }
    return header
  }

  /// The first image that is not a reduced version of another one: a page, or else an image below the first page.
  private static func shownImage(
    _ first: TIFFDirectory, _ pages: [Int], in header: inout StillHeader
  ) -> TIFFDirectory {
    guard isReduced(first) else { return first }
    var image = first
    if let (index, page) = firstWhole(of: pages.prefix(pageLimit), in: first.structure) {
      header.shown.page = index
      image = page
    } else if let (index, below) = firstWhole(
      of: (first.integers(330, limit: pageLimit) ?? [])[...], in: first.structure)
    {
      header.shown.subpage = index
      image = below
    }
    // Viewers that do not look at the mark show the first page.
    if header.shown.page > 0 || header.shown.subpage != nil { header.tracks = 2 }
    // Each image has its own orientation.
    header.containerOrientation = image.integer(0x0112).flatMap(MediaInfo.Orientation.init(rawValue:)) ?? .up
    return image
  }

  private static func firstWhole(
    of offsets: ArraySlice<Int>, in structure: TIFFStructure
  ) -> (index: Int, directory: TIFFDirectory)? {
    for (index, offset) in offsets.enumerated() {
      guard let directory = structure.directory(at: offset), !isReduced(directory), !isSensorData(directory) else {
        continue
      }
      return (index, directory)
    }
    return nil
  }

  /// PhotometricInterpretation of camera raws that are not recognised as such (TIFF/EP, DNG): a color filter array or
  /// linear sensor data, which is not decoded.
  private static func isSensorData(_ directory: TIFFDirectory) -> Bool {
    [32_803, 34_892].contains(directory.integer(262))
  }

  /// NewSubfileType, or the older SubfileType (TIFF 6.0): a reduced-resolution version of another image of the file.
  static func isReduced(_ directory: TIFFDirectory) -> Bool {
    if let type = directory.integer(254) { return type & 1 == 1 }
    return directory.integer(255) == 2
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

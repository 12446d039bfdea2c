internal import MediaModel

/// Reads TIFF-based camera raw files (DNG, CR2, NEF, ARW): the size of the full image and the largest embedded JPEG.
struct RawHeader {
  /// Maximum number of directories; cameras write at most a dozen.
  static let directoryLimit = 32

  private let directories: [TIFFDirectory]
  private let reader: ByteReader

  static func read(_ reader: ByteReader) -> StillHeader {
    var header = StillHeader()
    guard let structure = TIFFStructure(reader), let main = structure.directory(at: structure.firstDirectory) else {
      header.failure = reader.count < 16 ? .truncatedImage : .corruptImage("no TIFF header")
      return header
    }
    let raw = RawHeader(structure)
    TIFFHeader.readMetadata(main, into: &header)
    header.size = raw.fullSize ?? raw.largestSize(with: header.exif.flatMap(EXIFFacts.init)?.pixelSize)
    header.alpha = false
    // One image, regardless of the previews in its chain of directories.
    header.pages = 1
    header.embeddedThumbnail = raw.preview
    if header.size == nil {
      header.failure = .corruptImage("no width and height")
    } else if !raw.directories.allSatisfy(TIFFHeader.dataLiesInside) {
      header.failure = .truncatedImage
    }
    return header
  }

  /// The chain of directories and the SubIFDs of each.
  private init(_ structure: TIFFStructure) {
    reader = structure.reader
    var found: [TIFFDirectory] = []
    var seen: Set<Int> = []
    var waiting = Array(structure.chain().offsets.prefix(Self.directoryLimit).reversed())
    while let offset = waiting.popLast(), found.count < Self.directoryLimit {
      guard seen.insert(offset).inserted, let directory = structure.directory(at: offset) else { continue }
      found.append(directory)
      waiting += directory.integers(330, limit: Self.directoryLimit) ?? []
    }
    directories = found
  }

  /// The size of the largest image that is marked as full resolution.
  private var fullSize: PixelSize? {
    directories.filter { $0.integer(254) == 0 }.compactMap(size).max { $0.pixelCount < $1.pixelCount }
  }

  /// The largest size of all. CR2 marks nothing and states no size for its raw data; EXIF then states the camera's own.
  private func largestSize(with stated: PixelSize?) -> PixelSize? {
    (directories.compactMap(size) + [stated].compactMap { $0 }).max { $0.pixelCount < $1.pixelCount }
  }

  /// The size of a directory's image: DNG's default crop, or the whole image.
  private func size(_ directory: TIFFDirectory) -> PixelSize? {
    guard let width = directory.integer(256), let height = directory.integer(257), width > 0, height > 0 else {
      return nil
    }
    if let cropWidth = directory.number(0xC620, 0), let cropHeight = directory.number(0xC620, 1),
      cropWidth >= 1, cropHeight >= 1, cropWidth <= Double(width), cropHeight <= Double(height)
    {
      return PixelSize(width: Int(cropWidth), height: Int(cropHeight))
    }
    return PixelSize(width: width, height: height)
  }

  /// The largest embedded JPEG that any decoder supports and that is complete.
  private var preview: MediaInfo.EmbeddedThumbnail? {
    let ranges = directories.flatMap(jpegPieces).compactMap { start, length -> Range<Int>? in
      start > 0 && length > 4 && start <= reader.count && length <= reader.count - start
        ? start..<start + length : nil
    }
    return EmbeddedJPEG.largest(of: ranges, in: reader)
  }

  /// JPEGInterchangeFormat, and JPEG-coded images in one strip.
  private func jpegPieces(_ directory: TIFFDirectory) -> [(start: Int, length: Int)] {
    var pieces: [(Int, Int)] = []
    if let start = directory.integer(513), let length = directory.integer(514) { pieces.append((start, length)) }
    if [6, 7].contains(directory.integer(259)), let starts = directory.integers(273, limit: 2), starts.count == 1,
      let length = directory.integer(279)
    {
      pieces.append((starts[0], length))
    }
    return pieces
  }
}

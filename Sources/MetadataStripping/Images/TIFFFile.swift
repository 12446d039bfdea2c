/// TIFF images (TIFF 6.0): keeps the pixels and the tags that decoding and display need; every other byte becomes zero. The copy is as long as the file, and the offsets
/// of what is kept stay.
///
/// Pages that are reduced versions of others are removed, because they may show what was cut off, and so are reduced versions below pages (SubIFDs). BigTIFF, camera raws and
/// JPEG in the form of TIFF 6.0, section 22, are not stripped, nor a file with only reduced pages or with another image below a page, nor one in which kept bytes overlap
/// removed ones.
struct TIFFFile {
  /// The file contradicts itself, or has what is not supported.
  struct Malformed: Error {}

  /// Maximum pages.
  private static let maxPages = 1 << 16
  /// Maximum strips and tiles of all pages, with directories below them; a page of 20,000 rows may have one strip per row.
  private static let maxStrips = 1 << 20
  /// Maximum width and height of a page that is taken for the thumbnail of Exif, which has 160 × 120 pixels by its standard.
  private static let maxThumbnail = 512
  /// Maximum entries of a directory, and of all directories.
  private static let (maxEntries, maxEntriesOfAll) = (4_096, 1 << 18)

  let file: [UInt8]
  private let isLittleEndian: Bool
  private var stripped: [UInt8]
  /// Bytes to keep, other than directories and JPEG streams.
  private var kept: [Range<Int>] = []
  /// JPEG streams, which are kept without their metadata.
  private var streams: [Range<Int>] = []
  /// What removed tags and pages have.
  private var removed: [Range<Int>] = []
  /// Offsets of directories below pages, which are removed, with the tags that point to them.
  private var below: [(offset: Int, tag: Int)] = []
  private var strips = 0
  /// Bytes of directories that were read; a budget against directories within each other.
  private var directoryBytes = 0
  /// Entries of directories that were read.
  private var entryCount = 0
  private var seen: Set<Int> = []

  /// Nil for a file of which metadata cannot be removed.
  static func strip(_ file: [UInt8]) -> [UInt8]? {
    do throws(Malformed) {
      var image = try TIFFFile(file)
      return try image.strip()
    } catch {
      return nil
    }
  }

  private init(_ file: [UInt8]) throws(Malformed) {
    let isLittle = file.has("II\u{2A}\0", at: 0)
    guard isLittle || file.has("MM\0\u{2A}", at: 0) else { throw Malformed() }
    (self.file, isLittleEndian) = (file, isLittle)
    stripped = [UInt8](repeating: 0, count: file.count)
  }

  private mutating func strip() throws(Malformed) -> [UInt8] {
    var pages: [TIFFDirectory] = []
    var offset = try number(4, 4)
    while offset != 0 {
      let page = try directory(at: offset)
      pages.append(page)
      guard pages.count <= Self.maxPages else { throw Malformed() }
      offset = page.next
    }
    var reduced: Set<Int> = []
    for page in pages where try isReduced(page) { reduced.insert(page.range.lowerBound) }
    if let thumbnail = try exifThumbnail(of: pages) { reduced.insert(thumbnail.range.lowerBound) }
    // If all pages are reduced, the image is behind a tag that the stripper does not know.
    let shown = pages.filter { !reduced.contains($0.range.lowerBound) }
    guard let first = shown.first else { throw Malformed() }
    for page in pages {
      if reduced.contains(page.range.lowerBound) { try remove(page) } else { try keep(page) }
    }
    while let (offset, tag) = below.popLast() {
      if tag == TIFFTag.subIFDs.rawValue {
        let image = try directory(at: offset)
        guard try isReducedImage(image) else { throw Malformed() }
        try remove(image)
      } else if let directory = try? directory(at: offset) {
        // One that cannot be read is no reason to fail: nothing points to it afterwards.
        try remove(directory)
      }
    }
    try copy(shown.map(\.range))
    stripped.replaceSubrange(0..<4, with: file[0..<4])
    put(first.range.lowerBound, at: 4, 4)
    for (index, page) in shown.enumerated() {
      write(page, next: index + 1 < shown.count ? shown[index + 1].range.lowerBound : 0)
    }
    return stripped
  }

  /// Copies what is kept, unless it overlaps a directory or something that is removed.
  private mutating func copy(_ directories: [Range<Int>]) throws(Malformed) {
    let data = ByteRanges.union(kept + streams)
    guard !ByteRanges.overlap(data, ByteRanges.union(directories + [0..<8])),
      !ByteRanges.overlap(data, ByteRanges.union(removed))
    else { throw Malformed() }
    let tables = directories.sorted { $0.lowerBound < $1.lowerBound }
    for (table, next) in zip(tables, tables.dropFirst()) where table.overlaps(next) { throw Malformed() }
    for range in data { stripped.replaceSubrange(range, with: file[range]) }
    guard !ByteRanges.overlap(ByteRanges.union(streams), ByteRanges.union(kept)) else { throw Malformed() }
    var end = 0
    // Equal strips may be stored once.
    for stream in Set(streams).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      guard end <= stream.lowerBound, JPEGSegments.overwrite(file, stream, in: &stripped) else { throw Malformed() }
      end = stream.upperBound
    }
  }

  // MARK: Pages

  /// NewSubfileType, or the older SubfileType: a reduced-resolution version of another image.
  private func isReduced(_ page: TIFFDirectory) throws(Malformed) -> Bool {
    if let type = try first(.newSubfileType, of: page) { return type & 1 == 1 }
    return try first(.subfileType, of: page) == 2
  }

  /// The second of two pages, if it is a thumbnail in the layout of Exif: the first page has Exif, and the second says nothing about what it is, and is smaller.
  private func exifThumbnail(of pages: [TIFFDirectory]) throws(Malformed) -> TIFFDirectory? {
    guard pages.count == 2, let image = pages.first, let other = pages.last,
      image.entries.contains(where: { $0.tag == TIFFTag.exif.rawValue }),
      !other.entries.contains(where: { TIFFTag.subfileTypes.contains($0.tag) }),
      let width = try first(.imageWidth, of: image), let height = try first(.imageLength, of: image),
      let otherWidth = try first(.imageWidth, of: other), let otherHeight = try first(.imageLength, of: other)
    else { return nil }
    // A larger one is a page of its own.
    let isSmall = otherWidth <= Self.maxThumbnail && otherHeight <= Self.maxThumbnail
    return isSmall && otherWidth < width && otherHeight < height ? other : nil
  }

  /// Whether an image below a page is a reduced version of it, not the sensor data of a camera raw.
  private func isReducedImage(_ image: TIFFDirectory) throws(Malformed) -> Bool {
    guard try isReduced(image) else { return false }
    guard let colors = try first(.photometricInterpretation, of: image) else { return true }
    return TIFFTag.colors.contains(colors)
  }

  private mutating func keep(_ page: TIFFDirectory) throws(Malformed) {
    let compression = try first(.compression, of: page) ?? 1
    guard let colors = try first(.photometricInterpretation, of: page), TIFFTag.colors.contains(colors),
      TIFFTag.compressions.contains(compression)
    else { throw Malformed() }
    var tags: Set<Int> = []
    for entry in page.entries {
      guard TIFFTag.kept.contains(entry.tag) else {
        try remove(entry)
        continue
      }
      guard let value = entry.value, tags.insert(entry.tag).inserted else { throw Malformed() }
      if entry.tag == TIFFTag.jpegTables.rawValue {
        // Other decoders do not read them, so they may have anything.
        guard compression == TIFFTag.jpeg else { throw Malformed() }
        streams.append(value)
        continue
      }
      guard entry.isNumeric || entry.tag == TIFFTag.iccProfile.rawValue else { throw Malformed() }
      if !entry.isInline { kept.append(value) }
    }
    let data = try pixels(of: page)
    guard !data.isEmpty else { throw Malformed() }
    if compression == TIFFTag.jpeg { streams += data } else { kept += data }
  }

  /// The strips and tiles of a page that have any bytes.
  private mutating func pixels(of page: TIFFDirectory) throws(Malformed) -> [Range<Int>] {
    var data: [Range<Int>] = []
    for (offsets, counts) in [(TIFFTag.stripOffsets, TIFFTag.stripByteCounts), (.tileOffsets, .tileByteCounts)] {
      guard let starts = page.entries.first(where: { $0.tag == offsets.rawValue }) else { continue }
      guard let lengths = page.entries.first(where: { $0.tag == counts.rawValue }), lengths.count == starts.count
      else { throw Malformed() }
      strips += starts.count
      guard strips <= Self.maxStrips else { throw Malformed() }
      for index in 0..<starts.count {
        let (start, length) = (try number(starts, index), try number(lengths, index))
        guard start <= file.count, length <= file.count - start else { throw Malformed() }
        if length > 0 { data.append(start..<(start + length)) }
      }
    }
    return data
  }

  // MARK: Removing

  /// Notes what a page, or a directory below one, has.
  private mutating func remove(_ directory: TIFFDirectory) throws(Malformed) {
    removed.append(directory.range)
    for entry in directory.entries { try remove(entry) }
    if let data = try? pixels(of: directory) { removed += data }
  }

  private mutating func remove(_ entry: TIFFEntry) throws(Malformed) {
    guard let value = entry.value else { return }
    if !entry.isInline { removed.append(value) }
    guard TIFFTag.directories.contains(entry.tag), [4, 13].contains(entry.type) else { return }
    strips += entry.count
    guard strips <= Self.maxStrips else { throw Malformed() }
    for index in 0..<entry.count { below.append((try number(entry, index), entry.tag)) }
  }

  // MARK: Reading

  private mutating func directory(at offset: Int) throws(Malformed) -> TIFFDirectory {
    let count = try number(offset, 2)
    let end = offset + 6 + 12 * count
    guard offset >= 8, count > 0, end <= file.count, seen.insert(offset).inserted else { throw Malformed() }
    directoryBytes += end - offset
    entryCount += count
    guard directoryBytes <= file.count, count <= Self.maxEntries, entryCount <= Self.maxEntriesOfAll else {
      throw Malformed()
    }
    var entries: [TIFFEntry] = []
    for place in stride(from: offset + 2, to: end - 4, by: 12) {
      let (tag, type, count) = (try number(place, 2), try number(place + 2, 2), try number(place + 4, 4))
      var value: Range<Int>?
      if let bytes = TIFFEntry.bytes(of: type, count) {
        let start = bytes <= 4 ? place + 8 : try number(place + 8, 4)
        if start <= file.count, bytes <= file.count - start { value = start..<(start + bytes) }
      }
      entries.append(TIFFEntry(tag: tag, type: type, count: count, place: place, value: value))
    }
    return TIFFDirectory(range: offset..<end, entries: entries, next: try number(end - 4, 4))
  }

  private func first(_ tag: TIFFTag, of page: TIFFDirectory) throws(Malformed) -> Int? {
    guard let entry = page.entries.first(where: { $0.tag == tag.rawValue }), entry.count > 0 else { return nil }
    return try number(entry, 0)
  }

  /// One of the values of an entry, which has to be a whole number of up to four bytes.
  private func number(_ entry: TIFFEntry, _ index: Int) throws(Malformed) -> Int {
    guard let value = entry.value, index < entry.count else { throw Malformed() }
    switch entry.type {
    case 1: return try number(value.lowerBound + index, 1)
    case 3: return try number(value.lowerBound + 2 * index, 2)
    case 4, 13: return try number(value.lowerBound + 4 * index, 4)
    default: throw Malformed()
    }
  }

  private func number(_ at: Int, _ bytes: Int) throws(Malformed) -> Int {
    guard at >= 0, bytes <= file.count, at <= file.count - bytes else { throw Malformed() }
    var number = 0
    for index in 0..<bytes { number = number << 8 | Int(file[isLittleEndian ? at + bytes - 1 - index : at + index]) }
    return number
  }

  // MARK: Writing

  private mutating func put(_ number: Int, at place: Int, _ bytes: Int) {
    for index in 0..<bytes {
      let shift = 8 * (isLittleEndian ? index : bytes - 1 - index)
      stripped[place + index] = UInt8(truncatingIfNeeded: number >> shift)
    }
  }

  /// Writes the entries that are kept, in their order, where the directory was. The rest of it stays zero.
  private mutating func write(_ page: TIFFDirectory, next: Int) {
    var at = page.range.lowerBound + 2
    for entry in page.entries where TIFFTag.kept.contains(entry.tag) {
      let bytes = entry.isInline ? 8 + (entry.value?.count ?? 0) : 12
      stripped.replaceSubrange(at..<(at + bytes), with: file[entry.place..<(entry.place + bytes)])
      at += 12
    }
    put((at - page.range.lowerBound - 2) / 12, at: page.range.lowerBound, 2)
    put(next, at: at, 4)
  }
}

/// Byte order, numbers and directories of a TIFF file or an EXIF block (TIFF 6.0 §2, BigTIFF, CIPA DC-008). Offsets are
/// relative to the start of ``reader``.
struct TIFFStructure {
  let reader: ByteReader
  let isBigEndian: Bool
  /// Whether it is BigTIFF, with counts and offsets of eight bytes.
  let isBig: Bool
  /// Offset of the first directory.
  let firstDirectory: Int

  /// Maximum entries; a directory that claims more is cut.
  static let entryLimit = 4_096
  /// Maximum pages, more than any scanner writes.
  static let pageLimit = 65_536

  init?(_ reader: ByteReader) {
    switch reader.u16be(0) {
    case 0x4949: isBigEndian = false
    case 0x4D4D: isBigEndian = true
    default: return nil
    }
    self.reader = reader
    switch reader.unsigned(2, width: 2, bigEndian: isBigEndian) {
    // 85 is Panasonic's number for its raw files, otherwise the same.
    case 42, 85: isBig = false
    case 43:
      isBig = true
      guard reader.unsigned(4, width: 2, bigEndian: isBigEndian) == 8 else { return nil }
    default: return nil
    }
    guard
      let first = reader.unsigned(isBig ? 8 : 4, width: isBig ? 8 : 4, bigEndian: isBigEndian)
    else { return nil }
    firstDirectory = first
  }

  /// The directory at `offset`; nil if there is none.
  func directory(at offset: Int) -> TIFFDirectory? {
    guard let (count, entries) = entryArea(at: offset) else { return nil }
    let size = isBig ? 20 : 12
    let readable = min(count, Self.entryLimit)
    // A directory that is truncated by the end of the file still has its first entries.
    let bytes = ByteReader(reader.bytes(entries, readable * size))
    var result: [TIFFDirectory.Entry] = []
    result.reserveCapacity(readable)
    for index in 0..<min(readable, bytes.count / size) {
      let at = index * size
      guard let tag = bytes.unsigned(at, width: 2, bigEndian: isBigEndian),
        let type = bytes.unsigned(at + 2, width: 2, bigEndian: isBigEndian),
        let count = bytes.unsigned(at + 4, width: isBig ? 8 : 4, bigEndian: isBigEndian),
        count > 0, let width = TIFFDirectory.width(ofType: type)
      else { continue }
      let (length, overflow) = width.multipliedReportingOverflow(by: count)
      guard !overflow else { continue }
      let inline = at + (isBig ? 12 : 8)
      var offset = entries + inline
      if length > (isBig ? 8 : 4) {
        guard let pointer = bytes.unsigned(inline, width: isBig ? 8 : 4, bigEndian: isBigEndian) else { continue }
        offset = pointer
      }
      // Skip a value that is not inside the structure.
      guard offset <= reader.count, length <= reader.count - offset else { continue }
      result.append(TIFFDirectory.Entry(tag: tag, type: type, count: count, offset: offset))
    }
    return TIFFDirectory(structure: self, entries: result, next: next(after: offset))
  }

  /// Offset of the directory after the one at `offset`: 0 after the last; nil if the file ends first.
  func next(after offset: Int) -> Int? {
    guard let (count, entries) = entryArea(at: offset) else { return nil }
    // Small reads, so that counting the pages of a scan does not read the scan.
    let width = isBig ? 8 : 4
    guard let bytes = reader.slice(entries + count * (isBig ? 20 : 12), width) else { return nil }
    return ByteReader(bytes).unsigned(0, width: width, bigEndian: isBigEndian)
  }

  /// The offsets of a chain of directories, at most `limit`, and how it ends. Detects loops.
  func chain(limit: Int = pageLimit) -> (offsets: [Int], end: ChainEnd) {
    var offsets: [Int] = []
    var seen: Set<Int> = []
    var at = firstDirectory
    while at != 0 {
      guard offsets.count < limit else { return (offsets, .whole) }
      guard seen.insert(at).inserted else { return (offsets, .loop) }
      guard entryArea(at: at) != nil else { return (offsets, .cut) }
      offsets.append(at)
      guard let next = next(after: at) else { return (offsets, .cut) }
      at = next
    }
    return (offsets, .whole)
  }

  /// How a chain of directories ends.
  enum ChainEnd {
    case whole, loop, cut
  }

  /// The number of entries, at least 1, and their offset.
  private func entryArea(at offset: Int) -> (count: Int, entries: Int)? {
    let width = isBig ? 8 : 2
    guard offset >= (isBig ? 16 : 8), let bytes = reader.slice(offset, width),
      let count = ByteReader(bytes).unsigned(0, width: width, bigEndian: isBigEndian),
      count > 0, count <= 65_535
    else { return nil }
    return (count, offset + width)
  }
}

/// Reads numbers of a box one after another. Past the end of the box, or of the file, there is nothing.
struct BoxCursor {
  let reader: ByteReader
  private(set) var offset: Int
  let end: Int

  init(_ reader: ByteReader, _ range: Range<Int>) {
    self.reader = reader
    offset = range.lowerBound
    end = range.upperBound
  }

  /// The next number of 0, 1, 2, 4 or 8 bytes.
  mutating func unsigned(_ width: Int) -> Int? {
    guard width <= end - offset, let value = reader.unsigned(offset, width: width) else { return nil }
    offset += width
    return value
  }

  /// The next number, 32 bits wide or 16.
  mutating func unsigned(wide: Bool) -> Int? { unsigned(wide ? 4 : 2) }

  mutating func skip(_ count: Int) { offset = min(end, offset + max(0, count)) }

  /// Version and flags, with which a full box begins.
  mutating func fullBox() -> (version: Int, flags: Int)? {
    unsigned(4).map { ($0 >> 24, $0 & 0xFF_FFFF) }
  }
}

/// Reads numbers of a box one after another. Past the end of the box, or of the source, there is nothing.
public struct BoxCursor<Source: BoxSource> {
  /// Where the numbers are read from.
  public let source: Source
  /// Where the next number begins.
  public private(set) var offset: Int
  /// Where the box ends.
  public let end: Int

  /// A cursor at the beginning of a body.
  public init(_ source: Source, _ range: Range<Int>) {
    self.source = source
    offset = range.lowerBound
    end = range.upperBound
  }

  /// The next number of 0 to 8 bytes; `Int.max` when it does not fit. Nothing in 0 bytes is 0.
  public mutating func unsigned(_ width: Int) -> Int? {
    guard width > 0 else { return width == 0 ? 0 : nil }
    guard width <= end - offset, let value = source.number(at: offset, bytes: width) else { return nil }
    offset += width
    return Int(clamping: value)
  }

  /// The next number, 32 bits wide or 16.
  public mutating func unsigned(wide: Bool) -> Int? { unsigned(wide ? 4 : 2) }

  /// Passes over so many bytes, to the end of the box at most.
  public mutating func skip(_ count: Int) { offset = min(end, offset + min(max(0, count), max(0, end - offset))) }

  /// Version and flags, with which a full box begins (ISO/IEC 14496-12, 4.2.2).
  public mutating func fullBox() -> (version: Int, flags: Int)? {
    unsigned(4).map { ($0 >> 24, $0 & 0xFF_FFFF) }
  }
}

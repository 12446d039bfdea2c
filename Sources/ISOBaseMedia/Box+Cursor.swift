extension Box {
  /// Reads the numbers of a box one after another. Returns nil past the end of the box or the source.
  public struct Cursor<Source: Box.Source> {
    /// The source of the bytes.
    public let source: Source
    /// Offset of the next number.
    public private(set) var offset: Int
    /// Offset of the end of the box.
    public let end: Int

    /// A cursor at the beginning of a range.
    public init(_ source: Source, _ range: Range<Int>) {
      self.source = source
      offset = range.lowerBound
      end = range.upperBound
    }

    /// The next number of 0 to 8 bytes, 0 for a width of 0; `Int.max` if it does not fit into an Int.
    public mutating func unsigned(_ width: Int) -> Int? {
      guard width > 0 else { return width == 0 ? 0 : nil }
      guard width <= end - offset, let value = source.number(at: offset, bytes: width) else { return nil }
      offset += width
      return Int(clamping: value)
    }

    /// The next number of 32 or 16 bits.
    public mutating func unsigned(wide: Bool) -> Int? { unsigned(wide ? 4 : 2) }

    /// Skips bytes, at most to the end of the box.
    public mutating func skip(_ count: Int) { offset = min(end, offset + min(max(0, count), max(0, end - offset))) }

    /// The version and flags at the beginning of a full box (ISO/IEC 14496-12, 4.2.2).
    public mutating func fullBox() -> (version: Int, flags: Int)? {
      unsigned(4).map { ($0 >> 24, $0 & 0xFF_FFFF) }
    }
  }
}

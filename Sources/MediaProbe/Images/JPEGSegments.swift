internal import MediaModel

/// Iterates over the marker segments of a JPEG stream up to its first scan (ITU-T T.81, annex B).
///
/// Junk between segments is skipped up to the next marker, as in libjpeg.
struct JPEGSegments {
  struct Segment {
    let marker: UInt8
    /// The bytes after the length field, clipped to the end of the stream.
    let body: Range<Int>
  }

  /// Maximum number of segments; a printer's color profile takes a dozen.
  static let segmentLimit = 4_096
  /// Maximum bytes of junk to skip in total.
  static let junkLimit = 1_048_576

  let reader: ByteReader
  let end: Int
  /// The offset at which the next marker is searched.
  private(set) var offset: Int
  /// Whether a segment extends past the end of the stream, or the stream ends between segments.
  private(set) var isCut = false
  private var segmentsLeft = Self.segmentLimit
  private var junkLeft = Self.junkLimit

  /// Starts after the SOI marker; nil if there is none.
  init?(_ reader: ByteReader, _ range: Range<Int>) {
    guard range.count > 2, reader.u16be(range.lowerBound) == 0xFFD8 else { return nil }
    self.reader = reader
    offset = range.lowerBound + 2
    end = min(range.upperBound, reader.count)
  }

  /// The next segment, including SOS and EOI; nil at the end.
  mutating func next() -> Segment? {
    while segmentsLeft > 0 {
      guard let marker = nextMarker() else { return nil }
      switch marker {
      case 0x01, 0xD0...0xD8:
        junkLeft -= 1
        continue  // no length follows
      case 0xD9: return Segment(marker: marker, body: offset..<offset)
      default: break
      }
      segmentsLeft -= 1
      guard offset + 2 <= end, let length = reader.u16be(offset) else {
        isCut = true
        return nil
      }
      let start = offset + 2
      let stop = offset + max(2, Int(length))
      offset = min(stop, end)
      if stop > end { isCut = true }
      return Segment(marker: marker, body: min(start, offset)..<offset)
    }
    return nil
  }

  /// Moves past the next marker and returns it.
  private mutating func nextMarker() -> UInt8? {
    while junkLeft > 0 {
      let start = offset
      // 0xFF may be repeated as padding; 0xFF00 is no marker.
      while offset < end, offset - start < junkLeft, let byte = reader.u8(offset), byte != 0xFF { offset += 1 }
      while offset < end, offset - start < junkLeft, reader.u8(offset) == 0xFF { offset += 1 }
      junkLeft -= offset - start
      guard offset < end, let marker = reader.u8(offset) else {
        isCut = true
        return nil
      }
      offset += 1
      if marker != 0, marker != 0xFF { return marker }
      junkLeft -= 1
    }
    return nil
  }
}

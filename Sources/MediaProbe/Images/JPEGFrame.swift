internal import MediaModel

/// The frame header of a JPEG stream.
struct JPEGFrame {
  let marker: UInt8
  let size: PixelSize

  /// Whether every decoder supports it: baseline, extended and progressive frames. Lossless frames are camera raw data.
  var isImage: Bool { (0xC0...0xC2).contains(marker) && size.isPositive }

  init?(_ segment: JPEGSegments.Segment, _ reader: ByteReader) {
    switch segment.marker {
    case 0xC4, 0xC8, 0xCC: return nil  // tables and the reserved marker, in the range of frame headers
    case 0xC0...0xCF: break
    default: return nil
    }
    let start = segment.body.lowerBound
    guard segment.body.count >= 6, let height = reader.u16be(start + 1), let width = reader.u16be(start + 3) else {
      return nil
    }
    marker = segment.marker
    size = PixelSize(width: Int(width), height: Int(height))
  }

  /// Whether a range ends with the end marker, apart from padding that cameras append.
  static func hasEnd(in reader: ByteReader, _ range: Range<Int>) -> Bool {
    let length = min(512, range.count)
    let tail = reader.bytes(range.upperBound - length, length)
    return zip(tail, tail.dropFirst()).contains { $0 == 0xFF && $1 == 0xD9 }
  }

  /// The frame header of the stream in a range of bytes; nil if there is none before the first scan.
  static func first(in reader: ByteReader, _ range: Range<Int>) -> JPEGFrame? {
    guard var segments = JPEGSegments(reader, range) else { return nil }
    while let segment = segments.next(), segment.marker != 0xDA, segment.marker != 0xD9 {
      if let frame = JPEGFrame(segment, reader) { return frame }
    }
    return nil
  }
}

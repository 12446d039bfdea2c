/// Boxes of the ISO base media file format (ISO/IEC 14496-12 §4.2) inside a range of the file, one after another.
struct BoxReader: Sequence, IteratorProtocol {
  struct Box {
    let type: FourCC
    /// What follows size and type; cut at the end of the parent.
    let body: Range<Int>
    /// Whether the box claims more than its parent holds.
    let isCut: Bool
  }

  /// More boxes on one level than any file needs.
  static let boxLimit = 16_384

  let reader: ByteReader
  private var offset: Int
  private let end: Int
  private var boxesLeft = Self.boxLimit

  init(_ reader: ByteReader, _ range: Range<Int>) {
    self.reader = reader
    offset = range.lowerBound
    end = Swift.min(range.upperBound, reader.count)
  }

  mutating func next() -> Box? {
    guard boxesLeft > 0, offset <= end - 8, let small = reader.u32be(offset), let type = reader.fourCC(offset + 4)
    else {
      return nil
    }
    boxesLeft -= 1
    var head = 8
    var size = Int(small)
    if size == 1 {
      // The size stands behind the type in eight bytes.
      guard offset <= end - 16, let large = reader.unsigned(offset + 8, width: 8) else { return nil }
      head = 16
      size = large
    } else if size == 0 {
      size = end - offset  // up to the end
    }
    guard size >= head else { return nil }
    let isCut = size > end - offset
    let stop = isCut ? end : offset + size
    let box = Box(type: type, body: offset + head..<stop, isCut: isCut)
    offset = stop
    return box
  }
}

extension BoxReader {
  /// The first box of a type.
  func first(_ type: FourCC) -> Box? { first { $0.type == type } }
}

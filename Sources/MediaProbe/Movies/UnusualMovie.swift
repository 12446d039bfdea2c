internal import ISOBaseMedia

/// What makes a movie box unusual: FFmpeg finds the facts of such a file.
struct UnusualMovie: Error {
  /// Throws if a condition does not hold.
  static func unless(_ isUsual: Bool) throws(UnusualMovie) {
    if !isUsual { throw UnusualMovie() }
  }
}

extension Box.MemorySource {
  /// Maximum number of boxes in a container; no usual movie has as many.
  private static var boxLimit: Int { 1_024 }

  /// The boxes in a range, which must all be whole and state their size in 32 bits: libavformat does not know other sizes everywhere. Fewer than
  /// eight trailing bytes are not a box.
  func boxes(in range: Range<Int>) throws(UnusualMovie) -> [Box] {
    let found = Array(BoxReader(self, range, .everyByte, limit: Self.boxLimit))
    let end = found.last?.range.upperBound ?? range.lowerBound
    for box in found {
      let stated = number(at: box.start, bytes: 4)
      try UnusualMovie.unless(box.isWhole && stated == UInt64(box.range.count))
    }
    try UnusualMovie.unless(range.upperBound - end < 8)
    return found
  }

  /// Like ``boxes(in:)``; none of the types may repeat, except for these.
  func distinctBoxes(in range: Range<Int>, repeating: Set<FourCC> = []) throws(UnusualMovie) -> [Box] {
    let found = try boxes(in: range)
    var types: Set<FourCC> = []
    for box in found where !repeating.contains(box.type) {
      try UnusualMovie.unless(types.insert(box.type).inserted)
    }
    return found
  }
}

/// Reads the fields of a box one after another, and throws where it ends early.
struct MovieFields {
  private var cursor: Box.Cursor<Box.MemorySource>

  init(_ source: Box.MemorySource, _ range: Range<Int>) { cursor = Box.Cursor(source, range) }

  /// Offsets of the bytes that have not been read.
  var rest: Range<Int> { cursor.offset..<max(cursor.offset, cursor.end) }

  /// The next number of 1 to 8 bytes; `Int.max` if it does not fit into an Int.
  mutating func unsigned(_ width: Int) throws(UnusualMovie) -> Int {
    guard let value = cursor.unsigned(width) else { throw UnusualMovie() }
    return value
  }

  /// The next number of 32 bits, in two's complement.
  mutating func signed() throws(UnusualMovie) -> Int32 {
    Int32(truncatingIfNeeded: try unsigned(4))
  }

  /// The next four characters.
  mutating func type() throws(UnusualMovie) -> FourCC {
    FourCC(rawValue: UInt32(truncatingIfNeeded: try unsigned(4)))
  }

  /// The version of a full box, which has 24 flags.
  mutating func version(_ versions: ClosedRange<Int> = 0...0) throws(UnusualMovie) -> (version: Int, flags: Int) {
    let word = try unsigned(4)
    try UnusualMovie.unless(versions.contains(word >> 24))
    return (word >> 24, word & 0xFF_FFFF)
  }

  /// Skips bytes, which must all be there.
  mutating func skip(_ count: Int) throws(UnusualMovie) {
    try UnusualMovie.unless(count <= rest.count)
    cursor.skip(count)
  }

  /// The number of records of these many bytes each, which must all be there.
  mutating func count(ofRecords width: Int) throws(UnusualMovie) -> Int {
    let count = try unsigned(4)
    try UnusualMovie.unless(count <= rest.count / width)
    return count
  }
}

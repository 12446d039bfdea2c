internal import ISOBaseMedia

/// A file of the ISO base media family while its metadata is overwritten, such as a video: input and output. Every access is checked, and a box has at least
/// eight bytes.
struct MovieFile {
  /// The file violates the format.
  struct Malformed: Error {}

  /// Maximum sibling boxes; an hour of video in fragments of a second has 7,200.
  private static let maxBoxes = 1 << 16

  /// The original bytes; empty if they are in ``source``.
  let file: [UInt8]
  /// A file that is not in memory.
  private let source: MovieReader?
  /// The resulting bytes; empty if ``plan`` collects them.
  var stripped: [UInt8]
  /// What changes of a file that is not in memory.
  private(set) var plan: StrippingPlan.Builder?
  /// The ranges of media data, in order.
  var media: [Range<Int>] = []
  /// Samples that may contain SEI messages. They are processed last, because others may overlap them.
  var claimed: [(samples: Range<Int>, units: NALUnits)] = []
  /// Whether it is a sequence of images (ISO/IEC 23008-12, 7), whose tracks have handlers of their own.
  var isSequence = false
  /// The samples of such a sequence.
  var sequenceSamples: [Range<Int>] = []
  /// Bytes of ``media`` that no sample has claimed yet; a budget against repeated copying.
  var unclaimed = 0

  init(_ file: [UInt8]) {
    (self.file, source) = (file, nil)
    stripped = file
  }

  init(_ source: MovieReader) {
    (file, self.source) = ([], source)
    (stripped, plan) = ([], StrippingPlan.Builder())
  }

  /// Number of bytes.
  var count: Int { source?.count ?? file.count }

  /// An original byte inside the file.
  func byte(_ index: Int) -> UInt8 { source?.byte(at: index) ?? file[index] }

  /// A big-endian number of `count` bytes at an offset in a range.
  func number(_ range: Range<Int>, _ offset: Int, _ count: Int) throws(Malformed) -> Int {
    var number: UInt64 = 0
    for index in try part(range, offset, count) { number = number << 8 | UInt64(byte(index)) }
    guard let number = Int(exactly: number) else { throw Malformed() }
    return number
  }

  /// Four characters at an offset of a range.
  func name(_ range: Range<Int>, _ offset: Int) throws(Malformed) -> FourCC {
    FourCC(rawValue: UInt32(truncatingIfNeeded: try number(range, offset, 4)))
  }

  /// The bytes of `count` samples of the same size.
  static func product(_ size: Int, _ count: Int) throws(Malformed) -> Int {
    let (product, overflows) = size.multipliedReportingOverflow(by: count)
    guard !overflows else { throw Malformed() }
    return product
  }

  /// A subrange of `count` bytes at an offset in a range.
  func part(_ range: Range<Int>, _ offset: Int, _ count: Int) throws(Malformed) -> Range<Int> {
    guard offset >= 0, count >= 0, offset <= range.count, count <= range.count - offset else { throw Malformed() }
    return (range.lowerBound + offset)..<(range.lowerBound + offset + count)
  }

  /// The rest of a range after `offset` bytes.
  func behind(_ offset: Int, _ range: Range<Int>) throws(Malformed) -> Range<Int> {
    guard offset <= range.count else { throw Malformed() }
    return (range.lowerBound + offset)..<range.upperBound
  }

  /// The boxes in a range. Trailing bytes form an incomplete box; fewer than eight bytes are not a box.
  func children(of range: Range<Int>) throws(Malformed) -> [Box] {
    let limit = Self.maxBoxes + 1
    let boxes =
      if let source {
        Array(BoxReader(source, range, .everyByte, limit: limit))
      } else {
        Array(BoxReader(Box.MemorySource(file), range, .everyByte, limit: limit))
      }
    guard boxes.count <= Self.maxBoxes else { throw Malformed() }
    return boxes
  }

  /// The only box of a type.
  func one(_ type: FourCC, of boxes: [Box]) throws(Malformed) -> Box {
    let boxes = boxes.filter { $0.type == type }
    guard boxes.count == 1, let box = boxes.first, box.isWhole else { throw Malformed() }
    return box
  }

  /// Returns the boxes of these types in a range, and overwrites all others.
  mutating func keep(_ types: [FourCC], in range: Range<Int>) throws(Malformed) -> [Box] {
    let boxes = try children(of: range)
    for box in boxes where !types.contains(box.type) { try overwrite(box) }
    let kept = boxes.filter { types.contains($0.type) }
    guard kept.allSatisfy(\.isWhole) else { throw Malformed() }
    zero((boxes.last?.body.upperBound ?? range.lowerBound)..<range.upperBound)
    return kept
  }

  /// Turns a box into a `free` box of equal size.
  mutating func overwrite(_ box: Box) throws(Malformed) {
    let end = box.body.upperBound
    // A padding box keeps its type.
    let type: FourCC = ["free", "skip", "wide"].contains(box.type) ? box.type : "free"
    for (index, byte) in type.bytes.enumerated() { set(box.start + 4 + index, byte) }
    guard !box.isWhole || box.body.lowerBound == box.start + 8 else { return zero(box.body) }
    guard let size = UInt32(exactly: end - box.start) else { throw Malformed() }
    for byte in 0..<4 { set(box.start + byte, UInt8(truncatingIfNeeded: size >> UInt32(24 - 8 * byte))) }
    zero((box.start + 8)..<end)
  }

  mutating func zero(_ range: Range<Int>) {
    guard plan == nil else {
      plan?.fill(range, 0)
      return
    }
    for index in range { stripped[index] = 0 }
  }

  /// Overwrites a byte.
  mutating func set(_ index: Int, _ byte: UInt8) {
    if plan == nil { stripped[index] = byte } else { plan?.fill(index..<(index + 1), byte) }
  }

  /// Keeps bytes of ``media``: one or several consecutive samples.
  mutating func claim(_ start: Int, _ count: Int, _ units: NALUnits?) throws(Malformed) {
    guard count > 0 else { return }
    var (low, high) = (0, media.count)
    while low < high {
      let middle = (low + high) / 2
      if media[middle].upperBound <= start { low = middle + 1 } else { high = middle }
    }
    guard count <= unclaimed, media.indices.contains(low), media[low].contains(start),
      count <= media[low].upperBound - start
    else { throw Malformed() }
    unclaimed -= count
    let range = start..<(start + count)
    if plan == nil {
      stripped.replaceSubrange(range, with: file[range])
    } else {
      plan?.keep(range)
      guard plan?.isTooLarge == false else { throw Malformed() }
    }
    if let units { claimed.append((range, units)) }
    guard isSequence else { return }
    guard sequenceSamples.count < Self.maxBoxes else { throw Malformed() }
    sequenceSamples.append(range)
  }
}

/// The parts of a file that have been fetched, and the plan of what to fetch next.
///
/// A reader of headers takes a few bytes here and there, and each request costs a round trip. So 256 KiB are fetched round each jump, and twice as much
/// as before when reading continues where a window ends.
struct RangeWindows: Sendable {
  /// Bytes of the first window and of one round a jump.
  static let base = 262_144
  /// Bytes of the largest window.
  static let largest = 8_388_608
  /// Shorter gaps are fetched with the window next to them.
  private static let gap = 65_536
  /// Number of jumps after which windows round jumps become larger too.
  private static let manyJumps = 8

  /// Size of the file.
  let size: Int
  /// In the order of their offsets, without overlaps.
  private var windows: [(start: Int, bytes: [UInt8])] = []
  private var jumps = 0

  init(size: Int) { self.size = size }

  /// Adds bytes that were fetched. What is there already is kept.
  mutating func add(_ bytes: [UInt8], at start: Int) {
    var start = start
    var rest = bytes[...]
    for window in windows where !rest.isEmpty {
      let end = window.start + window.bytes.count
      guard start < end else { continue }
      if start < window.start, start + rest.count > window.start {
        insert(Array(rest.prefix(window.start - start)), at: start)
      }
      guard start + rest.count > window.start else { break }
      rest = rest.dropFirst(min(rest.count, end - start))
      start = end
    }
    if !rest.isEmpty { insert(Array(rest), at: start) }
  }

  private mutating func insert(_ bytes: [UInt8], at start: Int) {
    let index = windows.firstIndex { $0.start > start } ?? windows.endIndex
    windows.insert((start, bytes), at: index)
  }

  /// The bytes of a range; nil if some are missing.
  func bytes(_ range: Range<Int>) -> [UInt8]? {
    var result: [UInt8] = []
    result.reserveCapacity(range.count)
    for window in windows {
      let wanted = range.lowerBound + result.count
      guard window.start <= wanted, wanted - window.start < window.bytes.count else { continue }
      result += window.bytes[(wanted - window.start)...].prefix(range.count - result.count)
      if result.count == range.count { return result }
    }
    return range.isEmpty ? [] : nil
  }

  /// The next part to fetch for a range inside the file; nil if nothing is missing.
  mutating func missing(in range: Range<Int>) -> Range<Int>? {
    var first = range.lowerBound
    // The length of the window that ends where something is missing.
    var before = 0
    var floor = 0
    for window in windows {
      let end = window.start + window.bytes.count
      if window.start <= first, first < end {
        (first, before) = (end, window.bytes.count)
      } else if end == first {
        before = window.bytes.count
      }
      if end <= first { floor = end }
    }
    guard first < range.upperBound else { return nil }
    let ceiling = windows.first { $0.start > first }?.start ?? size
    var length: Int
    if before > 0 {
      length = min(Self.largest, max(Self.base, 2 * before))
    } else {
      jumps += 1
      length = min(Self.largest, Self.base << min(5, max(0, jumps - Self.manyJumps)))
    }
    length = max(length, min(Self.largest, range.upperBound - first))
    var start = first
    if before == 0 { start = max(floor, first / 4_096 * 4_096) }
    var end = min(ceiling, start + length)
    if ceiling - end < Self.gap { end = ceiling }
    // Near the end, a whole window before it: other readers look at other trailers.
    if end == size { start = max(floor, min(start, end - length)) }
    if start - floor < Self.gap { start = floor }
    return start..<end
  }
}

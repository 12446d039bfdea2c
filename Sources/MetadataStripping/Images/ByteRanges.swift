/// Sets of bytes of a file, as ranges.
enum ByteRanges {
  /// The ranges in order, those that overlap or meet as one.
  static func union(_ ranges: [Range<Int>]) -> [Range<Int>] {
    var union: [Range<Int>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
      if let last = union.last, range.lowerBound <= last.upperBound {
        union[union.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        union.append(range)
      }
    }
    return union
  }

  /// Whether two sets, each made by ``union(_:)``, have a byte in common.
  static func overlap(_ some: [Range<Int>], _ others: [Range<Int>]) -> Bool {
    var (index, other) = (0, 0)
    while index < some.count, other < others.count {
      if some[index].overlaps(others[other]) { return true }
      if some[index].upperBound <= others[other].lowerBound { index += 1 } else { other += 1 }
    }
    return false
  }
}

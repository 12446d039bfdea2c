internal import Testing

@testable internal import MediaServer

/// RFC 9110, section 14.
@Suite struct ByteRangeTests {
  @Test(
    "A range is read as the RFC says",
    arguments: [
      ("bytes=0-499", 1_000, ByteRange.bytes(0..<500)), ("bytes=500-999", 1_000, .bytes(500..<1_000)),
      ("bytes=-500", 1_000, .bytes(500..<1_000)), ("bytes=9500-", 10_000, .bytes(9_500..<10_000)),
      ("bytes=0-0", 1_000, .bytes(0..<1)), ("bytes=-1", 1_000, .bytes(999..<1_000)), ("bytes=0-", 1, .bytes(0..<1)),
      ("BYTES=0-1", 9, .bytes(0..<2)), ("bytes= 0-1 ", 9, .bytes(0..<2)),
      // Beyond the end: as much as there is.
      ("bytes=0-5000", 1_000, .bytes(0..<1_000)), ("bytes=-5000", 1_000, .bytes(0..<1_000)),
      ("bytes=999-1000", 1_000, .bytes(999..<1_000)),
      ("bytes=1-99999999999999999999999", 1_000, .bytes(1..<1_000)),
      ("bytes=1-9223372036854775807", 1_000, .bytes(1..<1_000)),
      ("bytes=-99999999999999999999999", 1_000, .bytes(0..<1_000)),
      // Nothing of it exists.
      ("bytes=1000-", 1_000, .unsatisfiable), ("bytes=1000-1000", 1_000, .unsatisfiable),
      ("bytes=99999999999999999999999-", 1_000, .unsatisfiable), ("bytes=-0", 1_000, .unsatisfiable),
      ("bytes=0-", 0, .unsatisfiable), ("bytes=0-0", 0, .unsatisfiable), ("bytes=-0", 0, .unsatisfiable),
      // No Content-Range could state the last bytes of nothing.
      ("bytes=-5", 0, .everything),
      // Malformed, in another unit, or several: ignored.
      ("bytes=500-100", 1_000, .everything), ("bytes=", 1_000, .everything), ("bytes", 1_000, .everything),
      ("bytes=-", 1_000, .everything), ("bytes=a-b", 1_000, .everything), ("bytes=+1-2", 1_000, .everything),
      ("bytes=1--2", 1_000, .everything), ("bytes=--2", 1_000, .everything), ("bytes=0x1-2", 1_000, .everything),
      ("bytes=1.5-2", 1_000, .everything), ("bytes=1 - 2", 1_000, .everything), ("bytes 0-1", 1_000, .everything),
      ("bytes=\u{661}-2", 1_000, .everything), ("items=0-1", 1_000, .everything), ("", 1_000, .everything),
      ("bytes=0-0,2-3", 1_000, .everything), ("bytes=0-0, -1", 1_000, .everything),
      ("bytes=2000-,3000-", 1_000, .everything), ("bytes=0-1,", 1_000, .everything), ("=0-1", 1_000, .everything),
    ] as [(String, Int, ByteRange)])
  func parsing(field: String, size: Int, expected: ByteRange) {
    #expect(ByteRange(field, size: size) == expected)
  }

  @Test("Thousands of ranges are ignored")
  func flood() {
    let field = "bytes=" + (0..<5_000).map { "\($0)-\($0)" }.joined(separator: ",")
    #expect(ByteRange(field, size: 10_000) == .everything)
  }

  @Test("Any field gives a range inside of the representation, or none", arguments: [0, 1, 2, 1_000, .max])
  func inside(size: Int) {
    let numbers = ["", "0", "1", "999", "1000", "9223372036854775806", "9223372036854775807", "9223372036854775808"]
    for first in numbers {
      for last in numbers {
        guard case .bytes(let range) = ByteRange("bytes=\(first)-\(last)", size: size) else { continue }
        #expect(!range.isEmpty)
        #expect(range.lowerBound >= 0)
        #expect(range.upperBound <= size)
      }
    }
  }
}

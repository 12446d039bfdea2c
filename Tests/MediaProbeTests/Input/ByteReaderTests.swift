internal import MediaModel
internal import Testing

@testable internal import MediaProbe

@Suite struct ByteReaderTests {
  /// Bytes that identify their own offset, and a reader that records what it loads.
  private final class Log {
    var loads: [Range<Int>] = []
  }

  private func reader(_ count: Int) -> (ByteReader, Log) {
    let log = Log()
    let reader = ByteReader(count: count) { (offset, length) throws(MediaFailure) in
      let end = min(count, offset + length)
      log.loads.append(offset..<end)
      return (offset..<end).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    }
    return (reader, log)
  }

  @Test func `Reads past the end are nil`() {
    let (reader, _) = reader(100)
    #expect(reader.u8(99) != nil)
    #expect(reader.u8(100) == nil)
    #expect(reader.u8(-1) == nil)
    #expect(reader.u8(.max) == nil)
    #expect(reader.u32be(97) == nil)
    #expect(reader.u64le(.max - 2) == nil)
    #expect(reader.slice(90, 11) == nil)
    #expect(reader.slice(90, .max) == nil)
    #expect(reader.slice(100, 0) == [])
    #expect(reader.bytes(90, .max).count == 10)
    #expect(reader.bytes(.max, 10) == [])
    #expect(reader.unsigned(0, width: 9) == nil)
    #expect(reader.unsigned(0, width: 0) == 0)
  }

  @Test func `Numbers are the same inside a window and across its edge`() {
    let (reader, log) = reader(200_000)
    for offset in [0, 10, 65_530, 65_533, 65_535, 131_069, 199_990] {
      let bytes = (0..<8).map { UInt64(UInt8(truncatingIfNeeded: (offset + $0) &* 31)) }
      #expect(reader.u64be(offset) == bytes.reduce(0) { $0 << 8 | $1 }, "\(offset)")
      #expect(reader.u64le(offset) == bytes.reversed().reduce(0) { $0 << 8 | $1 }, "\(offset)")
    }
    #expect(log.loads.count > 1)
  }

  @Test func `A header costs one read`() {
    let (reader, log) = reader(5_000_000)
    _ = reader.u16be(0)
    _ = reader.bytes(2, 10_000)
    _ = reader.u8(65_535)
    #expect(log.loads == [0..<65_536])
  }

  @Test func `Jumps read little and sequential reads grow`() {
    let (reader, log) = reader(5_000_000)
    _ = reader.u8(0)
    _ = reader.u8(1_000_000)
    #expect(log.loads[1].count == ByteReader.jumpSize)
    var at = log.loads[1].upperBound
    for wanted in [8_192, 16_384, 32_768, 65_536, 65_536] {
      _ = reader.u8(at)
      #expect(log.loads[log.loads.count - 1].count == wanted)
      at = log.loads[log.loads.count - 1].upperBound
    }
  }

  @Test func `The header is never read twice`() {
    let (reader, log) = reader(5_000_000)
    _ = reader.u8(0)
    for index in 1...20 { _ = reader.u8(index * 200_000) }
    _ = reader.u8(5)
    #expect(log.loads.filter { $0.lowerBound == 0 }.count == 1)
  }

  @Test func `A peek does not read ahead`() {
    let (reader, log) = reader(5_000_000)
    _ = reader.u8(0)
    #expect(reader.peek(1_000_000, 8).count == 8)
    #expect(log.loads[1] == 1_000_000..<1_000_008)
  }

  @Test func `Peeks close together share a window`() {
    let (reader, log) = reader(5_000_000)
    for index in 0..<100_000 { _ = reader.peek(index * 40, 8) }
    #expect(log.loads.count < 80)
  }

  @Test func `Joined ranges are contiguous`() {
    let whole = ByteReader((0..<100).map { UInt8($0) })
    let pieces = ByteReader([10..<13, 50..<50, 20..<22], of: whole)
    #expect(pieces.count == 5)
    #expect(pieces.bytes(0, 10) == [10, 11, 12, 20, 21])
    #expect(pieces.bytes(2, 2) == [12, 20])
    // A piece that the file does not have ends the run.
    #expect(ByteReader([98..<102, 0..<2], of: whole).bytes(0, 10) == [98, 99])
  }

  @Test func `The first failure ends reading and is kept`() {
    var calls = 0
    let reader = ByteReader(count: 1_000_000) { (_, _) throws(MediaFailure) in
      calls += 1
      throw MediaFailure(calls == 1 ? .timedOut : .unreadable, "")
    }
    #expect(reader.u8(0) == nil)
    #expect(reader.u8(500_000) == nil)
    #expect(reader.bytes(0, 100_000) == [])
    #expect(reader.failure?.code == .timedOut)
    #expect(calls == 1)
  }
}

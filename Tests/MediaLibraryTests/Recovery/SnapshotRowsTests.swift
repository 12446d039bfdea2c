internal import GRDB
internal import Testing

@testable internal import MediaLibrary

@Suite("Readable parts of a range in a snapshot (R-MYM-23)") struct SnapshotRowsTests {
  /// Reads a range whose damaged part cannot be read.
  private func read(
    _ range: ClosedRange<Int64>, damaged: ClosedRange<Int64>
  ) throws -> (read: [ClosedRange<Int64>], unread: [ClosedRange<Int64>], attempts: Int) {
    var read: [ClosedRange<Int64>] = []
    var attempts = 0
    let unread = try SnapshotRows.unread(in: range) { part in
      attempts += 1
      if part.overlaps(damaged) { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
      read.append(part)
    }
    return (read, unread, attempts)
  }

  @Test(
    "A small damaged part costs only its own ids", arguments: [1...1, 77...140, 1_000...1_000] as [ClosedRange<Int64>])
  func small(damaged: ClosedRange<Int64>) throws {
    let (read, unread, _) = try read(1...1_000, damaged: damaged)
    #expect(unread == [damaged])
    #expect(read.reduce(0) { $0 + $1.count } == 1_000 - damaged.count)
  }

  @Test("A large damaged part does not use up the attempts that find the rows behind it") func large() throws {
    let damaged: ClosedRange<Int64> = 5_001...17_000
    let (read, unread, attempts) = try read(1...100_000, damaged: damaged)
    #expect(attempts <= 2_001)
    #expect(unread.count == 1)
    let part = try #require(unread.first)
    #expect(part.lowerBound <= damaged.lowerBound)
    #expect(part.upperBound >= damaged.upperBound)
    #expect(part.count < damaged.count + 200, "\(part)")
    #expect(read.reduce(0) { $0 + $1.count } == 100_000 - part.count)
  }

  @Test("All ids that are not known to be rows can be searched") func endless() throws {
    let (_, unread, _) = try read(1...Int64.max, damaged: 4_000...4_100)
    #expect(unread == [4_000...4_100])
  }

  @Test("Parts that share their halvings do not multiply the attempts, and each is read once") func shared() throws {
    let halvings = SnapshotRows.SplitBudget()
    var attempts = 0
    for number in 0..<100 as Range<Int64> {
      let part = number * 10_000 + 1...(number + 1) * 10_000
      let unread = try SnapshotRows.unread(in: part, sharing: halvings) { _ in
        attempts += 1
        throw DatabaseError(resultCode: .SQLITE_CORRUPT)
      }
      #expect(unread == [part])
    }
    #expect(attempts == 2_100)
  }
}

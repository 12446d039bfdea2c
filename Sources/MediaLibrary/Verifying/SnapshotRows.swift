internal import FileSupport
internal import GRDB

/// The snapshots from which rows of damaged pages are taken, the latest first, each attached as `saved` while it is read.
///
/// An earlier snapshot is only read for what a later one could not be read for. A row that a later one can be read for and does not have was erased before it, or
/// is newer than it: the earlier one must not bring it back.
struct SnapshotRows {
  /// A snapshot in which ids mean the same files as in the damaged catalogue.
  struct Snapshot {
    let path: PathBytes
    /// Its name for SQLite, which writes nothing to it.
    let uri: String
  }

  let snapshots: [Snapshot]

  /// Takes rows by their ids.
  /// - Parameters:
  ///   - gaps: The ids of rows that cannot be read in the damaged catalogue.
  ///   - take: Takes the rows of a range. It may be called again for parts of the range if a page cannot be read.
  func fill(
    _ gaps: [ClosedRange<Int64>], _ db: Database, take: (ClosedRange<Int64>, PathBytes) throws -> Void
  ) throws {
    var rest = gaps
    for snapshot in snapshots where !rest.isEmpty {
      try attached(snapshot, db) {
        rest = try rest.flatMap { gap in try Self.unread(in: gap) { try take($0, snapshot.path) } }
      }
    }
  }

  /// Takes rows that mean the same in every snapshot, such as facts of a digest.
  func fillFromAll(
    _ gaps: [ClosedRange<Int64>], _ db: Database, take: (ClosedRange<Int64>) throws -> Void
  ) throws {
    for snapshot in snapshots where !gaps.isEmpty {
      try attached(snapshot, db) { for gap in gaps { _ = try Self.unread(in: gap, take) } }
    }
  }

  /// Takes rows without ids from each snapshot, the latest first, until one was read as a whole: earlier ones have nothing more that was not removed since.
  /// - Parameter take: Takes what can be read, and returns whether that is all.
  func fillUntilWhole(_ db: Database, take: () throws -> Bool) throws {
    var isWhole = false
    for snapshot in snapshots where !isWhole {
      try attached(snapshot, db) {
        let outcome = try Self.outcome { isWhole = try take() }
        isWhole = isWhole && outcome == .read
      }
    }
  }

  private func attached(_ snapshot: Snapshot, _ db: Database, _ body: () throws -> Void) throws {
    let outcome = try Self.outcome { try db.execute(sql: "ATTACH ? AS saved", arguments: [snapshot.uri]) }
    guard outcome == .read else { return }
    defer { try? db.execute(sql: "DETACH saved") }
    try body()
  }

  /// How many ranges may still be halved to find their readable parts.
  final class SplitBudget {
    fileprivate var left = 1_000
  }

  /// Reads a range of keys, and its halves where a page is damaged: the largest ones first, so that a large damaged part does not use up what finds the
  /// readable rows behind it.
  /// - Parameters:
  ///   - range: With no more than `Int64.max` between its ends.
  ///   - halvings: Those that are left; also of other ranges, if they share them. A range is read at least once.
  /// - Returns: The parts that cannot be read, in order.
  static func unread(
    in range: ClosedRange<Int64>, sharing halvings: SplitBudget = SplitBudget(),
    _ read: (ClosedRange<Int64>) throws -> Void
  ) throws -> [ClosedRange<Int64>] {
    var unread: [ClosedRange<Int64>] = []
    var waiting = [range]
    var first = 0
    while first < waiting.count {
      let next = waiting[first]
      first += 1
      switch try outcome({ try read(next) }) {
      case .read: break
      case .missing: return [range]
      case .damaged where halvings.left > 0 && next.lowerBound < next.upperBound:
        halvings.left -= 1
        let middle = next.lowerBound + (next.upperBound - next.lowerBound) / 2
        waiting.append(next.lowerBound...middle)
        waiting.append(middle + 1...next.upperBound)
      case .damaged: unread.append(next)
      }
    }
    return joined(unread)
  }

  /// Disjoint ranges in order, with adjacent ones as one.
  private static func joined(_ ranges: [ClosedRange<Int64>]) -> [ClosedRange<Int64>] {
    var joined: [ClosedRange<Int64>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = joined.last, last.upperBound == range.lowerBound - 1 {
        joined[joined.count - 1] = last.lowerBound...range.upperBound
      } else {
        joined.append(range)
      }
    }
    return joined
  }

  private enum Outcome {
    case read
    /// A page that is needed is damaged.
    case damaged
    /// A table or an index is missing.
    case missing
  }

  private static func outcome(_ body: () throws -> Void) throws -> Outcome {
    do {
      try body()
      return .read
    } catch let error as DatabaseError where error.isDamage {
      return .damaged
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      return .missing
    }
  }
}

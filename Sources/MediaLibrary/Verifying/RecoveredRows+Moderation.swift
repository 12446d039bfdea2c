internal import GRDB

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Decisions of moderation on damaged pages. What the snapshot has of them is taken in the stricter way: a block too many is seen and ended by a moderator, one
/// too few shows what nobody may see.
extension RecoveredRows {
  /// Copies the decisions about contents, and takes those of damaged pages from the snapshot.
  func copyDecisionsOnContents() throws {
    let isBlockedWhole = try copyByDigest("blocked")
    let isVerdictWhole = try copyByDigest("verdict")
    guard hasSnapshot else { return }
    if !isBlockedWhole {
      try attempt(
        "INSERT OR IGNORE INTO main.blocked (digest, reason, actor, time) SELECT digest, reason, actor, time FROM saved.blocked"
      )
    }
    // Whether it is still clean is not known, so it is scanned again.
    if !isVerdictWhole {
      try attempt(
        """
        INSERT OR IGNORE INTO main.verdict (digest, state, detail, engine, signatures, time, due, attempts)
        SELECT digest, iif(state = 2, 2, 0), iif(state = 2, detail, NULL), iif(state = 2, engine, NULL),
          iif(state = 2, signatures, NULL), time, iif(state = 2, due, 0), 0 FROM saved.verdict
        """)
    }
  }

  /// Takes decisions about files and the audit trail of damaged pages from the snapshot.
  func fillDecisions(_ gaps: [String: [ClosedRange<Int64>]]) throws {
    guard hasSnapshot else { return }
    for (table, key) in [("file_flag", "file"), ("report", "file"), ("audit", "id")] {
      let list = try columns(of: table, in: "saved").joined(separator: ", ")
      guard !list.isEmpty else { continue }
      for gap in gaps[table] ?? [] {
        try attempt(
          "INSERT OR IGNORE INTO main.\(table) (\(list)) SELECT \(list) FROM saved.\(table) WHERE \(key) BETWEEN ? AND ?",
          [gap.lowerBound, gap.upperBound])
      }
    }
  }

  /// Copies the rows of a table whose key is a digest, from both ends up to the damaged pages.
  /// - Returns: Whether all rows were read.
  private func copyByDigest(_ table: String) throws -> Bool {
    let list = try columns(of: table, in: "old").joined(separator: ", ")
    // An earlier version has no such table.
    guard !list.isEmpty else { return true }
    if try copy(table, list, isAscending: true) { return true }
    _ = try copy(table, list, isAscending: false)
    return false
  }

  /// - Returns: Whether the other end was reached.
  private func copy(_ table: String, _ list: String, isAscending: Bool) throws -> Bool {
    let (order, comparison, reverse, last) =
      isAscending ? ("ASC", ">", "<=", "max") : ("DESC", "<", ">=", "min")
    // Before and after all digests, which have 32 bytes.
    var position = isAscending ? Data() : Data(repeating: 0xFF, count: 33)
    var limit = DamagedTable.batch
    while true {
      do {
        let next = try Data.fetchOne(
          db,
          sql: """
            SELECT \(last)(digest) FROM (
              SELECT digest FROM old.\(table) WHERE digest \(comparison) ? AND typeof(digest) = 'blob'
              ORDER BY digest \(order) LIMIT ?)
            """, arguments: [position, limit])
        guard let next else { return true }
        let isBeyond = isAscending ? position.lexicographicallyPrecedes(next) : next.lexicographicallyPrecedes(position)
        // A damaged page may have any keys.
        guard isBeyond else { return false }
        try db.execute(
          sql: """
            INSERT OR IGNORE INTO main.\(table) (\(list))
            SELECT \(list) FROM old.\(table) WHERE digest \(comparison) ? AND digest \(reverse) ?
            """, arguments: [position, next])
        position = next
        limit = min(limit * 4, DamagedTable.batch)
      } catch let error as DatabaseError where error.isDamage {
        guard limit > 1 else { return false }
        limit = max(1, limit / 8)
      }
    }
  }
}

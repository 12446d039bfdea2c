internal import GRDB

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Decisions of moderation on damaged pages. What a snapshot has of them is taken in the stricter way: a block too many is seen and ended by a moderator, one
/// too few shows what nobody may see.
extension RecoveredRows {
  /// A verdict of a snapshot: whether a content is still clean is not known, so it is scanned again.
  private static let savedVerdict = [
    "state": ifInfected(infected, else: Moderation.Verdict.State.pending.sql),
    "detail": ifInfected("detail", else: "NULL"), "engine": ifInfected("engine", else: "NULL"),
    "signatures": ifInfected("signatures", else: "NULL"), "due": ifInfected("due", else: "0"), "attempts": "0",
    // It may have ended since.
    "accepted": "0",
  ]

  private static let infected = Moderation.Verdict.State.infected.sql

  /// SQL of a value for an infected content, and of one for any other.
  private static func ifInfected(_ value: String, else other: String) -> String {
    "iif(state = \(infected), \(value), \(other))"
  }

  /// Copies the decisions about file contents, and takes those of damaged pages from snapshots: from the latest one what can be read of it, and from an earlier one
  /// only if a later one has damaged pages of them too.
  /// - Returns: Whether all could be read.
  func copyDecisionsOnContents() throws -> Bool {
    var isWhole = true
    for (table, values) in [("blocked", [String: String]()), ("verdict", Self.savedVerdict)] {
      if try copyByDigest(table, from: "old") { continue }
      isWhole = false
      try saved.fillUntilWhole(db) { try copyByDigest(table, from: "saved", as: values) }
    }
    return isWhole
  }

  /// Tables of decisions, each with the key of its rows.
  private static let decisions = [
    ("file_flag", "file"), ("report", "file"), ("moment_report", "moment"), ("trip_report", "trip"), ("audit", "id"),
    ("blocked_image", "id"),
  ]

  /// Takes decisions about files and moments and the audit trail of damaged pages from snapshots.
  /// - Returns: Whether there are damaged pages of them.
  func fillDecisions(_ gaps: [String: [ClosedRange<Int64>]]) throws -> Bool {
    var isDamaged = false
    for (table, key) in Self.decisions {
      // An earlier version has no such table.
      guard try !columns(of: table, in: "old").isEmpty, let gaps = gaps[table], !gaps.isEmpty else { continue }
      isDamaged = true
      try saved.fill(gaps, db) { gap, _ in
        let list = try columns(of: table, in: "saved").joined(separator: ", ")
        // A snapshot of an earlier version has no decisions.
        guard !list.isEmpty else { return }
        try db.execute(
          sql:
            "INSERT OR IGNORE INTO main.\(table) (\(list)) SELECT \(list) FROM saved.\(table) WHERE \(key) BETWEEN ? AND ?",
          arguments: [gap.lowerBound, gap.upperBound])
      }
    }
    return isDamaged
  }

  /// Holds the moments and trips of damaged pages again about which that was the last decision: a snapshot may be older.
  func holdAgain() throws {
    for table in ["moment", "trip"] {
      try db.execute(
        sql: """
          UPDATE main.\(table) SET state = \(Moment.State.held.sql)
            WHERE state = \(Moment.State.shown.sql) AND id NOT IN (SELECT id FROM temp.copied_\(table)) AND id IN (
            SELECT \(table) FROM (SELECT \(table), action, max(id) FROM main.audit
              WHERE \(table) IS NOT NULL AND action IN ('hold', 'release') GROUP BY \(table)) WHERE action = 'hold')
          """)
    }
  }

  /// Ends the acceptances of file contents that are not the last decision in the audit trail: a snapshot may be older, and without an entry nobody knows.
  func endLostAcceptances() throws {
    try db.execute(
      sql: """
        UPDATE main.verdict SET accepted = 0 WHERE accepted AND digest NOT IN (
          SELECT digest FROM (SELECT digest, action, max(id) FROM main.audit
            WHERE digest IS NOT NULL AND action IN ('accept', 'block', 'infected') GROUP BY digest) WHERE action = 'accept')
        """)
  }

  /// Copies the rows of a table whose key is a digest. Each first byte is read from both ends, up to the damaged pages.
  /// - Parameters:
  ///   - schema: The catalogue that has the rows.
  ///   - values: SQL of the columns that are not copied as they are.
  /// - Returns: Whether all rows were read.
  private func copyByDigest(_ table: String, from schema: String, as values: [String: String] = [:]) throws -> Bool {
    let columns = try columns(of: table, in: schema)
    // An earlier version has no such table.
    guard !columns.isEmpty else { return true }
    let rows = DigestRows(
      table: table, source: "\(schema).\(table)", columns: columns.joined(separator: ", "),
      values: columns.map { values[$0] ?? $0 }.joined(separator: ", "))
    var isWhole = true
    for first in UInt8.min...UInt8.max {
      // All digests have 32 bytes, so those that begin with this byte are between the two.
      let end = first == .max ? Data(repeating: first, count: 33) : Data([first + 1])
      if try copy(rows, from: Data([first]), to: end, isAscending: true) { continue }
      isWhole = false
      _ = try copy(rows, from: Data([first]), to: end, isAscending: false)
    }
    return isWhole
  }

  /// Rows whose key is a digest: the table, where they are, and SQL of their columns and values.
  private struct DigestRows {
    let table: String
    let source: String
    let columns: String
    let values: String
  }

  /// Copies rows with digests between two values, until a page cannot be read.
  /// - Returns: Whether all were read.
  private func copy(_ rows: DigestRows, from start: Data, to end: Data, isAscending: Bool) throws -> Bool {
    var (low, high) = (start, end)
    var limit = DamagedTable.batch
    while true {
      do {
        let next = try Data.fetchOne(
          db,
          sql: """
            SELECT \(isAscending ? "max" : "min")(digest) FROM (
              SELECT digest FROM \(rows.source) WHERE digest > ? AND digest < ? AND typeof(digest) = 'blob'
              ORDER BY digest \(isAscending ? "ASC" : "DESC") LIMIT ?)
            """, arguments: [low, high, limit])
        guard let next else { return true }
        // A damaged page may have any keys.
        guard low.lexicographicallyPrecedes(next), next.lexicographicallyPrecedes(high) else { return false }
        let range: StatementArguments = isAscending ? [low, next, low] : [next, high, next]
        try db.execute(
          sql: """
            INSERT OR IGNORE INTO main.\(rows.table) (\(rows.columns)) SELECT \(rows.values) FROM \(rows.source)
            WHERE digest >= ? AND digest \(isAscending ? "<=" : "<") ? AND digest \(isAscending ? ">" : ">=") ?
            """, arguments: range)
        if isAscending { low = next } else { high = next }
        limit = min(limit * 4, DamagedTable.batch)
      } catch let error as DatabaseError where error.isDamage {
        guard limit > 1 else { return false }
        limit = max(1, limit / 8)
      }
    }
  }
}

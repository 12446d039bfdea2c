internal import GRDB

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Pages of blocks, reports and the audit trail, most recent first.
extension SQLiteCatalogue {
  func blocks(after: CatalogueFile.Cursor?, limit: Int) throws(LibraryError) -> Moderation.BlockPage {
    let limit = Self.limit(limit)
    let start = try after.map { (cursor) throws(LibraryError) in try CursorWord(cursor, "mb", numbers: 1) }
    return try read { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT reason, actor, time, digest FROM blocked INDEXED BY blocked_time WHERE (time, digest) < (?, ?)
          ORDER BY time DESC, digest DESC LIMIT ?
          """, arguments: [start?.numbers[0] ?? Int64.max, Data(start?.name ?? []), limit + 1])
      var page = Moderation.BlockPage(blocks: [])
      for row in rows.prefix(limit) {
        guard let content = try FileRows.data(row, 3).flatMap({ ContentDigest(bytes: $0) }) else { continue }
        page.blocks.append(Moderation.Block(content: content, decision: try ModerationRows.decision(row, from: 0)))
      }
      if rows.count > limit, let last = page.blocks.last {
        page.next = CursorWord("mb", [Int64(last.decision.time)], name: last.content.bytes).cursor
      }
      return page
    }
  }

  func reports(after: CatalogueFile.Cursor?, limit: Int) throws(LibraryError) -> Moderation.ReportPage {
    let limit = Self.limit(limit)
    let start = try after.map { (cursor) throws(LibraryError) in try CursorWord(cursor, "mr", numbers: 3) }
    return try read { db in
      let numbers = start?.numbers ?? [.max, .max, .max]
      let reader = start.map { String(decoding: $0.name, as: UTF8.self) } ?? ""
      let rows = try Row.fetchAll(
        db, sql: Self.reportsInOrder, arguments: [numbers[0], numbers[1], numbers[2], reader, limit + 1])
      var page = Moderation.ReportPage(reports: try rows.prefix(limit).map(ModerationRows.report))
      if rows.count > limit, let last = page.reports.last {
        let (kind, id): (Int64, Int64) =
          last.trip.map { (2, $0.rawValue) } ?? last.moment.map { (1, $0.rawValue) } ?? (0, last.file?.rawValue ?? 0)
        page.next = CursorWord("mr", [Int64(last.time), kind, id], name: Array(last.reader.utf8)).cursor
      }
      return page
    }
  }

  /// Reports about files (0), moments (1) and trips (2), in one order. Arguments: position (time, which of them, id and reader), limit.
  private static let reportsInOrder = """
    SELECT * FROM (
      SELECT time, 0 AS kind, file AS id, reader, reason FROM report INDEXED BY report_time
      WHERE time <= ?1 AND (time, 0, file, reader) < (?1, ?2, ?3, ?4)
      ORDER BY time DESC, file DESC, reader DESC LIMIT ?5)
    UNION ALL SELECT * FROM (
      SELECT time, 1 AS kind, moment AS id, reader, reason FROM moment_report INDEXED BY moment_report_time
      WHERE time <= ?1 AND (time, 1, moment, reader) < (?1, ?2, ?3, ?4)
      ORDER BY time DESC, moment DESC, reader DESC LIMIT ?5)
    UNION ALL SELECT * FROM (
      SELECT time, 2 AS kind, trip AS id, reader, reason FROM trip_report INDEXED BY trip_report_time
      WHERE time <= ?1 AND (time, 2, trip, reader) < (?1, ?2, ?3, ?4)
      ORDER BY time DESC, trip DESC, reader DESC LIMIT ?5)
    ORDER BY time DESC, kind DESC, id DESC, reader DESC LIMIT ?5
    """

  func audit(after: CatalogueFile.Cursor?, limit: Int) throws(LibraryError) -> Moderation.AuditPage {
    let limit = Self.limit(limit)
    let start = try after.map { (cursor) throws(LibraryError) in try CursorWord(cursor, "mu", numbers: 1).numbers[0] }
    return try read { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT id, time, actor, action, digest, file, reason, image, moment, trip FROM audit WHERE id < ?
          ORDER BY id DESC LIMIT ?
          """, arguments: [start ?? Int64.max, limit + 1])
      var page = Moderation.AuditPage(entries: try rows.prefix(limit).map(ModerationRows.entry))
      if rows.count > limit, let last = page.entries.last { page.next = CursorWord("mu", [last.id]).cursor }
      return page
    }
  }
}

/// Conversion of rows to records of moderation. A value of another type is an error.
enum ModerationRows {
  static func decision(_ row: Row, from column: Int) throws -> Moderation.Decision {
    Moderation.Decision(
      reason: try row.decode(atIndex: column), actor: try row.decode(atIndex: column + 1),
      time: try row.decode(atIndex: column + 2))
  }

  /// What ``verdict(_:of:)`` reads, in the order in which it reads it.
  static let verdictColumns = "state, detail, engine, signatures, time, due, attempts, accepted"

  static func verdict(_ row: Row, of content: ContentDigest) throws -> Moderation.Verdict {
    guard let state = Moderation.Verdict.State(number: try row.decode(atIndex: 0)) else {
      throw LibraryError(.corrupt, LibraryError.damagedRow, detail: "verdict \(content)")
    }
    var verdict = Moderation.Verdict(
      content, state, detail: try row.decode(String?.self, atIndex: 1),
      engine: try row.decode(String?.self, atIndex: 2),
      signatures: try row.decode(Int?.self, atIndex: 3), at: try row.decode(atIndex: 4),
      due: try row.decode(Int?.self, atIndex: 5))
    verdict.attempts = try row.decode(atIndex: 6)
    verdict.isAccepted = try row.decode(atIndex: 7)
    return verdict
  }

  /// Nil for a damaged row, which `verify` reports. Of a cursor, pass a copy: its own rows read a text as the number 0.
  static func candidate(_ row: Row) -> Moderation.Candidate? {
    guard let known = try? FileRows.known(row), let digest = FileRows.bytes(row, 14),
      let content = ContentDigest(bytes: digest)
    else { return nil }
    return Moderation.Candidate(content: content, file: known.id, stamp: known.stamp)
  }

  static func report(_ row: Row) throws -> Moderation.Report {
    let (kind, id): (Int64, Int64) = (try row.decode(atIndex: 1), try row.decode(atIndex: 2))
    return Moderation.Report(
      file: kind == 0 ? FileID(rawValue: id) : nil, moment: kind == 1 ? Moment.ID(rawValue: id) : nil,
      trip: kind == 2 ? Trip.ID(rawValue: id) : nil,
      reader: try row.decode(atIndex: 3), reason: try row.decode(atIndex: 4), time: try row.decode(atIndex: 0))
  }

  static func entry(_ row: Row) throws -> Moderation.AuditEntry {
    Moderation.AuditEntry(
      id: try row.decode(atIndex: 0), time: try row.decode(atIndex: 1), actor: try row.decode(atIndex: 2),
      action: Moderation.AuditEntry.Action(rawValue: try row.decode(atIndex: 3)),
      content: try FileRows.data(row, 4).flatMap { ContentDigest(bytes: $0) },
      file: try row.decode(Int64?.self, atIndex: 5).map(FileID.init(rawValue:)),
      moment: try row.decode(Int64?.self, atIndex: 8).map(Moment.ID.init(rawValue:)),
      trip: try row.decode(Int64?.self, atIndex: 9).map(Trip.ID.init(rawValue:)),
      reason: try row.decode(String?.self, atIndex: 6),
      image: try row.decode(Int64?.self, atIndex: 7).map { Moderation.ImageHash(bits: UInt64(bitPattern: $0)) })
  }
}

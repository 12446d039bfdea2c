internal import GRDB

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The statements of file contents that no scanner could look at, and of their acceptance.
extension SQLiteCatalogue {
  func accept(_ contents: [ContentDigest], _ decision: Moderation.Decision) throws(LibraryError) {
    try write { db in
      for content in contents {
        guard let verdict = try Self.verdict(of: content, db), verdict.state == .unscannable else {
          throw LibraryError(
            .invalidRequest,
            "Only content that a scanner could not scan can be accepted.",
            detail: "\(content)")
        }
        if let block = try Self.block(of: content, db) {
          throw LibraryError(
            .invalidRequest, "The content is blocked; unblock it before you accept it.",
            detail: "\(content): \(block.reason)")
        }
        try db.cachedStatement(sql: "UPDATE verdict SET accepted = 1 WHERE digest = ?")
          .execute(arguments: [Data(content.bytes)])
        try Self.note(.accept, decision, content: content, db)
        if showsOnlyClean, !verdict.isAccepted { try Self.setChanged(momentsOf: content, at: decision.time, db) }
      }
    }
  }

  /// Ends an acceptance: a moderator decided otherwise.
  static func endAcceptance(of content: ContentDigest, _ db: Database) throws {
    try db.cachedStatement(sql: "UPDATE verdict SET accepted = 0 WHERE digest = ? AND accepted")
      .execute(arguments: [Data(content.bytes)])
  }

  /// Who accepted a content; nil without a verdict that is accepted. Its text is in the audit trail, which may have lost it.
  static func acceptance(by verdict: Moderation.Verdict?, _ db: Database) throws -> Moderation.Decision? {
    guard let verdict, verdict.isAccepted else { return nil }
    let statement = try db.cachedStatement(
      sql: """
        SELECT coalesce(reason, ''), actor, time FROM audit INDEXED BY audit_digest
        WHERE digest IS NOT NULL AND digest = ? AND action = '\(Moderation.AuditEntry.Action.accept.rawValue)'
        ORDER BY id DESC LIMIT 1
        """)
    let row = try Row.fetchOne(statement, arguments: [Data(verdict.content.bytes)])
    return try row.map { try ModerationRows.decision($0, from: 0) }
      ?? Moderation.Decision(reason: "", actor: "", time: 0)
  }

  func unscannable(after: CatalogueFile.Cursor?, limit: Int) throws(LibraryError) -> Moderation.UnscannablePage {
    let limit = Self.limit(limit)
    let start = try after.map { (cursor) throws(LibraryError) in try CursorWord(cursor, "mn", numbers: 1) }
    return try read { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT \(ModerationRows.verdictColumns), digest FROM verdict INDEXED BY verdict_unscannable
          WHERE state = \(Moderation.Verdict.State.unscannable.sql) AND accepted = 0 AND (time, digest) < (?, ?)
            AND NOT EXISTS (SELECT 1 FROM blocked WHERE blocked.digest = verdict.digest)
          ORDER BY time DESC, digest DESC LIMIT ?
          """, arguments: [start?.numbers[0] ?? Int64.max, Data(start?.name ?? []), limit + 1])
      var page = Moderation.UnscannablePage(verdicts: [])
      for row in rows.prefix(limit) {
        guard let content = try FileRows.data(row, 8).flatMap({ ContentDigest(bytes: $0) }) else { continue }
        page.verdicts.append(try ModerationRows.verdict(row, of: content))
      }
      if rows.count > limit, let last = page.verdicts.last {
        page.next = CursorWord("mn", [Int64(last.time)], name: last.content.bytes).cursor
      }
      return page
    }
  }
}

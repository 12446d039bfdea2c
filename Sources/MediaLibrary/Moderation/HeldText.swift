internal import GRDB

/// What a moderator holds because of its texts: a moment without a file, or a trip. Its state is in its row; who decided it and why is in the audit trail alone.
enum HeldText {
  case moment(Moment.ID)
  case trip(Trip.ID)

  /// Its table, which is also the name of the column of the audit trail; the table of reports begins with it.
  var table: String {
    switch self {
    case .moment: "moment"
    case .trip: "trip"
    }
  }

  var id: Int64 {
    switch self {
    case .moment(let id): id.rawValue
    case .trip(let id): id.rawValue
    }
  }

  /// What was decided about it.
  struct Standing {
    var isHeld: Bool
    var hold: Moderation.Decision?
    var protection: Moderation.Decision?
    var file: FileID?
    var reports: Int
  }

  // MARK: Decisions

  /// Records the complaint of a reader, and holds it once so many readers complained; nil if it does not exist. A release counts for the texts that were released.
  func report(_ complaint: Moderation.Decision, threshold: Int?, _ db: Database) throws -> Bool? {
    guard let before = try standing(db) else { return nil }
    try db.cachedStatement(
      sql: """
        INSERT INTO \(table)_report (\(table), reader, reason, time) VALUES (?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET reason = excluded.reason, time = excluded.time
        """
    ).execute(arguments: [id, complaint.actor, complaint.reason, complaint.time])
    let count = try reports(db)
    guard let threshold, count >= threshold, !before.isHeld, before.protection == nil,
      try last([.hold, .release], db)?.action != .release || isEdited(db)
    else { return false }
    try setState(.held, .byReaders(count, at: complaint.time), db)
    return true
  }

  /// The version stays: a version counts what the owner changes. The time of a moment's last change follows, so that those who list by it find it.
  func setState(_ state: Moment.State, _ decision: Moderation.Decision, _ db: Database) throws {
    try db.cachedStatement(sql: "UPDATE \(table) SET state = ?1, edited = iif(?1 = 0, 0, edited) WHERE id = ?2")
      .execute(arguments: [state.number, id])
    if case .moment = self {
      try db.cachedStatement(sql: "UPDATE moment SET changed = max(changed, ?) WHERE id = ?")
        .execute(arguments: [decision.time, id])
    }
    try note(state == .held ? .hold : .release, decision, db)
  }

  func release(_ decision: Moderation.Decision, _ db: Database) throws {
    guard let standing = try standing(db) else { throw unknown }
    if standing.isHeld { try setState(.shown, decision, db) }
    _ = try dismissReports(decision, db)
  }

  func dismissReports(_ decision: Moderation.Decision, _ db: Database) throws -> Int {
    try db.cachedStatement(sql: "DELETE FROM \(table)_report WHERE \(table) = ?").execute(arguments: [id])
    let count = db.changesCount
    if count > 0 { try note(.dismiss, decision, db) }
    return count
  }

  func note(_ action: Moderation.AuditEntry.Action, _ decision: Moderation.Decision, _ db: Database) throws {
    switch self {
    case .moment(let id): try SQLiteCatalogue.note(action, decision, moment: id, db)
    case .trip(let id): try SQLiteCatalogue.note(action, decision, trip: id, db)
    }
  }

  // MARK: Reading

  func standing(_ db: Database) throws -> Standing? {
    let file = if case .moment = self { "file" } else { "NULL" }
    let known = try db.cachedStatement(sql: "SELECT state, \(file) FROM \(table) WHERE id = ?")
    guard let row = try Row.fetchOne(known, arguments: [id]) else { return nil }
    let isHeld = try row.decode(Int64.self, atIndex: 0) == Moment.State.held.number
    let protection = try last([.protect, .unprotect], db)
    return Standing(
      isHeld: isHeld, hold: isHeld ? try last([.hold], db)?.decision : nil,
      protection: protection?.action == .protect ? protection?.decision : nil,
      file: try row.decode(Int64?.self, atIndex: 1).map(FileID.init(rawValue:)), reports: try reports(db))
  }

  private func isEdited(_ db: Database) throws -> Bool {
    let statement = try db.cachedStatement(sql: "SELECT edited FROM \(table) WHERE id = ?")
    return try Bool.fetchOne(statement, arguments: [id]) ?? false
  }

  private func last(
    _ actions: [Moderation.AuditEntry.Action], _ db: Database
  ) throws -> (action: Moderation.AuditEntry.Action, decision: Moderation.Decision)? {
    let names = actions.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    let statement = try db.cachedStatement(
      sql: """
        SELECT coalesce(reason, ''), actor, time, action FROM audit INDEXED BY audit_\(table)
        WHERE \(table) IS NOT NULL AND \(table) = ? AND action IN (\(names)) ORDER BY id DESC LIMIT 1
        """)
    return try Row.fetchOne(statement, arguments: [id]).map { row in
      (Moderation.AuditEntry.Action(rawValue: try row.decode(atIndex: 3)), try ModerationRows.decision(row, from: 0))
    }
  }

  private func reports(_ db: Database) throws -> Int {
    let statement = try db.cachedStatement(sql: "SELECT count(*) FROM \(table)_report WHERE \(table) = ?")
    return try Int.fetchOne(statement, arguments: [id]) ?? 0
  }

  var unknown: LibraryError {
    LibraryError(
      .invalidRequest, "The library has no \(table) with this id; list the \(table)s again.",
      detail: "\(table) \(id)")
  }
}

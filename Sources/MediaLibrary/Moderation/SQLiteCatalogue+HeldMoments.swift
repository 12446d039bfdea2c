internal import GRDB

/// The statements of held and protected moments, and of reports about them.
extension SQLiteCatalogue {
  // MARK: Decisions

  func report(_ moment: Moment.ID, _ complaint: Moderation.Decision, threshold: Int?) throws(LibraryError) -> Bool? {
    try write { db in
      guard let before = try Self.standing(of: moment, db) else { return nil }
      if let file = before.file { return try Self.report(file, complaint, threshold: threshold, db) }
      try db.cachedStatement(
        sql: """
          INSERT INTO moment_report (moment, reader, reason, time) VALUES (?, ?, ?, ?)
          ON CONFLICT DO UPDATE SET reason = excluded.reason, time = excluded.time
          """
      ).execute(arguments: [moment.rawValue, complaint.actor, complaint.reason, complaint.time])
      let count = try Self.reports(about: moment, db)
      guard let threshold, count >= threshold, !before.isHeld, before.protection == nil,
        try Self.last([.hold, .release], of: moment, db)?.action != .release
      else { return false }
      try Self.setState(.held, of: moment, .byReaders(count, at: complaint.time), db)
      return true
    }
  }

  func hold(_ moments: [Moment.ID], _ decision: Moderation.Decision) throws(LibraryError) {
    try write { db in
      for moment in moments {
        try Self.checkIsNote(moment, instead: "quarantine", db)
        try Self.setState(.held, of: moment, decision, db)
      }
    }
  }

  func release(_ moments: [Moment.ID], _ decision: Moderation.Decision) throws(LibraryError) {
    try write { db in
      for moment in moments {
        guard let standing = try Self.standing(of: moment, db) else { throw Self.unknownMoment(moment) }
        if standing.isHeld { try Self.setState(.shown, of: moment, decision, db) }
        _ = try Self.dismissReports(about: moment, decision, db)
      }
    }
  }

  func dismissReports(about moments: [Moment.ID], _ decision: Moderation.Decision) throws(LibraryError) -> Int {
    try write { db in
      try moments.reduce(0) { count, moment in
        guard try Self.standing(of: moment, db) != nil else { throw Self.unknownMoment(moment) }
        return try count + Self.dismissReports(about: moment, decision, db)
      }
    }
  }

  private static func dismissReports(
    about moment: Moment.ID, _ decision: Moderation.Decision, _ db: Database
  ) throws -> Int {
    try db.cachedStatement(sql: "DELETE FROM moment_report WHERE moment = ?").execute(arguments: [moment.rawValue])
    let count = db.changesCount
    if count > 0 { try note(.dismiss, decision, moment: moment, db) }
    return count
  }

  func protect(_ moments: [Moment.ID], _ decision: Moderation.Decision) throws(LibraryError) {
    try write { db in
      for moment in moments {
        try Self.checkIsNote(moment, instead: "protect", db)
        try Self.note(.protect, decision, moment: moment, db)
      }
    }
  }

  func unprotect(_ moments: [Moment.ID], _ decision: Moderation.Decision) throws(LibraryError) {
    try write { db in
      for moment in moments {
        let standing = try Self.checkIsNote(moment, instead: "unprotect", db)
        if standing.protection != nil { try Self.note(.unprotect, decision, moment: moment, db) }
      }
    }
  }

  /// Fails for a moment that does not exist or has a file.
  /// - Parameter verb: What to do with the file instead.
  @discardableResult
  private static func checkIsNote(
    _ moment: Moment.ID, instead verb: String, _ db: Database
  ) throws -> Moderation.MomentStanding {
    guard let standing = try standing(of: moment, db) else { throw unknownMoment(moment) }
    guard let file = standing.file else { return standing }
    throw LibraryError(
      .invalidRequest, "The moment has a file; \(verb) the file instead.",
      detail: "moment \(moment.rawValue), file \(file.rawValue)")
  }

  /// Its version stays: a version counts what its owner changes. The time of the last change follows, so that those who list by it find the moment.
  static func setState(
    _ state: Moment.State, of moment: Moment.ID, _ decision: Moderation.Decision, _ db: Database
  ) throws {
    try db.cachedStatement(sql: "UPDATE moment SET state = ?, changed = max(changed, ?) WHERE id = ?")
      .execute(arguments: [state.number, decision.time, moment.rawValue])
    try note(state == .held ? .hold : .release, decision, moment: moment, db)
  }

  // MARK: Reading

  func standing(of moment: Moment.ID) throws(LibraryError) -> Moderation.MomentStanding? {
    try read { db in try Self.standing(of: moment, db) }
  }

  private static func standing(of moment: Moment.ID, _ db: Database) throws -> Moderation.MomentStanding? {
    let known = try db.cachedStatement(sql: "SELECT state, file FROM moment WHERE id = ?")
    guard let row = try Row.fetchOne(known, arguments: [moment.rawValue]) else { return nil }
    let isHeld = try row.decode(Int64.self, atIndex: 0) == Moment.State.held.number
    let protection = try last([.protect, .unprotect], of: moment, db)
    return Moderation.MomentStanding(
      isHeld: isHeld, hold: isHeld ? try last([.hold], of: moment, db)?.decision : nil,
      protection: protection?.action == .protect ? protection?.decision : nil,
      file: try row.decode(Int64?.self, atIndex: 1).map(FileID.init(rawValue:)),
      reports: try reports(about: moment, db))
  }

  /// The last of some actions that the audit trail has about a moment. What was decided about a note is in no other table, apart from its state.
  private static func last(
    _ actions: [Moderation.AuditEntry.Action], of moment: Moment.ID, _ db: Database
  ) throws -> (action: Moderation.AuditEntry.Action, decision: Moderation.Decision)? {
    let names = actions.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    let statement = try db.cachedStatement(
      sql: """
        SELECT coalesce(reason, ''), actor, time, action FROM audit INDEXED BY audit_moment
        WHERE moment IS NOT NULL AND moment = ? AND action IN (\(names)) ORDER BY id DESC LIMIT 1
        """)
    return try Row.fetchOne(statement, arguments: [moment.rawValue]).map { row in
      (Moderation.AuditEntry.Action(rawValue: try row.decode(atIndex: 3)), try ModerationRows.decision(row, from: 0))
    }
  }

  private static func reports(about moment: Moment.ID, _ db: Database) throws -> Int {
    let statement = try db.cachedStatement(sql: "SELECT count(*) FROM moment_report WHERE moment = ?")
    return try Int.fetchOne(statement, arguments: [moment.rawValue]) ?? 0
  }

  func moment(_ id: Moment.ID) throws(LibraryError) -> Moment? {
    try read { db in
      let row = try Row.fetchOne(db, sql: MomentQueries.byID, arguments: [id.rawValue])
      return try row.map { try MomentRows.moment($0, for: .owner) }
    }
  }

  func heldMoments(after: CatalogueFile.Cursor?, limit: Int) throws(LibraryError) -> Moment.Page {
    let limit = Self.limit(limit)
    let start = try after.map { (cursor) throws(LibraryError) in try CursorWord(cursor, "mh", numbers: 1).numbers[0] }
    return try read { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT \(MomentRows.columns) FROM moment INDEXED BY moment_held CROSS JOIN owner ON owner.id = moment.owner
          WHERE moment.state = \(Moment.State.held.sql) AND moment.id < ? ORDER BY moment.id DESC LIMIT ?
          """, arguments: [start ?? .max, limit + 1])
      var page = Moment.Page(moments: [])
      for row in rows.prefix(limit) { try page.append(row, for: .owner) }
      if rows.count > limit { page.next = CursorWord("mh", [rows[limit - 1][0]]).cursor }
      return page
    }
  }

  private static func unknownMoment(_ moment: Moment.ID) -> LibraryError {
    LibraryError(
      .invalidRequest, "The library has no moment with this id; list the moments again.",
      detail: "moment \(moment.rawValue)")
  }
}

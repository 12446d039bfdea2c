internal import GRDB

/// The statements of held and protected moments, and of reports about them.
extension SQLiteCatalogue {
  // MARK: Decisions

  func report(_ moment: Moment.ID, _ complaint: Moderation.Decision, threshold: Int?) throws(LibraryError) -> Bool? {
    try write { db in
      let text = HeldText.moment(moment)
      if let file = try text.standing(db)?.file { return try Self.report(file, complaint, threshold: threshold, db) }
      return try text.report(complaint, threshold: threshold, db)
    }
  }

  func hold(_ moments: [Moment.ID], _ decision: Moderation.Decision) throws(LibraryError) {
    try write { db in
      for moment in moments {
        try Self.checkIsNote(moment, instead: "quarantine", db)
        try HeldText.moment(moment).setState(.held, decision, db)
      }
    }
  }

  func release(_ moments: [Moment.ID], _ decision: Moderation.Decision) throws(LibraryError) {
    try write { db in for moment in moments { try HeldText.moment(moment).release(decision, db) } }
  }

  func dismissReports(about moments: [Moment.ID], _ decision: Moderation.Decision) throws(LibraryError) -> Int {
    try write { db in
      try moments.reduce(0) { count, moment in
        let text = HeldText.moment(moment)
        guard try text.standing(db) != nil else { throw text.unknown }
        return try count + text.dismissReports(decision, db)
      }
    }
  }

  func protect(_ moments: [Moment.ID], _ decision: Moderation.Decision) throws(LibraryError) {
    try write { db in
      for moment in moments {
        try Self.checkIsNote(moment, instead: "protect", db)
        try HeldText.moment(moment).note(.protect, decision, db)
      }
    }
  }

  func unprotect(_ moments: [Moment.ID], _ decision: Moderation.Decision) throws(LibraryError) {
    try write { db in
      for moment in moments {
        let standing = try Self.checkIsNote(moment, instead: "unprotect", db)
        if standing.protection != nil { try HeldText.moment(moment).note(.unprotect, decision, db) }
      }
    }
  }

  /// Fails for a moment that does not exist or has a file.
  /// - Parameter verb: What to do with the file instead.
  @discardableResult
  private static func checkIsNote(
    _ moment: Moment.ID, instead verb: String, _ db: Database
  ) throws -> HeldText.Standing {
    let text = HeldText.moment(moment)
    guard let standing = try text.standing(db) else { throw text.unknown }
    guard let file = standing.file else { return standing }
    throw LibraryError(
      .invalidRequest, "The moment has a file; \(verb) the file instead.",
      detail: "moment \(moment.rawValue), file \(file.rawValue)")
  }

  // MARK: Reading

  func standing(of moment: Moment.ID) throws(LibraryError) -> Moderation.MomentStanding? {
    try read { db in
      try HeldText.moment(moment).standing(db).map {
        Moderation.MomentStanding(
          isHeld: $0.isHeld, hold: $0.hold, protection: $0.protection, file: $0.file, reports: $0.reports)
      }
    }
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
}

internal import GRDB

/// The statements of held and protected trips, and of reports about them.
extension SQLiteCatalogue {
  // MARK: Decisions

  func report(_ trip: Trip.ID, _ complaint: Moderation.Decision, threshold: Int?) throws(LibraryError) -> Bool? {
    try write { db in try HeldText.trip(trip).report(complaint, threshold: threshold, db) }
  }

  func hold(_ trips: [Trip.ID], _ decision: Moderation.Decision) throws(LibraryError) {
    try write { db in
      for trip in trips {
        _ = try Self.known(trip, db)
        try HeldText.trip(trip).setState(.held, decision, db)
      }
    }
  }

  func release(_ trips: [Trip.ID], _ decision: Moderation.Decision) throws(LibraryError) {
    try write { db in for trip in trips { try HeldText.trip(trip).release(decision, db) } }
  }

  func dismissReports(about trips: [Trip.ID], _ decision: Moderation.Decision) throws(LibraryError) -> Int {
    try write { db in
      try trips.reduce(0) { count, trip in
        _ = try Self.known(trip, db)
        return try count + HeldText.trip(trip).dismissReports(decision, db)
      }
    }
  }

  func protect(_ trips: [Trip.ID], _ decision: Moderation.Decision) throws(LibraryError) {
    try write { db in
      for trip in trips {
        _ = try Self.known(trip, db)
        try HeldText.trip(trip).note(.protect, decision, db)
      }
    }
  }

  func unprotect(_ trips: [Trip.ID], _ decision: Moderation.Decision) throws(LibraryError) {
    try write { db in
      for trip in trips where try Self.known(trip, db).protection != nil {
        try HeldText.trip(trip).note(.unprotect, decision, db)
      }
    }
  }

  private static func known(_ trip: Trip.ID, _ db: Database) throws -> HeldText.Standing {
    let text = HeldText.trip(trip)
    guard let standing = try text.standing(db) else { throw text.unknown }
    return standing
  }

  // MARK: Reading

  func standing(of trip: Trip.ID) throws(LibraryError) -> Moderation.TripStanding? {
    try read { db in
      try HeldText.trip(trip).standing(db).map {
        Moderation.TripStanding(isHeld: $0.isHeld, hold: $0.hold, protection: $0.protection, reports: $0.reports)
      }
    }
  }

  func trip(_ id: Trip.ID) throws(LibraryError) -> Trip? {
    try read { db in
      try Row.fetchOne(db, sql: MomentQueries.tripByID(for: .owner), arguments: [id.rawValue]).map(TripRows.trip)
    }
  }

  func heldTrips(after: CatalogueFile.Cursor?, limit: Int) throws(LibraryError) -> Trip.Page {
    let limit = Self.limit(limit)
    let start = try after.map { (cursor) throws(LibraryError) in try CursorWord(cursor, "mt", numbers: 1).numbers[0] }
    return try read { db in
      let ids = try Int64.fetchAll(
        db,
        sql: """
          SELECT id FROM trip INDEXED BY trip_held WHERE state = \(Moment.State.held.sql) AND id < ? ORDER BY id DESC LIMIT ?
          """, arguments: [start ?? .max, limit + 1])
      return try self.page(ids, limit: limit, for: .owner, db) { CursorWord("mt", [ids[$0]]) }
    }
  }
}

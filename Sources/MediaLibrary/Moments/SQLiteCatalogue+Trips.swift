internal import GRDB

/// Trips.
extension SQLiteCatalogue {
  /// The distance of two neighbours' positions, so that one can be put between them without moving others.
  static let tripStep: Int64 = 1 << 20

  func add(_ new: Trip.New) throws(LibraryError) -> Trip {
    try write { db in
      try db.execute(
        sql: "INSERT INTO trip (owner, title, description, started, ended, visibility) VALUES (?, ?, ?, ?, ?, ?)",
        arguments: [
          try Self.ownerID(new.owner, db), new.title, new.description, new.started, new.ended, new.visibility.number,
        ])
      let id = db.lastInsertedRowID
      if let hold = new.hold { try HeldText.trip(Trip.ID(rawValue: id)).setState(.held, hold, db) }
      return try Self.trip(id, db)
    }
  }

  func change(
    _ id: Trip.ID, of owner: String, version: Int?, _ changes: [Trip.Change]
  ) throws(LibraryError) -> Trip {
    try write { db in
      try Self.check(version, of: id.rawValue, in: "trip", owner: owner, db)
      for change in changes { try Self.apply(change, to: id, db) }
      return try Self.bump(id, db)
    }
  }

  private static func apply(_ change: Trip.Change, to id: Trip.ID, _ db: Database) throws {
    func set(_ column: String, _ value: (any DatabaseValueConvertible)?, isText: Bool = false) throws {
      let edited = isText ? "edited = iif(\(column) IS ?1, edited, 1), " : ""
      let arguments: [(any DatabaseValueConvertible)?] = [value, id.rawValue]
      try db.cachedStatement(sql: "UPDATE trip SET \(edited)\(column) = ?1 WHERE id = ?2")
        .execute(arguments: StatementArguments(arguments))
    }
    switch change {
    case .title(let title): try set("title", title, isText: true)
    case .description(let text): try set("description", text, isText: true)
    case .started(let time): try set("started", time)
    case .ended(let time): try set("ended", time)
    case .visibility(let visibility): try set("visibility", visibility.number)
    case .hold(let decision): try HeldText.trip(id).setState(.held, decision, db)
    }
  }

  func trip(
    _ id: Trip.ID, of owners: [String], for audience: Moment.Scope.Audience
  ) throws(LibraryError) -> Trip? {
    try read { db in try trip(id, of: owners, for: audience, db) }
  }

  /// Changes which moments a trip has, and their order.
  func edit(
    _ id: Trip.ID, of owner: String, version: Int?, _ body: (inout [Moment.ID], Database) throws -> Void
  ) throws(LibraryError) -> Trip {
    try write { db in
      try Self.check(version, of: id.rawValue, in: "trip", owner: owner, db)
      let before = try Row.fetchAll(
        db,
        sql: "SELECT moment, position FROM trip_moment INDEXED BY trip_order WHERE trip = ? ORDER BY position, moment",
        arguments: [id.rawValue]
      ).map { row in
        let moment = Moment.ID(rawValue: try row.decode(Int64.self, atIndex: 0))
        return (moment: moment, position: try row.decode(Int64.self, atIndex: 1))
      }
      var members = before.map(\.moment)
      try body(&members, db)
      try Self.write(members, before: before, to: id, owner: owner, db)
      return try Self.bump(id, db)
    }
  }

  func arrangeByTime(_ id: Trip.ID, of owner: String, version: Int?) throws(LibraryError) -> Trip {
    try edit(id, of: owner, version: version) { members, db in
      let times = try Row.fetchAll(
        db,
        sql: """
          SELECT moment.id, time FROM trip_moment CROSS JOIN moment ON moment.id = trip_moment.moment WHERE trip = ?
          """, arguments: [id.rawValue])
      var byID: [Moment.ID: Int64] = [:]
      for row in times {
        let moment = Moment.ID(rawValue: try row.decode(Int64.self, atIndex: 0))
        byID[moment] = try row.decode(Int64.self, atIndex: 1)
      }
      members.sort { (byID[$0] ?? 0, $0) < (byID[$1] ?? 0, $1) }
    }
  }

  func moments(
    of id: Trip.ID, of owners: [String], for audience: Moment.Scope.Audience, after: CatalogueFile.Cursor?, limit: Int
  ) throws(LibraryError) -> Moment.Page {
    let limit = Self.limit(limit)
    let start = try after.map { (cursor) throws(LibraryError) in try CursorWord(cursor, "tm", numbers: 2).numbers }
    return try read { db in
      var page = Moment.Page(moments: [])
      guard try trip(id, of: owners, for: audience, db) != nil else { return page }
      let rows = try Row.fetchAll(
        db, sql: MomentQueries.ofTrip(condition(for: audience)),
        arguments: [id.rawValue, start?[0] ?? .min, start?[1] ?? 0, audience.reach, limit + 1])
      for row in rows.prefix(limit) { try page.append(row, for: audience) }
      if rows.count > limit {
        let last = rows[limit - 1]
        let position = [try last.decode(Int64.self, atIndex: 21), try last.decode(Int64.self, atIndex: 0)]
        page.next = CursorWord("tm", position).cursor
      }
      return page
    }
  }

  /// The members of a trip that an audience sees on the map, in the order of the trip; nil if it may not see the trip.
  func pathPoints(
    of id: Trip.ID, of owners: [String], for audience: Moment.Scope.Audience
  ) throws(LibraryError) -> [Trip.Path.Point]? {
    try read { db in
      guard try trip(id, of: owners, for: audience, db) != nil else { return nil }
      var points: [Trip.Path.Point] = []
      let rows = try Row.fetchCursor(
        try db.cachedStatement(sql: MomentQueries.path(condition(for: audience))),
        arguments: [id.rawValue, audience.reach])
      while let row = try rows.next() {
        points.append(
          Trip.Path.Point(
            moment: Moment.ID(rawValue: try row.decode(Int64.self, atIndex: 0)),
            latitude: try row.decode(Double.self, atIndex: 1), longitude: try row.decode(Double.self, atIndex: 2),
            time: try row.decode(Int.self, atIndex: 3), utcOffset: try row.decode(Int?.self, atIndex: 4)))
      }
      return points
    }
  }

  func condition(for audience: Moment.Scope.Audience) -> String {
    MomentScope.condition(for: audience, showsOnlyClean: showsOnlyClean)
  }

  // MARK: Rows

  /// Puts a moment at the end of a trip of its owner.
  static func append(_ moment: Int64, to trip: Int64, of owner: Int64, _ db: Database) throws {
    guard
      try Bool.fetchOne(db, sql: "SELECT 1 FROM trip WHERE id = ? AND owner = ?", arguments: [trip, owner]) == true
    else { throw unknownTrip(trip) }
    try db.cachedStatement(
      sql: """
        INSERT OR IGNORE INTO trip_moment VALUES (?1, ?2,
          coalesce((SELECT max(position) FROM trip_moment INDEXED BY trip_order WHERE trip = ?1), 0) + \(tripStep))
        """
    ).execute(arguments: [trip, moment])
    try db.cachedStatement(sql: "UPDATE trip SET version = version + 1 WHERE id = ?").execute(arguments: [trip])
  }

  /// Writes the members that were added, and the positions that changed.
  private static func write(
    _ members: [Moment.ID], before: [(moment: Moment.ID, position: Int64)], to trip: Trip.ID, owner: String,
    _ db: Database
  ) throws {
    let positions = Dictionary(before.map { ($0.moment, $0.position) }) { first, _ in first }
    let remaining = Set(members)
    let delete = try db.cachedStatement(sql: "DELETE FROM trip_moment WHERE trip = ? AND moment = ?")
    for one in before where !remaining.contains(one.moment) {
      try delete.execute(arguments: [trip.rawValue, one.moment.rawValue])
    }
    let insert = try db.cachedStatement(
      sql: """
        INSERT INTO trip_moment SELECT ?1, moment.id, ?3 FROM moment CROSS JOIN owner ON owner.id = moment.owner
        WHERE moment.id = ?2 AND owner.name = ?4
        """)
    let update = try db.cachedStatement(sql: "UPDATE trip_moment SET position = ? WHERE trip = ? AND moment = ?")
    // Those that keep their order keep their positions; only an order that does not fit between them is numbered again.
    let isAppended = zip(members, before).allSatisfy { $0 == $1.moment } && members.count >= before.count
    var last = isAppended ? before.last?.position ?? 0 : 0
    for (number, member) in members.enumerated() {
      if isAppended, number < before.count { continue }
      last += tripStep
      if let position = positions[member] {
        if position != last { try update.execute(arguments: [last, trip.rawValue, member.rawValue]) }
      } else {
        try insert.execute(arguments: [trip.rawValue, member.rawValue, last, owner])
        guard db.changesCount > 0 else {
          throw LibraryError(
            .invalidRequest, "The owner has no moment with this id; list the owner's moments again.",
            detail: "moment \(member.rawValue)")
        }
      }
    }
  }

  private static func bump(_ id: Trip.ID, _ db: Database) throws -> Trip {
    try db.execute(sql: "UPDATE trip SET version = version + 1 WHERE id = ?", arguments: [id.rawValue])
    return try trip(id.rawValue, db)
  }

  private static func trip(_ id: Int64, _ db: Database) throws -> Trip {
    let row = try Row.fetchOne(db, sql: MomentQueries.tripByID(for: .owner), arguments: [id])
    guard let trip = try row.map(TripRows.trip) else { throw unknownTrip(id) }
    return trip
  }

  private func trip(
    _ id: Trip.ID, of owners: [String], for audience: Moment.Scope.Audience, _ db: Database
  ) throws -> Trip? {
    let sql = MomentQueries.tripByID(for: audience, condition(for: audience))
    let row = try Row.fetchOne(db, sql: sql, arguments: [id.rawValue])
    // By bytes, as the catalogue distinguishes owners: Swift takes canonically equivalent names as equal.
    guard let trip = try row.map(TripRows.trip),
      owners.contains(where: { $0.utf8.elementsEqual(trip.owner.utf8) }),
      trip.state == .shown || audience == .owner, trip.visibility.number >= audience.reach - 1
    else { return nil }
    return trip
  }

  private static func unknownTrip(_ id: Int64) -> LibraryError {
    LibraryError(
      .invalidRequest, "The owner has no trip with this id; list the owner's trips again.", detail: "trip \(id)")
  }
}

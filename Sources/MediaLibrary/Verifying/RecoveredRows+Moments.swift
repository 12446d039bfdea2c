internal import GRDB

/// Moments, trips and uses of files on damaged pages. What a snapshot or an index has of them is private afterwards: who may see them now cannot be read.
extension RecoveredRows {
  /// Takes the rows of damaged pages from indexes and from snapshots.
  func fillMoments(_ gaps: [String: [ClosedRange<Int64>]], _ listed: Set<String>) throws {
    try saved.fill(gaps["moment"] ?? [], db) { gap, _ in
      if try sharesMoments() { try fillMoments(gap, isListed: listed.contains("moment")) }
    }
    try fillTrips(gaps["trip"] ?? [], isListed: listed.contains("trip"))
    for gap in gaps["trip_moment"] ?? [] { try fillMembers(gap) }
    // A use too many keeps a file; one too few would let an erasure take it.
    try saved.fill(gaps["file_use"] ?? [], db) { gap, _ in
      try db.execute(
        sql: "INSERT OR IGNORE INTO main.file_use SELECT file, name FROM saved.file_use WHERE file BETWEEN ? AND ?",
        arguments: [gap.lowerBound, gap.upperBound])
    }
  }

  /// Whether a catalogue has moments or trips.
  private func hasMoments(in schema: String) throws -> Bool {
    try !columns(of: "moment", in: schema).isEmpty || !columns(of: "trip", in: schema).isEmpty
  }

  /// Whether the damaged catalogue is of schema 1, which has no moments, and did not lose its tables of them.
  func isWithoutMoments() throws -> Bool {
    guard try !hasMoments(in: "old") else { return false }
    do {
      let sql = "SELECT NOT EXISTS (SELECT 1 FROM old.grdb_migrations WHERE identifier = '2')"
      return try Bool.fetchOne(db, sql: sql) ?? false
    } catch let error as DatabaseError where error.isDamage || error.resultCode == .SQLITE_ERROR {
      return false
    }
  }

  /// Whether ids of moments and trips mean the same in the attached snapshot.
  func sharesMoments() throws -> Bool {
    guard try hasMoments(in: "saved") else { return false }
    return try Int64.fetchOne(db, sql: "PRAGMA old.user_version")
      == Int64.fetchOne(db, sql: "PRAGMA saved.user_version")
  }

  private func fillMoments(_ gap: ClosedRange<Int64>, isListed: Bool) throws {
    let columns = try columns(of: "moment", in: "saved")
    let references = [
      "owner": Self.same("owner", "name"), "visibility": "0",
      "file": "(SELECT id FROM main.file WHERE id = saved.file)",
    ]
    let values = columns.map { references[$0] ?? "saved.\($0)" }
    try db.execute(
      sql: """
        INSERT OR IGNORE INTO main.moment (\(columns.joined(separator: ", ")))
        SELECT \(values.joined(separator: ", ")) FROM saved.moment AS saved
        WHERE saved.id BETWEEN ? AND ? \(isListed ? "AND +saved.id IN (SELECT id FROM temp.listed_moment)" : "")
        """, arguments: [gap.lowerBound, gap.upperBound])
  }

  /// Trips: two indexes have owner, title and start, a snapshot the rest. One that is newer than the snapshots ends with its last moment.
  private func fillTrips(_ gaps: [ClosedRange<Int64>], isListed: Bool) throws {
    var isIndexed = true
    for gap in gaps {
      let isRead = try attempt(
        """
        INSERT OR IGNORE INTO main.trip (id, owner, title, started, ended, visibility)
        SELECT named.id, named.owner, named.title, dated.started, max(dated.started, coalesce((
            SELECT max(moment.time) FROM main.trip_moment AS member CROSS JOIN main.moment AS moment ON moment.id = member.moment
            WHERE member.trip = named.id), dated.started)), 0
        FROM old.trip AS named INDEXED BY trip_title
        CROSS JOIN old.trip AS dated INDEXED BY trip_started ON dated.owner = named.owner AND dated.id = named.id
        WHERE named.id BETWEEN ? AND ?
        """, [gap.lowerBound, gap.upperBound])
      isIndexed = isIndexed && isRead
    }
    try saved.fill(gaps, db) { gap, _ in
      guard try sharesMoments() else { return }
      let range: StatementArguments = [gap.lowerBound, gap.upperBound]
      if isIndexed {
        try db.execute(
          sql: """
            UPDATE main.trip SET description = saved.description, version = saved.version + 1, ended = saved.ended
            FROM saved.trip AS saved WHERE saved.id = main.trip.id AND main.trip.id BETWEEN ? AND ?
              AND main.trip.id NOT IN (SELECT id FROM temp.copied_trip)
            """, arguments: range)
        return
      }
      let columns = try columns(of: "trip", in: "saved")
      let references = ["owner": Self.same("owner", "name"), "visibility": "0"]
      let values = columns.map { references[$0] ?? "saved.\($0)" }
      try db.execute(
        sql: """
          INSERT OR IGNORE INTO main.trip (\(columns.joined(separator: ", ")))
          SELECT \(values.joined(separator: ", ")) FROM saved.trip AS saved
          WHERE saved.id BETWEEN ? AND ? \(isListed ? "AND +saved.id IN (SELECT id FROM temp.listed_trip)" : "")
          """, arguments: range)
    }
  }

  /// The moments of trips: an index has their rows as a whole. Without it, they are read trip by trip.
  private func fillMembers(_ gap: ClosedRange<Int64>) throws {
    var rest = [gap]
    do {
      rest = try read(
        "trip_moment", by: "trip", from: "INDEXED BY trip_order", where: "trip BETWEEN ? AND ?",
        [gap.lowerBound, gap.upperBound])
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      // The index is missing.
    }
    let parts = rest.filter { $0.overlaps(gap) }.map { $0.clamped(to: gap) }
    for part in parts {
      let range: StatementArguments = [part.lowerBound, part.upperBound]
      for trip in try Int64.fetchAll(db, sql: "SELECT id FROM main.trip WHERE id BETWEEN ? AND ?", arguments: range) {
        try read("trip_moment", by: "moment", from: "", where: "trip = ?", [trip])
      }
    }
    try saved.fill(parts, db) { part, _ in
      guard try sharesMoments() else { return }
      try db.execute(
        sql: """
          INSERT OR IGNORE INTO main.trip_moment (trip, moment, position)
          SELECT trip, moment, position FROM saved.trip_moment WHERE trip BETWEEN ? AND ?
          """, arguments: [part.lowerBound, part.upperBound])
    }
  }

  /// Removes references to rows that could not be recovered. A moment without its file keeps what a person wrote, and is private and held if the
  /// file was quarantined; one without an owner is nobody's, and is lost.
  func removeBrokenReferencesOfMoments() throws {
    try db.execute(
      sql: """
        DELETE FROM main.moment WHERE owner NOT IN (SELECT id FROM main.owner);
        UPDATE main.moment SET file = NULL, visibility = iif(hidden, \(Moment.Visibility.private.sql), visibility),
          state = iif(hidden, \(Moment.State.held.sql), state) WHERE file NOT IN (SELECT id FROM main.file);
        DELETE FROM main.trip WHERE owner NOT IN (SELECT id FROM main.owner);
        DELETE FROM main.trip_moment
          WHERE trip NOT IN (SELECT id FROM main.trip) OR moment NOT IN (SELECT id FROM main.moment);
        DELETE FROM main.file_use WHERE file NOT IN (SELECT id FROM main.file);
        """)
  }

  /// Makes trips of collections, as migration "2" does, if the damaged catalogue has no tables of moments.
  func convertCollections() throws {
    guard try !hasMoments(in: "old"),
      try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM main.moment) OR EXISTS (SELECT 1 FROM main.trip)") == false
    else { return }
    try db.execute(sql: CatalogueSchema.tripsOfCollections)
  }
}

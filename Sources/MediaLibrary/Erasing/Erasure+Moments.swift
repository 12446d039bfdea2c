internal import FileSupport
internal import GRDB

/// The moments and trips of an erasure. As for files, the ids are in temporary tables during the transaction.
extension Erasure {
  /// Empties the tables of ids.
  func begin() throws {
    for table in ["gone", "gone_moment", "gone_trip"] {
      try db.execute(sql: "CREATE TEMP TABLE IF NOT EXISTS \(table) (id INTEGER PRIMARY KEY); DELETE FROM \(table)")
    }
  }

  /// Whether there is anything to erase.
  func hasAny() throws -> Bool {
    let sql = """
      SELECT EXISTS (SELECT 1 FROM gone) OR EXISTS (SELECT 1 FROM gone_moment) OR EXISTS (SELECT 1 FROM gone_trip)
      """
    return try Bool.fetchOne(db, sql: sql) ?? false
  }

  func collect(_ ids: [Moment.ID], of owner: String) throws {
    let statement = try db.cachedStatement(
      sql: """
        INSERT OR IGNORE INTO gone_moment SELECT moment.id FROM moment CROSS JOIN owner ON owner.id = moment.owner
        WHERE moment.id = ? AND owner.name = ?
        """)
    for id in ids { try statement.execute(arguments: [id.rawValue, owner]) }
  }

  func collect(_ trip: Trip.ID, of owner: String, withMoments: Bool) throws {
    try db.execute(
      sql: """
        INSERT OR IGNORE INTO gone_trip SELECT trip.id FROM trip CROSS JOIN owner ON owner.id = trip.owner
        WHERE trip.id = ? AND owner.name = ?
        """, arguments: [trip.rawValue, owner])
    guard withMoments else { return }
    try db.execute(
      sql: """
        INSERT OR IGNORE INTO gone_moment SELECT moment FROM gone_trip CROSS JOIN trip_moment ON trip_moment.trip = gone_trip.id
        WHERE NOT EXISTS (SELECT 1 FROM trip_moment AS other
          WHERE other.moment = trip_moment.moment AND other.trip <> trip_moment.trip)
        """)
  }

  func collectMoments(of owner: String) throws {
    for (table, rows) in [("gone_moment", "moment"), ("gone_trip", "trip")] {
      try db.execute(
        sql: """
          INSERT OR IGNORE INTO \(table) SELECT \(rows).id FROM owner CROSS JOIN \(rows) ON \(rows).owner = owner.id
          WHERE owner.name = ?
          """, arguments: [owner])
    }
  }

  /// Collects the files of the moments whose originals the library owns, and which neither another moment nor anything else uses.
  func collectFiles(in originals: PathBytes) throws {
    let (from, to) = originals.below
    try db.execute(
      sql: """
        INSERT OR IGNORE INTO gone SELECT file.id FROM gone_moment CROSS JOIN moment ON moment.id = gone_moment.id
        CROSS JOIN file ON file.id = moment.file CROSS JOIN folder ON folder.id = file.folder
        WHERE folder.path > ? AND folder.path < ? AND NOT EXISTS (SELECT 1 FROM file_use WHERE file_use.file = file.id)
          AND NOT EXISTS (SELECT 1 FROM moment AS other INDEXED BY moment_file
            WHERE other.file IS NOT NULL AND other.file = file.id AND other.id NOT IN (SELECT id FROM gone_moment))
        """, arguments: [from.data, to.data])
  }

  /// Collects the moments of the files to erase.
  func collectMomentsOfFiles() throws {
    try db.execute(
      sql: """
        INSERT OR IGNORE INTO gone_moment SELECT moment.id FROM gone CROSS JOIN moment INDEXED BY moment_file
        ON moment.file IS NOT NULL AND moment.file = gone.id
        """)
  }

  /// Number of locations of what is to be deleted that maps have, with their sums.
  func locationsOnMaps() throws -> Int {
    let sql = """
      SELECT (SELECT count(*) FROM gone CROSS JOIN file ON file.id = gone.id
          WHERE file.location IS NOT NULL AND file.state = \(CatalogueFile.State.done.sql))
        + (SELECT count(*) FROM gone_moment CROSS JOIN moment ON moment.id = gone_moment.id WHERE moment.map_reach > \(Moment.Scope.Audience.nobody))
      """
    return try Int.fetchOne(db, sql: sql) ?? 0
  }

  /// Number of moments without a file that are to be deleted.
  func notesToDelete() throws -> Int {
    let sql = """
      SELECT count(*) FROM gone_moment CROSS JOIN moment ON moment.id = gone_moment.id
      WHERE moment.kind = \(Moment.Kind.note.number)
      """
    return try Int.fetchOne(db, sql: sql) ?? 0
  }

  /// Deletes the rows; the numbers are those of moments and trips.
  func deleteMoments() throws -> (moments: Int, trips: Int) {
    let moments = try delete(.moments, from: "moment", in: "gone_moment")
    try db.execute(sql: "DELETE FROM trip WHERE id IN (SELECT id FROM gone_trip)")
    return (moments, db.changesCount)
  }
}

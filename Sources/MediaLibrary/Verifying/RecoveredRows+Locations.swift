internal import GRDB

/// Owners' location-sharing settings: a row of a snapshot may be older than the setting.
extension RecoveredRows {
  private static let none = Moment.LocationSharing.none.sql

  /// Notes which rows are those of the damaged catalogue itself.
  func noteCopied() throws {
    for table in ["owner", "content", "file", "moment", "trip"] {
      try db.execute(
        sql: """
          CREATE TEMP TABLE copied_\(table) (id INTEGER PRIMARY KEY);
          INSERT INTO temp.copied_\(table) SELECT id FROM main.\(table);
          """)
    }
  }

  /// Stores no locations of owners whose setting cannot be read, until they set it again.
  /// - Returns: The number of these owners.
  func closeUnknownSwitches() throws -> Int {
    // An earlier catalogue has no settings. If the table is missing, none is known.
    let known = try columns(of: "owner", in: "old")
    guard known.isEmpty || known.contains("location") else { return 0 }
    try db.execute(
      sql: "UPDATE main.owner SET location = \(Self.none) WHERE id NOT IN (SELECT id FROM temp.copied_owner)")
    return db.changesCount
  }

  /// Removes locations that come from the snapshot if their owner wants none stored. Those that the damaged catalogue itself has are kept: it had them with
  /// the same setting.
  func dropLocationsFromSnapshot() throws {
    for table in ["file", "moment"] {
      try db.execute(
        sql: """
          UPDATE main.\(table) SET latitude = NULL, longitude = NULL, altitude = NULL, location_source = NULL, location = NULL
          WHERE latitude IS NOT NULL AND id NOT IN (SELECT id FROM temp.copied_\(table))
            AND owner IN (SELECT id FROM main.owner WHERE location = \(Self.none))
          """)
    }
    try SQLiteCatalogue.dropLocationsOfFacts(
      """
      file.owner IN (SELECT id FROM owner WHERE location = \(Self.none))
        AND file.content NOT IN (SELECT id FROM temp.copied_content)
      """, [], db)
  }
}

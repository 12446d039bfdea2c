internal import GRDB

/// What triggers noted during a transaction, for its end: states of moderated files, words and grid cells.
enum PendingChanges {
  /// Sets the states of moderated files, and updates the text indexes and the grid cells.
  static func apply(_ db: Database) throws {
    try ModerationChanges(db).apply()
    try SearchWords(db).update()
    try LocationCells(db).update()
    try applyOfMoments(db)
  }

  /// Updates the text index and the grid cells of moments.
  static func applyOfMoments(_ db: Database) throws {
    try MomentWords(db).update()
    try LocationCells(db, .moments).update()
  }

  /// Merges the segments of the text indexes, so that none has words that were deleted.
  static func mergeWords(_ db: Database) throws {
    for table in CatalogueShape.textTables {
      try db.execute(sql: "INSERT INTO \(table) (\(table)) VALUES ('optimize')")
    }
  }
}

/// Updates the text index of moments once per transaction, as ``SearchWords`` does for files.
struct MomentWords {
  private let db: Database

  init(_ db: Database) { self.db = db }

  /// Applies the changes that triggers noted.
  func update() throws {
    guard try Int.fetchOne(try db.cachedStatement(sql: "SELECT 1 FROM moment_change LIMIT 1")) != nil else { return }
    for sql in Self.statements { try db.cachedStatement(sql: sql).execute() }
  }

  /// Inserts the words of all moments and trips into empty indexes.
  func fill() throws {
    try db.execute(
      sql: """
        INSERT INTO moment_text (rowid, title, caption, owner)
          SELECT \(SearchKey.sql("")) AS key, title, caption, owner FROM moment WHERE reach > \(Moment.Scope.Audience.nobody) ORDER BY key;
        INSERT INTO trip_text (rowid, title, description, owner) SELECT id, title, description, owner FROM trip ORDER BY id;
        """)
  }

  private static let statements = [
    "DELETE FROM moment_text WHERE rowid IN (SELECT key FROM moment_change)",
    """
    INSERT INTO moment_text (rowid, title, caption, owner) SELECT key, moment.title, moment.caption, moment.owner
    FROM moment_change CROSS JOIN moment ON moment.id = (moment_change.key & \(SearchKey.mask))
    WHERE moment.reach > \(Moment.Scope.Audience.nobody) AND \(SearchKey.sql("moment.")) = key ORDER BY key
    """,
    "DELETE FROM moment_change",
  ]
}

internal import FileSupport
internal import GRDB

/// A new catalogue in a temporary file, checked before it may replace the catalogue. Writes only its own file.
struct CatalogueCandidate {
  /// The path of the temporary file, in the folder of the library.
  let path: PathBytes

  init(in location: LibraryLocation) { path = location.data.appending("catalogue.rebuilding.sqlite".utf8) }

  /// Removes the temporary file, also one of a process that died.
  func remove() throws(LibraryError) {
    for suffix in ["", "-journal", "-wal", "-shm"] { try StoreFiles.remove(path.suffixed(suffix)) }
  }

  /// Creates an empty catalogue.
  /// - Parameter id: The greatest id that an earlier catalogue may have given: those of new files are greater. Default 0.
  func makeEmpty(after id: Int64 = 0) throws(LibraryError) {
    try begin()
    try change { queue in
      try queue.write { db in try db.execute(sql: "PRAGMA application_id = \(CatalogueSchema.applicationID)") }
      try CatalogueSchema.migrator.migrate(queue)
      try Self.skipIDs(queue, through: id)
      try Self.setLineage(queue)
    }
  }

  /// Creates a catalogue from the rows of another one, a snapshot or the catalogue itself, which is only read. Adds missing parts, and builds indexes
  /// and derived data from the rows.
  /// - Parameter id: The greatest id that any catalogue of the library may have given: those of new files are greater.
  /// - Throws: ``LibraryError/Code/corrupt`` if its rows cannot be read or are inconsistent.
  /// - Returns: The contents of the new catalogue.
  func make(from source: PathBytes, after id: Int64) throws(LibraryError) -> Library.CatalogueContents {
    guard try CatalogueProbe(path: source).checkHeader(isWhole: false) else {
      throw LibraryError(.notFound, "The catalogue does not exist; name another one.", path: source)
    }
    try begin()
    try CatalogueProbe(path: source).read { db in try db.execute(sql: "VACUUM INTO ?", arguments: [path.description]) }
    try change { queue in
      try Self.complete(queue)
      try CatalogueSchema.migrator.migrate(queue)
      try queue.write { db in
        try DerivedChecks(db).rebuild()
        try PendingChanges.apply(db)
        // A rendition that was garbage in the backup may be in use since: it counts as an orphan, which is moved and not removed.
        try db.execute(sql: "DELETE FROM garbage")
      }
      try queue.read(Self.check)
      try Self.skipIDs(queue, through: id)
      try Self.setLineage(queue)
    }
    return try CatalogueProbe(path: path).read { db in Library.CatalogueContents(readableIn: db) }
  }

  /// Creates an empty file with mode 0600 for SQLite.
  private func begin() throws(LibraryError) {
    try remove()
    try StoreFiles.makeFile(path)
  }

  /// Changes the file through one connection without a write-ahead log, and syncs it.
  private func change(_ body: (DatabaseQueue) throws -> Void) throws(LibraryError) {
    try SQLiteCatalogue.mapping(at: path) {
      var configuration = Configuration()
      // References are checked when all rows are there.
      configuration.foreignKeysEnabled = false
      let queue = try DatabaseQueue(path: path.description, configuration: configuration)
      defer { try? queue.close() }
      try body(queue)
      try queue.close()
    }
    try StoreFiles.syncFile(path)
  }

  /// Creates missing tables, indexes and triggers.
  private static func complete(_ queue: DatabaseQueue) throws {
    let migrator = CatalogueSchema.migrator
    let isComplete = try queue.read { db in try migrator.hasCompletedMigrations(db) }
    // An older catalogue has fewer; its migration creates them.
    guard isComplete else { return }
    let expected = try CatalogueShape.expected()
    try queue.write { db in
      // The text indexes are built from the rows in any case.
      for table in CatalogueShape.textTables { try db.execute(sql: "DROP TABLE IF EXISTS \(table)") }
      let missing = try CatalogueShape(db).missing(of: expected)
      for part in missing { try db.execute(sql: part.sql) }
      // Without the rows of renditions, it is not known which files have them.
      if missing.contains(where: { $0.name == "rendition" }) { try db.execute(sql: "UPDATE file SET recipe = NULL") }
    }
  }

  private static func check(_ db: Database) throws {
    try CatalogueShape(db).check()
    let findings = try DerivedChecks(db).integrity()
    guard findings.isEmpty else {
      throw LibraryError(
        .corrupt,
        "The rows of the catalogue are inconsistent; a snapshot in the copy may be intact: name the copy's folder with --copy.",
        detail: findings.prefix(3).joined(separator: "; "))
    }
  }

  /// Lets the ids of new files begin after one (``ReservedIDs``).
  private static func skipIDs(_ queue: DatabaseQueue, through id: Int64) throws {
    try queue.write { db in
      for table in ReservedIDs.tables {
        let sql = "SELECT seq FROM sqlite_sequence WHERE name = ?"
        guard try Int64.fetchOne(db, sql: sql, arguments: [table]) ?? 0 < id else { continue }
        try db.execute(sql: "DELETE FROM sqlite_sequence WHERE name = ?", arguments: [table])
        try db.execute(sql: "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", arguments: [table, id])
      }
    }
  }

  /// Marks that ids of this catalogue do not mean the files of an earlier one.
  private static func setLineage(_ queue: DatabaseQueue) throws {
    try queue.write { db in try db.execute(sql: "PRAGMA user_version = \(Int32.random(in: 1...Int32.max))") }
  }
}

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
      throw LibraryError(.notFound, "The catalogue does not exist.", path: source)
    }
    try begin()
    try CatalogueProbe(path: source).read { db in try db.execute(sql: "VACUUM INTO ?", arguments: [path.description]) }
    try change { queue in
      try Self.complete(queue, after: id)
      try CatalogueSchema.migrator.migrate(queue)
    }
    return try finish(after: id)
  }

  /// Derives what follows from the rows, and checks the new catalogue.
  private func finish(after id: Int64) throws(LibraryError) -> Library.CatalogueContents {
    try change { queue in
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

  /// Creates a catalogue from what can be read of a damaged one, which is only read, and takes the files of its damaged pages from snapshots.
  /// - Parameter snapshots: Snapshots in which ids mean the same files, the latest first.
  /// - Parameter id: As for ``make(from:after:)``.
  /// - Returns: The contents of the new catalogue, and where they come from.
  func recover(
    from source: PathBytes, and snapshots: [PathBytes], after id: Int64
  ) throws(LibraryError) -> (contents: Library.CatalogueContents, report: RecoveredRows.Report) {
    try makeEmpty(after: id)
    let saved = SnapshotRows(snapshots: snapshots.map { SnapshotRows.Snapshot(path: $0, uri: Self.readOnlyURI($0)) })
    var report = RecoveredRows.Report()
    try change { queue in
      report = try queue.inDatabase { db in
        // The file is synced when it is complete.
        try db.execute(sql: "PRAGMA synchronous = OFF")
        try db.execute(sql: "ATTACH ? AS old", arguments: [Self.readOnlyURI(source)])
        let triggers = try CatalogueShape(db).parts().filter { $0.type == "trigger" }
        for trigger in triggers { try db.execute(sql: "DROP TRIGGER main.\(trigger.name)") }
        let report = try RecoveredRows(db: db, saved: saved).copy()
        for trigger in triggers { try db.execute(sql: trigger.sql) }
        try db.execute(sql: "PRAGMA synchronous = FULL")
        return report
      }
    }
    return (try finish(after: id), report)
  }

  /// The URI with which SQLite opens a file only for reading: it writes no page of it when it closes it.
  private static func readOnlyURI(_ path: PathBytes) -> String {
    let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._-".utf8)
    let digits = Array("0123456789ABCDEF")
    var uri = "file:"
    for byte in path.bytes {
      if plain.contains(byte) {
        uri.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        uri += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      }
    }
    return uri + "?mode=ro"
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

  /// Creates missing tables, indexes and triggers of the schema that the catalogue has; migrations add what later ones have.
  /// - Parameter id: As for ``make(from:after:)``.
  private static func complete(_ queue: DatabaseQueue, after id: Int64) throws {
    let migrator = CatalogueSchema.migrator
    guard let applied = try queue.read({ db in try migrator.completedMigrations(db).last }) else { return }
    let expected = try CatalogueShape.expected(upTo: applied)
    let names = try queue.write { db in
      // The text indexes are built from the rows in any case.
      for table in CatalogueShape.textTables { try db.execute(sql: "DROP TABLE IF EXISTS \(table)") }
      let missing = try CatalogueShape(db).missing(of: expected)
      for part in missing { try db.execute(sql: part.sql) }
      let names = Set(missing.map(\.name))
      // Without the rows of renditions, it is not known which files have them.
      if names.contains("rendition") { try db.execute(sql: "UPDATE file SET recipe = NULL") }
      return names
    }
    guard names.isSuperset(of: ["moment", "trip"]) else { return }
    // What is left of trips is the collections that they were made of.
    try skipIDs(queue, through: id)
    try queue.write { db in
      try db.execute(sql: "DELETE FROM trip_moment")
      try db.execute(sql: CatalogueSchema.tripsOfCollections)
    }
  }

  private static func check(_ db: Database) throws {
    try CatalogueShape(db).check()
    let findings = try DerivedChecks(db).integrity()
    guard findings.isEmpty else {
      throw LibraryError(
        .corrupt,
        "The rows of the catalogue are inconsistent. Name the folder of the copy; a snapshot in it may be intact.",
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

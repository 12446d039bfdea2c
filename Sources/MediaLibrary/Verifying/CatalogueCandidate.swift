internal import FileSupport
internal import GRDB

/// A catalogue that is made beside its place, and checked before it may take it. Nothing but its own file is written.
struct CatalogueCandidate {
  /// Where it is made, in the folder of the library.
  let path: PathBytes

  init(in location: LibraryLocation) { path = location.data.appending("catalogue.rebuilding.sqlite".utf8) }

  /// Removes what is there, be it of a process that died.
  func remove() throws(LibraryError) {
    for suffix in ["", "-journal", "-wal", "-shm"] { try StoreFiles.remove(path.suffixed(suffix)) }
  }

  /// Makes an empty catalogue.
  func makeEmpty() throws(LibraryError) {
    try begin()
    try change { queue in
      try queue.write { db in try db.execute(sql: "PRAGMA application_id = \(CatalogueSchema.applicationID)") }
      try CatalogueSchema.migrator.migrate(queue)
      try Self.setLineage(queue)
    }
  }

  /// Makes one of the rows of another, which is only read: a snapshot, or the catalogue itself. Parts that are missing there are made, indexes are made
  /// anew, and so is what follows from the rows.
  /// - Throws: ``LibraryError/Code/corrupt`` when its rows cannot be read or contradict each other.
  /// - Returns: What is in it.
  func make(from source: PathBytes) throws(LibraryError) -> CatalogueContents {
    guard try CatalogueProbe(path: source).checkHeader(isWhole: false) else {
      throw LibraryError(.notFound, "The catalogue does not exist.", detail: "\(source)")
    }
    try begin()
    try CatalogueProbe(path: source).read { db in try db.execute(sql: "VACUUM INTO ?", arguments: [path.description]) }
    try change { queue in
      try Self.complete(queue)
      try CatalogueSchema.migrator.migrate(queue)
      try queue.write { db in
        try DerivedChecks(db).rebuild()
        try LocationCells(db).update()
        // What was garbage when it was backed up may be in use since: it is an orphan now, which is moved and not removed.
        try db.execute(sql: "DELETE FROM garbage")
      }
      try queue.read(Self.check)
      try Self.setLineage(queue)
    }
    return try CatalogueProbe(path: path).read { db in CatalogueContents(readableIn: db) }
  }

  /// An empty file for this user alone, which SQLite fills.
  private func begin() throws(LibraryError) {
    try remove()
    try StoreFiles.makeFile(path)
  }

  /// Changes the file by one connection without a write-ahead log, and brings it to the disk.
  private func change(_ body: (DatabaseQueue) throws -> Void) throws(LibraryError) {
    try SQLiteCatalogue.mapping {
      var configuration = Configuration()
      // References are compared when all is there.
      configuration.foreignKeysEnabled = false
      let queue = try DatabaseQueue(path: path.description, configuration: configuration)
      defer { try? queue.close() }
      try body(queue)
      try queue.close()
    }
    try StoreFiles.syncFile(path)
  }

  /// Makes the tables, indexes and triggers that are missing.
  private static func complete(_ queue: DatabaseQueue) throws {
    let migrator = CatalogueSchema.migrator
    let isComplete = try queue.read { db in try migrator.hasCompletedMigrations(db) }
    // An older catalogue has fewer; its migration makes them.
    guard isComplete else { return }
    let expected = try CatalogueShape.expected()
    try queue.write { db in
      // The index of words is made from the rows, whatever is wrong with it.
      try db.execute(sql: "DROP TABLE IF EXISTS file_text")
      let missing = try CatalogueShape(db).missing(of: expected)
      for part in missing { try db.execute(sql: part.sql) }
      // Without the rows of renditions nobody knows which files have them.
      if missing.contains(where: { $0.name == "rendition" }) { try db.execute(sql: "UPDATE file SET recipe = NULL") }
    }
  }

  private static func check(_ db: Database) throws {
    try CatalogueShape(db).check(at: PathBytes(""))
    let findings = try DerivedChecks(db).integrity()
    guard findings.isEmpty else {
      throw LibraryError(
        .corrupt, "Its rows are inconsistent.", detail: findings.prefix(3).joined(separator: "; "))
    }
  }

  /// The ids of this catalogue and those of an earlier one are not the same files from now on.
  private static func setLineage(_ queue: DatabaseQueue) throws {
    try queue.write { db in try db.execute(sql: "PRAGMA user_version = \(Int32.random(in: 1...Int32.max))") }
  }
}

internal import FileSupport
internal import GRDB
internal import Synchronization

/// A catalogue in an SQLite database in WAL mode: one writer, and readers that see the state before or after a batch.
final class SQLiteCatalogue: MediaCatalogue, ScanIndex {
  let pool: DatabasePool
  private let uses = DatabaseUses()
  /// The file of the database.
  let path: PathBytes
  let access: Library.Access
  /// Whether locations are stored (R-MYM-27).
  let keepsLocations: Bool
  /// Whether others see only moments of file contents that were found clean.
  let showsOnlyClean: Bool
  /// The store that must have renditions before a file may refer to them.
  let store: any RenditionStore
  /// The wait for other processes.
  let patience: LockTimeout
  /// Held while the database is wiped.
  let wiping = Mutex(WipingState())
  /// The least time between two attempts to finish a wipe after writes.
  let wipingInterval: Duration
  /// Reserves ids of files before they are given.
  let ids = ReservedIDs()
  /// Whether a batch was committed since the log was last synced.
  let hasUnsyncedBatches = Atomic<Bool>(false)
  /// The blocked images, to compare uploads with.
  let blockedImages = BlockedImages()
  /// Keeps what is erased out of the copy.
  let snapshots = SnapshotCoordinator()

  /// Opens the database at a path, which must be a catalogue.
  init(
    path: PathBytes, access: Library.Access, options: Library.Options, store: any RenditionStore
  ) throws(LibraryError) {
    var configuration = Configuration()
    configuration.readonly = access == .reading
    configuration.maximumReaderCount = 4
    let patience = LockTimeout(seconds: options.patience)
    configuration.busyMode = .callback { patience.waits(after: $0) }
    configuration.prepareDatabase { db in
      // Deleted data is overwritten: erasing is permanent (R-MYM-24).
      if access == .writing { try db.execute(sql: "PRAGMA secure_delete = ON") }
      // On the connection that writes, before the pool creates a log.
      if !db.configuration.readonly { try CatalogueProbe.checkKind(db, at: path) }
      try db.execute(sql: "PRAGMA cache_size = -8192")
    }
    (self.access, self.path) = (access, path)
    (keepsLocations, showsOnlyClean) = (options.keepsLocations, options.showsOnlyClean)
    self.store = store
    (self.patience, wipingInterval) = (patience, options.wipingInterval)
    pool = try Self.mapping(at: path) { try DatabasePool(path: path.description, configuration: configuration) }
    try check()
  }

  /// Closes the database when nobody uses it any more; later calls fail.
  func close() throws(LibraryError) {
    uses.end()
    try mapping { try pool.close() }
  }

  /// Calls a body that uses the database, which is not closed meanwhile.
  func using<Value>(_ body: (DatabasePool) throws -> Value) throws -> Value { try uses.use { try body(pool) } }

  private func check() throws(LibraryError) {
    let migrator = CatalogueSchema.migrator
    let (application, isNewer, isComplete) = try read { db in
      (
        try Int64.fetchOne(db, sql: "PRAGMA application_id") ?? 0,
        try migrator.hasBeenSuperseded(db), try migrator.hasCompletedMigrations(db)
      )
    }
    guard application == CatalogueSchema.applicationID else {
      throw LibraryError.otherDatabase(application, path: path)
    }
    if isNewer {
      throw LibraryError(
        .newerSchema, "The library was written by a newer version of mediatool; update mediatool to open it.",
        path: path)
    }
    if isComplete { return }
    guard access == .writing else {
      throw LibraryError(
        .olderSchema,
        "The library was written by an older version of mediatool; run `mediatool scan`, or open it for writing, to upgrade it.",
        path: path
      )
    }
    try mapping { try using { try migrator.migrate($0) } }
    // Words and grid cells of the rows that a migration has added.
    try write { _ in }
  }

  /// Reads from a consistent state of the database.
  func read<Value>(_ body: (Database) throws -> Value) throws(LibraryError) -> Value {
    try mapping { try using { try $0.read(body) } }
  }

  /// Where SQLite stores the pages to restore if a statement fails: in a file, or in memory for statements of a few rows each, because the triggers
  /// would write that file a dozen times per row.
  enum StatementJournal: String {
    case file = "FILE"
    case memory = "MEMORY"
  }

  /// What a power failure may take.
  enum Durability {
    /// Nothing: when the call returns, this change and all earlier ones are on the disk.
    case onDisk
    /// The last changes, all or none of each batch; the next scan makes them again.
    case batch
    /// The last changes, which nobody was promised and nothing repeats: when a scan began and ended.
    case note

    /// The value of `PRAGMA synchronous`.
    var synchronous: String { self == .onDisk ? "FULL" : "NORMAL" }
  }

  /// Changes the database, completely or not at all, with its search words and its map.
  func write<Value>(
    _ journal: StatementJournal = .file, _ durability: Durability = .onDisk, _ body: (Database) throws -> Value
  ) throws(LibraryError) -> Value {
    guard access == .writing else {
      throw LibraryError.onlyReading(path.folder)
    }
    defer { finishWiping() }
    return try mapping {
      try using { pool in
        // One turn of the writer, so that no other statement comes in between and uses this journal.
        try pool.writeWithoutTransaction { db in
          try db.execute(sql: "PRAGMA temp_store = \(journal.rawValue)")
          defer { try? db.execute(sql: "PRAGMA temp_store = \(StatementJournal.file.rawValue)") }
          try db.execute(sql: "PRAGMA synchronous = \(durability.synchronous)")
          try db.beginTransaction(.immediate)
          do {
            let value = try body(db)
            try PendingChanges.apply(db)
            try ids.cover(db)
            try db.commit()
            // Still in the writer's turn, so that the order is that of the commits.
            if durability != .note { hasUnsyncedBatches.store(durability == .batch, ordering: .relaxed) }
            return value
          } catch {
            if db.isInsideTransaction { try? db.rollback() }
            throw error
          }
        }
      }
    }
  }

  /// Maps an error of the database to a ``LibraryError`` that names the database.
  func mapping<Value>(_ body: () throws -> Value) throws(LibraryError) -> Value {
    try Self.mapping(at: path, body)
  }

  /// Maps an error of the database at a path to a ``LibraryError`` that names it.
  static func mapping<Value>(at path: PathBytes, _ body: () throws -> Value) throws(LibraryError) -> Value {
    do {
      return try body()
    } catch let error as LibraryError {
      throw error.at(path)
    } catch let error as DatabaseError {
      throw LibraryError(error).at(path)
    } catch let error as RowDecodingError {
      throw LibraryError(.corrupt, LibraryError.damagedRow, path: path, detail: "\(error)")
    } catch {
      throw LibraryError(
        .system, "The catalogue cannot be read or written; check it with `mediatool verify`.", path: path,
        detail: "\(error)")
    }
  }
}

extension LibraryError {
  static let damagedRow = "A row of the catalogue is damaged; `mediatool verify --repair` repairs it."
  /// The error for a database whose `application_id` is another program's.
  static func otherDatabase(_ application: Int64, path: PathBytes) -> LibraryError {
    LibraryError(
      .notALibrary,
      """
      The file is the database of another program, not the catalogue of a library; name another folder, or \
      `mediatool verify --rebuild` makes a new catalogue and keeps this file.
      """,
      path: path, detail: "application_id \(application)")
  }

  static let damagedCatalogue =
    "The catalogue is damaged; `mediatool verify --rebuild` makes a new one from what is left."

  init(_ error: DatabaseError) {
    let detail = "SQLite \(error.extendedResultCode.rawValue): \(error.message ?? "")"
    switch (error.resultCode, error.extendedResultCode) {
    case (.SQLITE_FULL, _), (_, .SQLITE_IOERR_SHMSIZE):
      self.init(.diskFull, "The disk is full; free some space and try again.", detail: detail)
    case (_, .SQLITE_IOERR_WRITE) where FileSystem.hasSizeLimit:
      // SQLite does not say why a write failed; with a limit set, that is why.
      self.init(
        .diskFull, "A file would exceed the file size limit of this process; raise it with `ulimit -f`.", detail: detail
      )
    case (.SQLITE_MISUSE, _): self.init(.closed, "The library is closed; open it again.", detail: detail)
    case (.SQLITE_CORRUPT, _): self.init(.corrupt, Self.damagedCatalogue, detail: detail)
    case (.SQLITE_NOTADB, _):
      self.init(
        .notALibrary,
        "The catalogue is not an SQLite database; `mediatool verify --rebuild` makes a new one and keeps this file.",
        detail: detail)
    case (.SQLITE_INTERRUPT, _):
      self.init(
        .busy, "The call was interrupted by an erasure, or because the library is being closed; try again.",
        detail: detail)
    case (.SQLITE_BUSY, _), (.SQLITE_LOCKED, _):
      self.init(.locked, "Another process is using the library; try again when it has finished.", detail: detail)
    case (.SQLITE_READONLY, _):
      self.init(
        .readOnly, "The catalogue cannot be written; check the owner and the permissions of the library's folders.",
        detail: detail)
    case (.SQLITE_CANTOPEN, _):
      self.init(
        .system, "The catalogue cannot be opened; check the owner and the permissions of the library's folders.",
        detail: detail)
    default:
      self.init(
        .system, "SQLite cannot read or write the catalogue; check the disk, then run `mediatool verify`.",
        detail: detail)
    }
  }
}

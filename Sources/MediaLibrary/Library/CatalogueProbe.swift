internal import FileSupport
internal import GRDB

/// Examines a file that may be a catalogue, without changing it.
struct CatalogueProbe {
  /// The result of an examination.
  enum Finding {
    case missing
    /// Not a catalogue that this version can read, with the reason.
    case unusable(LibraryError)
    /// A catalogue, possibly a damaged one.
    case catalogue(Library.CatalogueContents, lineage: Lineage)
  }

  let path: PathBytes

  /// The first bytes of every SQLite database.
  private static let magic = Array("SQLite format 3\0".utf8)

  /// Fails for a file that SQLite must not open: an empty one, which SQLite treats as a new database whose write-ahead log it removes; a truncated
  /// one; anything else that is not a database.
  /// - Parameter isWhole: Whether all pages must be present, as writing requires.
  /// - Returns: False if there is no file.
  func checkHeader(isWhole: Bool = true) throws(LibraryError) -> Bool {
    guard let header = try StoreFiles.start(of: path, count: 100) else { return false }
    guard !header.isEmpty else {
      throw LibraryError(
        .corrupt, "The catalogue is an empty file; `mediatool verify --rebuild` makes a new one.",
        path: path)
    }
    guard header.starts(with: Self.magic) else {
      throw LibraryError(
        .notALibrary,
        "The catalogue is not an SQLite database; `mediatool verify --rebuild` makes a new one and keeps this file.",
        path: path)
    }
    if isWhole, let bytes = StoreFiles.size(path), let wanted = size(statedBy: header), bytes < wanted {
      throw LibraryError(
        .corrupt,
        "The catalogue is truncated (\(bytes) of \(wanted) bytes); `mediatool verify --rebuild` makes a new one.",
        path: path)
    }
    return true
  }

  /// The size that the header states; nil if it is not known, for example while pages are in the log (SQLite file format, 1.3).
  private func size(statedBy header: [UInt8]) -> Int? {
    guard header.count == 100, StoreFiles.size(path.suffixed("-wal")) ?? 0 == 0, header[24..<28] == header[92..<96]
    else { return nil }
    let page = Int(header[16]) << 8 | Int(header[17])
    let pages = header[28..<32].reduce(0) { $0 << 8 | Int($1) }
    return (page == 1 ? 65_536 : page) * pages
  }

  /// Opens the file for reading and counts its contents.
  func look() -> Finding {
    do throws(LibraryError) {
      guard try checkHeader(isWhole: false) else { return .missing }
      let (contents, lineage) = try read { db in (Library.CatalogueContents(readableIn: db), try Self.lineage(of: db)) }
      return .catalogue(contents, lineage: lineage)
    } catch {
      return .unusable(error)
    }
  }

  /// Reads a database, which must be a catalogue of this version or an older one.
  /// - Parameter turns: What may interrupt the body; nil for nothing.
  func read<Value>(
    in turns: SnapshotCoordinator? = nil, _ body: (Database) throws -> Value
  ) throws(LibraryError) -> Value {
    try SQLiteCatalogue.mapping(at: path) {
      var configuration = Configuration()
      configuration.readonly = true
      configuration.busyMode = .timeout(5)
      let queue = try DatabaseQueue(path: path.description, configuration: configuration)
      defer { try? queue.close() }
      func work() throws -> Value {
        try queue.inDatabase { db in
          try Self.checkKind(db, at: path)
          return try body(db)
        }
      }
      if let turns { return try turns.run(on: queue, work) }
      return try work()
    }
  }

  /// Whether the header is that of a catalogue, and no log can have another one (SQLite file format, 1.3).
  func hasCatalogueHeader() throws(LibraryError) -> Bool {
    guard let header = try StoreFiles.start(of: path, count: 100), header.count == 100, header.starts(with: Self.magic),
      StoreFiles.size(path.suffixed("-wal")) ?? 0 == 0
    else { return false }
    return header[68..<72].reduce(0) { $0 << 8 | Int64($1) } == CatalogueSchema.applicationID
  }

  /// Fails for the database of another program, and for a catalogue of a newer version.
  static func checkKind(_ db: Database, at path: PathBytes) throws {
    let application = try Int64.fetchOne(db, sql: "PRAGMA application_id") ?? 0
    guard application == CatalogueSchema.applicationID else {
      throw LibraryError.otherDatabase(application, path: path)
    }
    if try isNewer(db) {
      throw LibraryError(
        .newerSchema, "The library was written by a newer version of mediatool; update mediatool to open it.",
        path: path)
    }
  }

  private static func isNewer(_ db: Database) throws -> Bool {
    do {
      return try CatalogueSchema.migrator.hasBeenSuperseded(db)
    } catch let error as DatabaseError where error.isDamage {
      // A damaged page of the names of migrations costs no catalogue: their index has them, too.
      let sql = "SELECT identifier FROM grdb_migrations INDEXED BY sqlite_autoindex_grdb_migrations_1"
      return try !Set(String.fetchAll(db, sql: sql)).isSubset(of: CatalogueSchema.migrator.migrations)
    }
  }

  /// What a catalogue shares with its snapshots.
  struct Lineage: Hashable {
    /// In two catalogues of the same number, an id means the same file.
    var number: Int64
    /// Whether the ids of moments and trips are this catalogue's own: a snapshot of a version without moments that was upgraded on its own. In all other
    /// catalogues of the same number they mean the same.
    var hasOwnMoments = false
  }

  /// The lineage of a catalogue, in `PRAGMA user_version`: the number, with all bits inverted if the catalogue has moments of its own.
  static func lineage(of db: Database) throws -> Lineage {
    let version = try Int64.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    return version < 0 ? Lineage(number: ~version, hasOwnMoments: true) : Lineage(number: version)
  }

  /// Notes that the ids of a catalogue's moments and trips are its own.
  static func noteOwnMoments(_ db: Database) throws {
    try db.execute(sql: "PRAGMA user_version = \(~(try lineage(of: db).number))")
  }
}

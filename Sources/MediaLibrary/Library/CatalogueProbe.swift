internal import FileSupport
internal import GRDB

/// Looks at a file that may be a catalogue, without changing it.
struct CatalogueProbe {
  /// What is at the path of a catalogue.
  enum Finding {
    case missing
    /// No catalogue that this version can read, and why.
    case unusable(LibraryError)
    /// A catalogue, perhaps a damaged one.
    case catalogue(CatalogueContents, lineage: Int64)
  }

  let path: PathBytes

  /// The first bytes of every SQLite database.
  private static let magic = Array("SQLite format 3\0".utf8)

  /// Fails for a file that no database engine should be given: an empty one, which SQLite takes for a new database and whose write-ahead log it
  /// removes; one that was cut off; anything else that is no database.
  /// - Parameter isWhole: Whether it has to have all its pages: to be written.
  /// - Returns: False when there is no file.
  func checkHeader(isWhole: Bool = true) throws(LibraryError) -> Bool {
    guard let header = try StoreFiles.start(of: path, count: 100) else { return false }
    guard !header.isEmpty else {
      throw LibraryError(
        .corrupt, "The catalogue is an empty file; `mediatool verify --rebuild` makes a new one.",
        detail: "\(path)")
    }
    guard header.starts(with: Self.magic) else {
      throw LibraryError(
        .notALibrary,
        "The catalogue is not an SQLite database; `mediatool verify --rebuild` makes a new one and keeps this file.",
        detail: "\(path)")
    }
    if isWhole, let bytes = StoreFiles.size(path), let wanted = size(saidBy: header), bytes < wanted {
      throw LibraryError(
        .corrupt,
        "The catalogue is truncated (\(bytes) of \(wanted) bytes); `mediatool verify --rebuild` makes a new one.",
        detail: "\(path)")
    }
    return true
  }

  /// How many bytes the file has to have; nil where that is not known, as while pages are in the log (SQLite file format, 1.3).
  private func size(saidBy header: [UInt8]) -> Int? {
    guard header.count == 100, StoreFiles.size(path.suffixed("-wal")) ?? 0 == 0, header[24..<28] == header[92..<96]
    else { return nil }
    let page = Int(header[16]) << 8 | Int(header[17])
    let pages = header[28..<32].reduce(0) { $0 << 8 | Int($1) }
    return (page == 1 ? 65_536 : page) * pages
  }

  /// Opens the file for reading and counts what is in it.
  func look() -> Finding {
    do throws(LibraryError) {
      guard try checkHeader(isWhole: false) else { return .missing }
      let (contents, lineage) = try read { db in (CatalogueContents(readableIn: db), try Self.lineage(of: db)) }
      return .catalogue(contents, lineage: lineage)
    } catch {
      return .unusable(error)
    }
  }

  /// Reads a database that has to be a catalogue of this version or an older one.
  func read<Value>(_ body: (Database) throws -> Value) throws(LibraryError) -> Value {
    try SQLiteCatalogue.mapping {
      var configuration = Configuration()
      configuration.readonly = true
      configuration.busyMode = .timeout(5)
      let queue = try DatabaseQueue(path: path.description, configuration: configuration)
      defer { try? queue.close() }
      return try queue.inDatabase { db in
        try Self.checkKind(db, at: path)
        return try body(db)
      }
    }
  }

  private static func checkKind(_ db: Database, at path: PathBytes) throws {
    let application = try Int64.fetchOne(db, sql: "PRAGMA application_id") ?? 0
    guard application == CatalogueSchema.applicationID else {
      throw LibraryError(
        .notALibrary,
        "The file is the database of another program, not the catalogue of a library (application_id \(application)).",
        detail: "\(path)")
    }
    if try CatalogueSchema.migrator.hasBeenSuperseded(db) {
      throw LibraryError(
        .newerSchema, "The library was written by a newer version of mediatool.",
        detail: "\(path)")
    }
  }

  /// The number that a catalogue has in common with its snapshots: in both, the same id is the same file.
  static func lineage(of db: Database) throws -> Int64 { try Int64.fetchOne(db, sql: "PRAGMA user_version") ?? 0 }
}

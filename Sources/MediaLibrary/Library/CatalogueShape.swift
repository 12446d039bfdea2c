internal import GRDB

/// The tables, indexes and triggers that a catalogue has to have.
struct CatalogueShape {
  private let db: Database

  init(_ db: Database) { self.db = db }

  /// An element of the schema, with the statement that creates it.
  struct Part: Hashable {
    let name: String
    /// `table`, `index` or `trigger`.
    let type: String
    let sql: String
  }

  /// A difference between the schema of a catalogue and the expected one.
  struct Difference: Hashable {
    enum Kind: String {
      case missing = "is missing"
      case changed = "differs from the expected one"
      case unknown = "is not part of the schema"
    }

    let kind: Kind
    /// The expected element; for an unknown one, the element that exists.
    let part: Part

    /// Whether it can be created again without losing a row: an index, a trigger, or a table with derived data.
    var isDerived: Bool { part.type != "table" || CatalogueShape.derivedTables.contains(part.name) }

    var description: String { "\(part.type) \(part.name) \(kind.rawValue)" }
  }

  /// Tables with data derived from other tables (``DerivedChecks``).
  static let derivedTables = Set(["file_text", "text_change", "tally", "location_cell", "location_change"])
    .union(CatalogueSchema.derivedMomentTables).union(CatalogueSchema.derivedModerationTables)
  /// The text indexes. Each has tables of its own with its name and a suffix.
  static let textTables = ["file_text", "moment_text", "trip_text"]

  /// The elements that are missing.
  func missing(of expected: [Part]) throws -> [Part] {
    let names = try Set(String.fetchAll(db, sql: "SELECT name FROM sqlite_master"))
    return expected.filter { !names.contains($0.name) }
  }

  /// The elements that exist, without those that SQLite and GRDB create themselves.
  func parts() throws -> [Part] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT name, type, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
          AND name NOT LIKE '%\\_text\\_%' ESCAPE '\\' AND name <> 'grdb_migrations' ORDER BY rowid
        """
    ).map { Part(name: $0[0], type: $0[1], sql: $0[2]) }
  }

  /// The elements that are missing or differ, in an order in which they can be created, and unknown triggers, because these change rows. Unknown
  /// tables and indexes are harmless.
  func differences() throws -> [Difference] {
    let expected = try Self.expected()
    let there = Dictionary(try parts().map { ($0.name, $0) }) { first, _ in first }
    let names = Set(expected.map(\.name))
    let added = there.values.filter { $0.type == "trigger" && !names.contains($0.name) }
    return expected.compactMap { part in
      guard let found = there[part.name] else { return Difference(kind: .missing, part: part) }
      return found == part ? nil : Difference(kind: .changed, part: part)
    } + added.sorted { $0.name < $1.name }.map { Difference(kind: .unknown, part: $0) }
  }

  /// Creates the elements again for which no row is lost. ``DerivedChecks/rebuild()`` restores the derived data.
  func repair() throws {
    for difference in try differences() where difference.isDerived {
      let part = difference.part
      if difference.kind != .missing {
        try db.execute(sql: "DROP \(part.type) IF EXISTS \(part.name.quotedDatabaseIdentifier)")
      }
      guard difference.kind != .unknown else { continue }
      do {
        try db.execute(sql: part.sql)
      } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
        // Its table is missing: only a rebuild creates that again.
      }
    }
  }

  /// The elements of a new catalogue in an order in which they can be created.
  /// - Parameter migration: The last migration of its schema. Default nil: that of this version.
  static func expected(upTo migration: String? = nil) throws -> [Part] {
    let queue = try DatabaseQueue()
    if let migration {
      try CatalogueSchema.migrator.migrate(queue, upTo: migration)
    } else {
      try CatalogueSchema.migrator.migrate(queue)
    }
    defer { try? queue.close() }
    return try queue.read { db in try CatalogueShape(db).parts() }
  }

  /// Tables with data that exists nowhere else.
  private static let tables =
    [
      "word", "folder", "owner", "collection", "content", "rendition", "file", "scan", "scan_root", "garbage",
      "erasure",
    ] + CatalogueSchema.momentRows + CatalogueSchema.moderationRows + CatalogueSchema.imageRows
    + CatalogueSchema.noteRows + CatalogueSchema.heldTripRows

  /// The names of ``expected()`` as constants, because they are checked whenever a catalogue is opened.
  static let names =
    [
      "word", "folder", "owner", "collection", "content", "rendition", "file", "file_text", "text_change", "scan",
      "scan_root", "tally", "location_cell", "location_change", "garbage", "erasure", "folder_there", "file_path",
      "file_inode", "file_content", "file_lost", "file_newest", "file_visual", "file_kind", "file_folder",
      "file_owner", "file_owner_visual", "file_owner_kind", "file_owner_content", "file_collection", "file_belonging",
      "file_new", "file_failed", "file_state", "file_location",
      "file_owner_location", "content_shared", "rendition_address", "collection_started", "collection_open",
      "file_inserted", "file_deleted", "file_counted", "file_worded", "file_content_changed", "file_collected",
      "file_touched", "owner_deleted", "content_deleted", "rendition_deleted", "rendition_changed", "location_inserted",
      "location_deleted", "location_changed",
    ] + CatalogueSchema.momentNames + CatalogueSchema.moderationNames + CatalogueSchema.imageNames
    + CatalogueSchema.noteNames + CatalogueSchema.heldTripNames + CatalogueSchema.acceptedContentNames
    + CatalogueSchema.cleanMomentNames

  /// Fails for a catalogue of which a part is missing.
  func check() throws {
    let found = try Set(String.fetchAll(db, sql: "SELECT name FROM sqlite_master"))
    let missing = Self.names.filter { !found.contains($0) }
    guard !missing.isEmpty else { return }
    let remedy =
      Self.tables.contains(where: missing.contains)
      ? "`mediatool verify --rebuild` makes a new one from what is left."
      : "`mediatool verify --repair` creates the missing parts again."
    throw LibraryError(
      .corrupt, "The catalogue is damaged: it has no \(missing.joined(separator: ", ")). \(remedy)")
  }
}

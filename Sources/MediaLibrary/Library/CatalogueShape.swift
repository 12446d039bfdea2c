internal import FileSupport
internal import GRDB

/// The tables, indexes and triggers that a catalogue must have.
struct CatalogueShape {
  private let db: Database

  init(_ db: Database) { self.db = db }

  /// An element of the schema, with the statement that creates it.
  struct Part {
    let name: String
    let sql: String
  }

  /// The elements that are missing.
  func missing(of expected: [Part]) throws -> [Part] {
    let names = try Set(String.fetchAll(db, sql: "SELECT name FROM sqlite_master"))
    return expected.filter { !names.contains($0.name) }
  }

  /// The elements of a new catalogue in an order in which they can be created, without those that SQLite creates itself.
  static func expected() throws -> [Part] {
    let queue = try DatabaseQueue()
    try CatalogueSchema.migrator.migrate(queue)
    defer { try? queue.close() }
    return try queue.read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
            AND name NOT LIKE 'file\\_text\\_%' ESCAPE '\\' AND name <> 'grdb_migrations' ORDER BY rowid
          """
      ).map { Part(name: $0[0], sql: $0[1]) }
    }
  }

  /// The names of ``expected()`` as constants, because they are checked whenever a catalogue is opened.
  static let names = [
    "word", "folder", "owner", "collection", "content", "rendition", "file", "file_text", "text_change", "scan",
    "scan_root", "tally", "location_cell", "location_change", "garbage", "erasure", "folder_there", "file_path",
    "file_inode", "file_content", "file_lost", "file_newest", "file_visual", "file_kind", "file_folder",
    "file_owner", "file_owner_visual", "file_owner_kind", "file_owner_content", "file_collection", "file_belonging",
    "file_new", "file_failed", "file_state", "file_location",
    "file_owner_location", "content_shared", "rendition_address", "collection_started", "collection_open",
    "file_inserted", "file_deleted", "file_counted", "file_worded", "file_content_changed", "file_collected",
    "file_touched", "owner_deleted", "content_deleted", "rendition_deleted", "rendition_changed", "location_inserted",
    "location_deleted", "location_changed",
  ]

  /// Fails if an element is missing.
  func check(at path: PathBytes) throws {
    let missing = try missing(of: Self.names.map { Part(name: $0, sql: "") }).map(\.name)
    guard !missing.isEmpty else { return }
    throw LibraryError(
      .corrupt,
      "The catalogue is damaged: it has no \(missing.joined(separator: ", ")). `mediatool verify --rebuild` makes a new one from what is left.",
      detail: "\(path)")
  }
}

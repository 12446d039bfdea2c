internal import FileSupport
internal import GRDB
internal import Synchronization

/// The ids that files of a library may have been given, noted in `library.json` before they are given: outside of the catalogue, so that the one that is made
/// after its loss gives none of them to another file. Drafts, signed URLs and the databases of apps still contain such ids.
final class ReservedIDs: Sendable {
  /// The tables whose ids they are: one number is above all of them.
  static let tables = ["file", "moment", "trip"]

  /// How many ids are reserved with one write of `library.json`. A rebuild skips at most so many.
  static let step: Int64 = 1 << 20

  private struct State {
    let folder: PathBytes
    var marker: LibraryMarker
  }

  /// Nil until the library is open for writing.
  private let state = Mutex<State?>(nil)

  /// Begins with what a library's marker says, and reserves ids if the catalogue has given more.
  func start(in folder: PathBytes, _ catalogue: SQLiteCatalogue) throws(LibraryError) {
    guard let marker = try LibraryMarker.read(in: folder) else { return }
    state.withLock { $0 = State(folder: folder, marker: marker) }
    try catalogue.read { db in try cover(db) }
  }

  /// Reserves the ids that a transaction has given, before it is committed.
  func cover(_ db: Database) throws {
    try state.withLock { state in
      guard var next = state else { return }
      let last = try Self.last(in: db)
      guard last > next.marker.lastID ?? -1 else { return }
      // Ids are never above: see `SearchKey`.
      next.marker.lastID = min(last + Self.step, SearchKey.mask)
      try next.marker.write(in: next.folder)
      state = next
    }
  }

  /// The greatest id that a catalogue has given; 0 if it cannot say.
  static func last(in db: Database) throws -> Int64 {
    guard try db.tableExists("sqlite_sequence") else { return 0 }
    let names = tables.map { "'\($0)'" }.joined(separator: ", ")
    return try Int64.fetchOne(
      try db.cachedStatement(sql: "SELECT max(seq) FROM sqlite_sequence WHERE name IN (\(names))")) ?? 0
  }

  /// An id above all that a library may have given, for a catalogue in place of a lost one.
  /// - Parameter known: The greatest id in what is left of earlier catalogues.
  static func start(in folder: PathBytes, after known: Int64) throws(LibraryError) -> Int64 {
    if let reserved = try LibraryMarker.read(in: folder)?.lastID { return max(known, reserved) }
    // The marker is lost too. Few libraries have had as many files as are skipped; it is random, so that a second loss does not begin there again.
    return min(known + .random(in: (1 << 24)...(1 << 28)), SearchKey.mask)
  }
}

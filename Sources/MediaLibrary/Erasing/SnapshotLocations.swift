internal import FileSupport
internal import GRDB

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Erases the locations of an owner from the snapshots in the copy, and sets the owner's location sharing to `none` there, so that a rebuild does not bring them back.
struct SnapshotLocations {
  let owner: String
  /// The files that the owner has now; a snapshot may have them as nobody's.
  let files: [SnapshotMatch.File]
  /// Where the owner's files are.
  let catalogue: SnapshotMatch.Catalogue

  /// Reads the owner's files from the library's catalogue.
  init(of owner: String, in database: SQLiteCatalogue) throws(LibraryError) {
    let (files, lineage) = try database.read { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT file.id, CAST(folder.path AS BLOB), CAST(file.name AS BLOB) FROM owner
          CROSS JOIN file INDEXED BY file_belonging ON file.owner = owner.id CROSS JOIN folder ON folder.id = file.folder
          WHERE owner.name = ?
          """, arguments: [owner])
      return (rows.map(SnapshotMatch.File.init), try CatalogueProbe.lineage(of: db))
    }
    (self.owner, self.files) = (owner, files)
    catalogue = .init(lineage: lineage, database: database, wanted: Set(files.map(\.id)))
  }

  /// Erases the locations from all snapshots in a folder.
  /// - Returns: Unreadable snapshots, which may still contain them.
  func erase(in folder: PathBytes) throws(LibraryError) -> [PathBytes] {
    let mayAffect = { (db: Database) throws -> Bool in try ownerID(db) != nil || !unowned(db).isEmpty }
    return try SnapshotRewrite(folder: folder, mayAffectEarlier: mayAffect, isAffected: isAffected) { db in
      try db.execute(sql: "INSERT OR IGNORE INTO owner (name) VALUES (?)", arguments: [owner])
      guard let id = try ownerID(db) else { return }
      try db.execute(
        sql: "UPDATE owner SET location = ? WHERE id = ?", arguments: [Moment.LocationSharing.none.number, id])
      let update = try db.cachedStatement(sql: "UPDATE file SET owner = ? WHERE id = ?")
      for file in try unowned(db) { try update.execute(arguments: [id, file]) }
      try SQLiteCatalogue.eraseLocations(of: id, db)
    }.run().remaining
  }

  /// Whether a snapshot has the owner with another setting, or locations of the owner's moments and files.
  private func isAffected(_ db: Database) throws -> Bool {
    if let id = try ownerID(db) {
      if try !SQLiteCatalogue.wantsNoLocations(id, db) || SQLiteCatalogue.hasLocations(of: id, db) { return true }
    }
    return try unowned(db).contains { try SQLiteCatalogue.hasLocation(file: $0, db) }
  }

  private func ownerID(_ db: Database) throws -> Int64? {
    try Int64.fetchOne(db, sql: "SELECT id FROM owner WHERE name = ?", arguments: [owner])
  }

  /// The owner's files that are nobody's in a snapshot.
  private func unowned(_ db: Database) throws -> [Int64] {
    let match = try SnapshotMatch(catalogue, in: db)
    let nobodys = try db.cachedStatement(sql: "SELECT id FROM file WHERE id = ? AND owner IS NULL")
    return try files.flatMap { try match.ids(of: $0) }
      .filter { try Int64.fetchOne(nobodys, arguments: [$0]) != nil }
  }
}

internal import FileSupport
internal import GRDB

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Erases the locations of an owner from the snapshots in the copy, and turns the owner's switch off there, so that a rebuild does not bring them back.
struct SnapshotLocations {
  /// A file that the owner has now; a snapshot may have it as nobody's.
  struct Owned {
    let id: Int64
    let folder: Data
    let name: Data
  }

  let owner: String
  let files: [Owned]
  /// The lineage of the catalogue to which the ids belong.
  let lineage: CatalogueProbe.Lineage

  /// Reads the owner's files from the library's catalogue.
  init(of owner: String, in database: SQLiteCatalogue) throws(LibraryError) {
    (files, lineage) = try database.read { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT file.id, CAST(folder.path AS BLOB), CAST(file.name AS BLOB) FROM owner
          CROSS JOIN file INDEXED BY file_belonging ON file.owner = owner.id CROSS JOIN folder ON folder.id = file.folder
          WHERE owner.name = ?
          """, arguments: [owner])
      return (rows.map { Owned(id: $0[0], folder: $0[1], name: $0[2]) }, try CatalogueProbe.lineage(of: db))
    }
    self.owner = owner
  }

  /// Erases the locations from all snapshots in a folder.
  /// - Returns: Unreadable snapshots, which may still contain them.
  func erase(in folder: PathBytes) throws(LibraryError) -> [PathBytes] {
    let isAffected = { (db: Database) throws -> Bool in try ownerID(db) != nil || !unowned(db).isEmpty }
    return try SnapshotRewrite(folder: folder, isAffected: isAffected) { db in
      try db.execute(sql: "INSERT OR IGNORE INTO owner (name) VALUES (?)", arguments: [owner])
      guard let id = try ownerID(db) else { return }
      try db.execute(sql: "UPDATE owner SET location = ? WHERE id = ?", arguments: [LocationSharing.none.number, id])
      let update = try db.cachedStatement(sql: "UPDATE file SET owner = ? WHERE id = ?")
      for file in try unowned(db) { try update.execute(arguments: [id, file]) }
      try SQLiteCatalogue.eraseLocations(of: id, db)
    }.run()
  }

  private func ownerID(_ db: Database) throws -> Int64? {
    try Int64.fetchOne(db, sql: "SELECT id FROM owner WHERE name = ?", arguments: [owner])
  }

  /// The owner's files that are nobody's in a snapshot.
  private func unowned(_ db: Database) throws -> [Int64] {
    let isSame = try CatalogueProbe.lineage(of: db).number == lineage.number
    let byID = try db.cachedStatement(sql: "SELECT id FROM file WHERE id = ? AND owner IS NULL")
    let byPath = try db.cachedStatement(
      sql: """
        SELECT file.id FROM folder CROSS JOIN file INDEXED BY file_path ON file.folder = folder.id
        WHERE folder.path = ? AND file.name = ? AND file.owner IS NULL
        """)
    var found: [Int64] = []
    for file in files {
      if isSame, let id = try Int64.fetchOne(byID, arguments: [file.id]) {
        found.append(id)
      } else if let id = try Int64.fetchOne(byPath, arguments: [file.folder, file.name]) {
        found.append(id)
      }
    }
    return found
  }
}

internal import GRDB

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Finds files of the library's catalogue in one snapshot: by id, if ids mean the same in both, and by path.
///
/// A file may have been at another path when the snapshot was written, and another file at its path. So a file at the path is not taken if the
/// catalogue has that file under its id, unless that one is searched for too.
struct SnapshotMatch {
  /// A file of the catalogue.
  struct File {
    let id: Int64
    let folder: Data
    let name: Data

    init(id: Int64, folder: Data, name: Data) { (self.id, self.folder, self.name) = (id, folder, name) }

    /// The file of a row with an id, the path of a folder, and a name.
    init(_ row: Row) { self.init(id: row[0], folder: row[1], name: row[2]) }
  }

  /// Where files are searched for.
  struct Catalogue {
    /// The lineage of the catalogue to which the ids belong.
    let lineage: CatalogueProbe.Lineage
    /// The library's catalogue.
    let database: SQLiteCatalogue
    /// The ids of all files that are searched for.
    let wanted: Set<Int64>
  }

  private let catalogue: Catalogue
  /// Whether ids mean the same.
  private let isSame: Bool
  private let byID: Statement
  private let byPath: Statement

  init(_ catalogue: Catalogue, in snapshot: Database) throws {
    self.catalogue = catalogue
    isSame = try CatalogueProbe.lineage(of: snapshot).number == catalogue.lineage.number
    byID = try snapshot.cachedStatement(sql: "SELECT id FROM file WHERE id = ?")
    byPath = try snapshot.cachedStatement(
      sql: """
        SELECT file.id FROM folder CROSS JOIN file INDEXED BY file_path ON file.folder = folder.id
        WHERE folder.path = ? AND file.name = ?
        """)
  }

  /// The ids that a file has in the snapshot; empty if the snapshot does not have it.
  func ids(of file: File) throws -> [Int64] {
    var ids = isSame ? try Int64.fetchAll(byID, arguments: [file.id]) : []
    for id in try Int64.fetchAll(byPath, arguments: [file.folder, file.name]) where !ids.contains(id) {
      if isSame, try isElsewhere(id) { continue }
      ids.append(id)
    }
    return ids
  }

  /// Whether an id is that of a file of the catalogue that is not searched for.
  private func isElsewhere(_ id: Int64) throws -> Bool {
    if catalogue.wanted.contains(id) { return false }
    return try catalogue.database.read { db in
      try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM file WHERE id = ?)", arguments: [id]) == true
    }
  }
}

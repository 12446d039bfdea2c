internal import FileSupport
internal import GRDB

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Erases files from the snapshots in the copy, and replaces each by one without them: a rebuild must not bring erased files back, and must
/// bring back all others.
struct SnapshotErasure {
  /// A file to erase.
  struct Gone {
    let id: Int64
    let folder: Data
    let name: Data
  }

  let request: ErasureRequest
  let gone: [Gone]
  /// Moments and trips to erase.
  let momentsAndTrips: GoneMoments
  /// The lineage of the catalogue to which the ids belong.
  let lineage: CatalogueProbe.Lineage
  /// The library's catalogue.
  let database: SQLiteCatalogue

  /// Erases from all snapshots in a folder.
  /// - Returns: Unreadable snapshots, which may still contain the erased files.
  func run(in folder: PathBytes) throws(LibraryError) -> [PathBytes] {
    try SnapshotRewrite(folder: folder, isAffected: fill) { db in
      _ = try fill(db)
      _ = try Erasure(db).deleteRows(request.scope, wiping: false)
    }.run()
  }

  /// Puts the ids that the files have in a snapshot into the table of ids to erase.
  /// - Returns: Whether there is anything to erase.
  private func fill(_ db: Database) throws -> Bool {
    var hasNames = false
    switch request.scope {
    case .owner(let name):
      try Erasure(db).collect(request)
      hasNames =
        try Bool.fetchOne(
          db,
          sql: "SELECT EXISTS (SELECT 1 FROM owner WHERE name = ?1) OR EXISTS (SELECT 1 FROM report WHERE reader = ?1)",
          arguments: [name]) == true
    case .collection(let name, let owner):
      try Erasure(db).collect(request)
      let sql = """
        SELECT EXISTS (SELECT 1 FROM collection CROSS JOIN owner ON owner.id = collection.owner
          WHERE owner.name = ? AND collection.name = ?)
        """
      hasNames = try Bool.fetchOne(db, sql: sql, arguments: [owner, name]) == true
    case .file, .files, .vanished, .moments, .trip:
      var nothing = request
      nothing.scope = .files([])
      try Erasure(db).collect(nothing)
    }
    let found = try CatalogueProbe.lineage(of: db)
    let isSame = found.number == lineage.number
    let byID = try db.cachedStatement(sql: "INSERT OR IGNORE INTO gone SELECT id FROM file WHERE id = ?")
    let byPath = try db.cachedStatement(
      sql: """
        SELECT file.id FROM folder CROSS JOIN file INDEXED BY file_path ON file.folder = folder.id
        WHERE folder.path = ? AND file.name = ?
        """)
    let erased = Set(gone.map(\.id))
    func isOther(_ id: Int64) throws -> Bool {
      if erased.contains(id) { return false }
      return try database.read { db in
        try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM file WHERE id = ?)", arguments: [id]) == true
      }
    }
    let put = try db.cachedStatement(sql: "INSERT OR IGNORE INTO gone VALUES (?)")
    for one in gone {
      if isSame { try byID.execute(arguments: [one.id]) }
      for id in try Int64.fetchAll(byPath, arguments: [one.folder, one.name]) {
        // A file that the catalogue has elsewhere by now was at this path then.
        if isSame, try isOther(id) { continue }
        try put.execute(arguments: [id])
      }
    }
    if found.hasOwnMoments, found != lineage {
      try momentsAndTrips.fillByContent(db, sameFiles: isSame, isOther: isOther)
    } else {
      try momentsAndTrips.fill(db)
    }
    return try hasNames || Erasure(db).hasAny()
  }
}

extension Library {
  /// Erases files from the snapshots in the copy before they are erased here, so that a process that dies in between has lost nothing that the
  /// catalogue does not have.
  /// - Returns: Snapshots and set-aside catalogues that may still contain the files.
  func eraseFromSnapshots(_ request: ErasureRequest) throws(LibraryError) -> [PathBytes] {
    let aside = try SetAsideCatalogues(location).paths()
    guard let copy = options.copy, try !Snapshot.all(in: copy).isEmpty else { return aside }
    let (gone, momentsAndTrips, lineage) = try database.write { db in
      try Erasure(db).collect(request)
      let sql = """
        SELECT gone.id, folder.path, file.name FROM gone CROSS JOIN file ON file.id = gone.id
        CROSS JOIN folder ON folder.id = file.folder
        """
      let gone = try Row.fetchAll(db, sql: sql).map { SnapshotErasure.Gone(id: $0[0], folder: $0[1], name: $0[2]) }
      let momentsAndTrips = try GoneMoments(db)
      try Erasure(db).begin()
      return (gone, momentsAndTrips, try CatalogueProbe.lineage(of: db))
    }
    let erasure = SnapshotErasure(
      request: request, gone: gone, momentsAndTrips: momentsAndTrips, lineage: lineage, database: database)
    return try erasure.run(in: copy) + aside
  }
}

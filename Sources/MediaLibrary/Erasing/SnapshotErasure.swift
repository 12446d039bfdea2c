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
  let request: ErasureRequest
  let gone: RowsToErase
  /// Where the files to erase are.
  let catalogue: SnapshotMatch.Catalogue

  /// Erases from all snapshots in a folder.
  /// - Returns: Unreadable snapshots, which may still contain the erased files, and the number of those that were replaced.
  func run(in folder: PathBytes) throws(LibraryError) -> (remaining: [PathBytes], replaced: Int) {
    let report = request.progress
    return try SnapshotRewrite(
      folder: folder, progress: { done, total in report?(ErasureRequest.Progress(.snapshots, done, of: total)) },
      mayAffectEarlier: mayHaveAny, isAffected: fill
    ) { db in
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
      hasNames = try hasOwner(name, db) || hasReader(name, db)
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
    let match = try SnapshotMatch(catalogue, in: db)
    let put = try db.cachedStatement(sql: "INSERT OR IGNORE INTO gone VALUES (?)")
    try gone.eachFile { file in
      for id in try match.ids(of: file) { try put.execute(arguments: [id]) }
      return true
    }
    let lineage = try CatalogueProbe.lineage(of: db)
    let isByContent = lineage.hasOwnMoments && lineage != catalogue.lineage
    try gone.eachPage { page in
      if isByContent { try page.fillByContent(db, match) } else { try page.fill(db) }
    }
    return try hasNames || Erasure(db).hasAny()
  }

  /// Whether a snapshot of an earlier schema may have anything to erase, by what all schemas have in common: a snapshot without it need not be migrated.
  private func mayHaveAny(_ db: Database) throws -> Bool {
    switch request.scope {
    case .file, .files, .vanished: break
    case .collection(_, let name), .moments(_, let name), .trip(_, let name, _):
      if try hasOwner(name, db) { return true }
    case .owner(let name):
      if try hasOwner(name, db) { return true }
      if try hasReader(name, db) { return true }
      guard let (from, to) = request.ownerOriginals?.below else { break }
      let sql = "SELECT EXISTS (SELECT 1 FROM folder WHERE path > ? AND path < ?)"
      if try Bool.fetchOne(db, sql: sql, arguments: [from.data, to.data]) == true { return true }
    }
    let match = try SnapshotMatch(catalogue, in: db)
    var isThere = false
    try gone.eachFile { file in
      isThere = try !match.ids(of: file).isEmpty
      return !isThere
    }
    return isThere
  }

  private func hasOwner(_ name: String, _ db: Database) throws -> Bool {
    try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM owner WHERE name = ?)", arguments: [name]) == true
  }

  private func hasReader(_ name: String, _ db: Database) throws -> Bool {
    // An earlier version has none of these tables.
    for table in ["report", "moment_report", "trip_report"] where try db.tableExists(table) {
      let sql = "SELECT EXISTS (SELECT 1 FROM \(table) WHERE reader = ?)"
      if try Bool.fetchOne(db, sql: sql, arguments: [name]) == true { return true }
    }
    return false
  }
}

extension Library {
  /// Erases files from the snapshots in the copy before they are erased here, so that a process that dies in between has lost nothing that the
  /// catalogue does not have.
  /// - Returns: Snapshots and set-aside catalogues that may still contain the files, and the number of snapshots that were replaced.
  func eraseFromSnapshots(
    _ request: ErasureRequest
  ) throws(LibraryError) -> (remaining: [PathBytes], replaced: Int) {
    let aside = try SetAsideCatalogues(location).paths()
    guard let copy = options.copy, try !Snapshot.all(in: copy).isEmpty else { return (aside, 0) }
    let (wanted, lineage) = try database.write { db in
      try Erasure(db).collect(request)
      let wanted = try Int64.fetchSet(db, sql: "SELECT id FROM gone")
      try Erasure(db).begin()
      return (wanted, try CatalogueProbe.lineage(of: db))
    }
    let erasure = SnapshotErasure(
      request: request, gone: RowsToErase(request: request, database: database, files: wanted.sorted()),
      catalogue: .init(lineage: lineage, database: database, wanted: wanted))
    let result = try erasure.run(in: copy)
    return (result.remaining + aside, result.replaced)
  }
}

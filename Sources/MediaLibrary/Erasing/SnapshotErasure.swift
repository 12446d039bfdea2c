internal import FileSupport
internal import GRDB

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
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
  /// Moments and trips to erase; nothing of them is in snapshots of earlier versions, which have no tables of them.
  let momentsAndTrips: GoneMoments
  /// The lineage of the catalogue to which the ids belong.
  let lineage: Int64

  /// Erases from all snapshots in a folder.
  /// - Returns: Unreadable snapshots, which may still contain the erased files.
  func run(in folder: PathBytes) throws(LibraryError) -> [PathBytes] {
    var unread: [PathBytes] = []
    for snapshot in try Snapshot.all(in: folder) where StoreFiles.size(snapshot.path) ?? 0 > 0 {
      let holdsAny: Bool
      do throws(LibraryError) {
        guard try CatalogueProbe(path: snapshot.path).checkHeader() else { continue }
        holdsAny = try CatalogueProbe(path: snapshot.path).read(hasAny)
      } catch  where ![.diskFull, .locked].contains(error.code) {
        unread.append(snapshot.path)
        continue
      }
      if holdsAny { try erase(from: snapshot.path) }
    }
    return unread
  }

  private func erase(from path: PathBytes) throws(LibraryError) {
    let beside = path.folder.appending(Snapshot.besidePrefix + Array("\(getpid())".utf8))
    for suffix in ["", "-journal"] { try StoreFiles.remove(beside.suffixed(suffix)) }
    do throws(LibraryError) {
      try StoreFiles.copy(path, to: beside)
      try SQLiteCatalogue.mapping(at: beside) {
        let queue = try DatabaseQueue(path: beside.description)
        defer { try? queue.close() }
        try queue.write { db in
          _ = try fill(db)
          _ = try Erasure(db).deleteRows(request.scope, wiping: false)
          try db.execute(sql: "DELETE FROM erasure; DELETE FROM garbage")
          try PendingChanges.apply(db)
          try PendingChanges.mergeWords(db)
        }
        try queue.vacuum()
        try queue.close()
      }
      try StoreFiles.syncFile(beside)
      try StoreFiles.move(beside, to: path)
    } catch {
      _ = try? StoreFiles.remove(beside)
      throw error
    }
    try StoreFiles.sync(path.folder)
  }

  /// Whether a snapshot contains any of the files. Fails, without a change, if it lacks a table or this version would have to migrate it.
  private func hasAny(_ db: Database) throws -> Bool {
    guard try CatalogueSchema.migrator.hasCompletedMigrations(db) else {
      throw LibraryError(.olderSchema, "The snapshot was written by an older version of mediatool; remove it.")
    }
    try CatalogueShape(db).check()
    if try !DerivedChecks(db).integrity().isEmpty {
      throw LibraryError(.corrupt, "The snapshot is damaged; remove it.")
    }
    return try fill(db)
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
    let isSame = try CatalogueProbe.lineage(of: db) == lineage
    let byID = try db.cachedStatement(sql: "INSERT OR IGNORE INTO gone SELECT id FROM file WHERE id = ?")
    let byPath = try db.cachedStatement(
      sql: """
        INSERT OR IGNORE INTO gone SELECT file.id FROM folder CROSS JOIN file INDEXED BY file_path ON file.folder = folder.id
        WHERE folder.path = ? AND file.name = ?
        """)
    for one in gone {
      if isSame { try byID.execute(arguments: [one.id]) }
      try byPath.execute(arguments: [one.folder, one.name])
    }
    try momentsAndTrips.fill(db)
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
    let erasure = SnapshotErasure(request: request, gone: gone, momentsAndTrips: momentsAndTrips, lineage: lineage)
    return try erasure.run(in: copy) + aside
  }
}

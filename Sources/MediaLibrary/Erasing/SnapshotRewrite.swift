internal import FileSupport
internal import GRDB

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Changes the snapshots in a copy. Each is changed in a file beside it, which is checked and synced before it replaces the snapshot: a process that is
/// killed has lost nothing.
///
/// A snapshot of an earlier version that may have something to change is upgraded on the way, because an erasure without it would leave the erased data
/// in it.
struct SnapshotRewrite {
  /// The folder in the copy that contains the snapshots.
  let folder: PathBytes
  /// Called with the number of snapshots that are done, and of all.
  var progress: ((Int, Int) -> Void)?
  /// Whether a snapshot may have anything to change, asked of one with the schema of an earlier version.
  let mayAffectEarlier: (Database) throws -> Bool
  /// Whether a snapshot has anything to change. May write only to temporary tables.
  let isAffected: (Database) throws -> Bool
  /// Changes a snapshot, in one transaction.
  let change: (Database) throws -> Void

  /// Changes all snapshots.
  /// - Returns: Those that cannot be read or upgraded, which stay as they are, and the number of those that were replaced.
  func run() throws(LibraryError) -> (remaining: [PathBytes], replaced: Int) {
    // Only one process writes at a time, so these belong to one that died.
    for name in try StoreFiles.names(in: folder) where name.starts(with: Snapshot.besidePrefix) {
      try StoreFiles.remove(folder.appending(name))
    }
    var (unread, replaced): ([PathBytes], Int) = ([], 0)
    let snapshots = try Snapshot.all(in: folder)
    for (index, snapshot) in snapshots.enumerated() where StoreFiles.size(snapshot.path) ?? 0 > 0 {
      progress?(index, snapshots.count)
      do throws(LibraryError) {
        let finding = try look(at: snapshot.path)
        if finding != .unaffected, try rewrite(snapshot.path, isEarlier: finding == .earlier) { replaced += 1 }
      } catch  where error.code == .corrupt {
        unread.append(snapshot.path)
      }
    }
    return (unread, replaced)
  }

  private enum Finding {
    case unaffected
    case affected
    /// Of an earlier version, and may be affected: what it has is known when its copy was upgraded.
    case earlier
  }

  /// - Throws: ``LibraryError/Code/corrupt`` for a snapshot that this version cannot change.
  private func look(at path: PathBytes) throws(LibraryError) -> Finding {
    do throws(LibraryError) {
      guard try CatalogueProbe(path: path).checkHeader() else { return .unaffected }
      return try CatalogueProbe(path: path).read { db -> Finding in
        guard try CatalogueSchema.migrator.hasCompletedMigrations(db) else {
          if try mayAffectEarlier(db) { return .earlier }
          try Self.checkIntegrity(db)
          return .unaffected
        }
        return try isAffectedAndWhole(db) ? .affected : .unaffected
      }
    } catch {
      throw Self.unusable(error)
    }
  }

  private func isAffectedAndWhole(_ db: Database) throws -> Bool {
    try Self.check(db)
    return try isAffected(db)
  }

  /// Fails if the snapshot lacks a table, or is damaged.
  private static func check(_ db: Database) throws {
    guard try CatalogueSchema.migrator.hasCompletedMigrations(db) else {
      throw LibraryError(.olderSchema, "The snapshot was written by an older version of mediatool; remove it.")
    }
    try CatalogueShape(db).check()
    try checkIntegrity(db)
  }

  private static func checkIntegrity(_ db: Database) throws {
    if let finding = try DerivedChecks(db).integrity().first {
      throw LibraryError(.corrupt, "The snapshot is damaged; remove it.", detail: finding)
    }
  }

  /// What prevents the change of any snapshot, and not of this one alone, stays as it is.
  private static func unusable(_ error: LibraryError) -> LibraryError {
    if [.diskFull, .locked].contains(error.code) { return error }
    return LibraryError(.corrupt, error.message, path: error.path, detail: error.detail)
  }

  /// - Returns: Whether there was something to change.
  private func rewrite(_ path: PathBytes, isEarlier: Bool) throws(LibraryError) -> Bool {
    let beside = folder.appending(Snapshot.besidePrefix + Array("\(getpid())".utf8))
    do throws(LibraryError) {
      try StoreFiles.copy(path, to: beside)
      if isEarlier {
        do throws(LibraryError) {
          try Self.upgrade(beside)
          guard try CatalogueProbe(path: beside).read(isAffectedAndWhole) else {
            try StoreFiles.remove(beside)
            return false
          }
        } catch {
          throw Self.unusable(error)
        }
      }
      let contents = try apply(to: beside)
      let written = try CatalogueProbe(path: beside).read { db in
        try Self.check(db)
        return Library.CatalogueContents(readableIn: db)
      }
      guard written == contents else {
        throw LibraryError(
          .corrupt, "The snapshot was damaged while it was written; check the disk.", path: path,
          detail: "\(written); expected \(contents)")
      }
      try StoreFiles.syncFile(beside)
      try StoreFiles.move(beside, to: path)
    } catch {
      for suffix in ["", "-journal"] { _ = try? StoreFiles.remove(beside.suffixed(suffix)) }
      throw error
    }
    try StoreFiles.sync(folder)
    return true
  }

  /// Migrates a catalogue. If moments and trips are made by that, their ids are not those of the library's catalogue, which is noted.
  private static func upgrade(_ path: PathBytes) throws(LibraryError) {
    try SQLiteCatalogue.mapping(at: path) {
      let queue = try DatabaseQueue(path: path.description)
      defer { try? queue.close() }
      let hadMoments = try queue.read { db in try db.tableExists("moment") }
      try CatalogueSchema.migrator.migrate(queue)
      try queue.write { db in
        try PendingChanges.apply(db)
        if !hadMoments { try CatalogueProbe.noteOwnMoments(db) }
      }
      try queue.close()
    }
  }

  /// Makes the change, and rewrites the file so that nothing of what is gone can be read in it.
  /// - Returns: The contents that the file has to have then.
  private func apply(to path: PathBytes) throws(LibraryError) -> Library.CatalogueContents {
    try SQLiteCatalogue.mapping(at: path) {
      let queue = try DatabaseQueue(path: path.description)
      defer { try? queue.close() }
      let contents = try queue.write { db in
        try change(db)
        try db.execute(sql: "DELETE FROM erasure; DELETE FROM garbage")
        try PendingChanges.apply(db)
        try PendingChanges.mergeWords(db)
        return Library.CatalogueContents(readableIn: db)
      }
      try queue.vacuum()
      try queue.close()
      return contents
    }
  }
}

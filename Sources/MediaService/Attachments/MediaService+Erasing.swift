internal import GRDB
internal import Logging
public import MediaLibrary

/// Erasing attachments and owners (R-MYM-12, R-MYM-24).
extension MediaService {
  /// Erases an attachment of the caller: original, renditions, row, and its uses in drafts. Its signed addresses end.
  ///
  /// The bytes are gone when the call returns; the database is rewritten within an hour (``sweepErasures()``), so that no trace of the row can be
  /// read in its file.
  /// - Throws: ``ServiceError/notFound``, also the second time.
  public func erase(_ id: FileID, for caller: Caller) async throws(ServiceError) -> ErasureReport {
    try await ServiceError.mapping {
      let found = try await ownedOrBuried(id, by: caller)
      // A client that leaves does not interrupt it.
      return try await Task { [self] in
        // First the tombstone: if this process dies now, nobody reads what is to be erased, and the next start or the owner ends it.
        try await database.write { db in
          try AttachmentRecord.bury(id, db)
          try Self.removeAnswers(about: id, db)
          try Self.set(true, "wipe", db)
        }
        try await dropFromDrafts(id, of: caller.owner)
        let report = try await library.erase(.file(found.id), wiping: false)
        feed.publish(.removed([id]), for: caller.owner)
        return report
      }.value
    }
  }

  /// Erases an owner with all files, collections, drafts and uploads.
  public func eraseOwner(for caller: Caller) async throws(ServiceError) -> ErasureReport {
    try await ServiceError.mapping {
      guard caller.scope.contains([.read, .write]) else {
        throw ServiceError(.forbidden, "The token does not allow changes.")
      }
      let owner = caller.owner
      try await eraseUploads(of: owner)
      try await database.write { db in
        try db.execute(sql: "DELETE FROM idempotency WHERE owner = ?", arguments: [owner])
        try db.execute(
          sql: "DELETE FROM label WHERE file IN (SELECT file FROM attachment WHERE owner = ?)", arguments: [owner])
        try db.execute(
          sql: """
            UPDATE attachment SET erased = 1, generation = generation + 1, owner = NULL, name = NULL WHERE owner = ?
            """, arguments: [owner])
      }
      try await eraseDrafts(of: owner)
      let report = try await library.erase(.owner(owner))
      feed.publish(.reset, for: owner)
      return report
    }
  }

  /// Ends erasures that a crash, a full queue or a full disk interrupted after their tombstones.
  func endErasures() async throws(ServiceError) {
    try await ServiceError.mapping {
      let buried = try await database.read { db in
        try Int64.fetchAll(db, sql: "SELECT file FROM attachment WHERE erased").map(FileID.init(rawValue:))
      }
      let left = try await library.catalogue.call { catalogue in try buried.filter { try catalogue.file($0) != nil } }
      for id in left { _ = try await library.erase(.file(id), wiping: false) }
    }
  }

  /// Rewrites the catalogue if rows were erased since it was rewritten last, so that nothing of them can be read in its file. Call it once an hour;
  /// errors are logged, and the next call tries again.
  public func sweepErasures() async {
    do {
      guard try await database.read({ db in try Self.isSet("wipe", db) }) else { return }
      guard try await library.wipe() else { return }
      try await database.write { db in try Self.set(false, "wipe", db) }
    } catch {
      logger.error("erased rows were not wiped", metadata: ["error": "\(error)"])
    }
  }

  /// The caller's own file, or one whose erasure was interrupted after its tombstone was written.
  private func ownedOrBuried(_ id: FileID, by caller: Caller) async throws -> CatalogueFile {
    guard let file = try await library.catalogue.file(id), file.owner == caller.owner, caller.scope.contains(.read)
    else { throw ServiceError.notFound }
    guard caller.scope.contains(.write) else { throw ServiceError(.forbidden, "The token does not allow changes.") }
    return file
  }

  static func isSet(_ name: String, _ db: Database) throws -> Bool {
    try Bool.fetchOne(db, sql: "SELECT value FROM setting WHERE name = ?", arguments: [name]) ?? false
  }

  private static func set(_ value: Bool, _ name: String, _ db: Database) throws {
    try db.execute(sql: "INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)", arguments: [name, value])
  }
}

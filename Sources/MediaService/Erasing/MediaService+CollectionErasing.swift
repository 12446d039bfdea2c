internal import AttachmentPolicy
internal import GRDB
internal import MediaLibrary

/// Erasing collections with their files (R-MYM-12).
extension MediaService {
  /// Erases a collection of the caller with its files: originals, renditions, rows, moments, and their uses in drafts. Their signed URLs end.
  ///
  /// The bytes are gone when the call returns; the databases are rewritten within an hour (``sweepErasures()``). If the process dies meanwhile, nobody
  /// reads the files any more, and the next start finishes the erasure. A file that is added to the collection while the call runs may be erased with it.
  /// - Throws: ``ServiceError/notFound``, also the second time; ``ServiceError/Code/forbidden`` without the scopes `read` and `write`.
  public func erase(
    collection name: String, for caller: Caller
  ) async throws(ServiceError) -> Erasure {
    try await ServiceError.mapping {
      try caller.require([.read, .write])
      let owner = caller.owner
      // A client that leaves does not interrupt it.
      return try await Task { [self] in
        let (files, rows) = try await buryFiles(ofCollection: name, of: owner)
        let drafted = try await dropFromAllDrafts(files, of: owner)
        for id in files {
          if let file = try await library.catalogue.file(id) { await keepMalwareVerdict(on: file) }
        }
        let (report, late) = try await eraseRows(ofCollection: name, of: owner)
        let gone = Set(files).union(late)
        // Readers of events would have to read the list again in any case.
        feed.publish(gone.count > 1_000 ? .reset : .removed(gone.sorted { $0.rawValue < $1.rawValue }), for: owner)
        return erasure(report, rows, drafted: drafted)
      }.value
    }
  }

  /// Finishes erasures of collections that ended after their tombstones, in whatever way.
  ///
  /// The erasure may have failed days ago, and the owner may have added files since: those have no tombstone, and stay in their collection. The others
  /// are then erased one by one (``endErasures()``).
  func endCollectionErasures() async throws {
    let (library, database) = (library.library, database)
    let begun = try await database.read { db in
      try Row.fetchAll(db, sql: "SELECT owner, name FROM erasing_collection").map { row in
        (owner: row[0] as String, name: row[1] as String)
      }
    }
    for (owner, name) in begun {
      // Where files are added too: none is added in between.
      try await self.library.writing.run {
        let buried = try database.readBlocking { db in
          try Set(Int64.fetchAll(db, sql: "SELECT file FROM attachment WHERE erased"))
        }
        let files = try Self.files(ofCollection: name, of: owner, in: library)
        if files.allSatisfy({ buried.contains($0.rawValue) }) {
          _ = try library.erase(.collection(name, owner: owner), wiping: false)
        }
        try database.writeBlocking { db in try Self.strike(name, of: owner, db) }
      }
    }
  }

  /// Writes tombstones for the files of a collection, and notes that it is being erased. No file is added or moved meanwhile.
  private func buryFiles(
    ofCollection name: String, of owner: String
  ) async throws -> (files: [FileID], rows: BuriedRows) {
    let (library, database) = (library.library, database)
    return try await self.library.writing.run {
      guard try Self.hasCollection(name, of: owner, in: library) else {
        try database.writeBlocking { db in try Self.strike(name, of: owner, db) }
        throw ServiceError.notFound
      }
      let files = try Self.files(ofCollection: name, of: owner, in: library)
      let rows = try database.writeBlocking { db in
        try db.execute(
          sql: "INSERT OR IGNORE INTO erasing_collection (owner, name) VALUES (?, ?)", arguments: [owner, name])
        let rows = try Self.bury(files, of: owner, db)
        try ErasureCount.begin(db)
        return rows
      }
      return (files, rows)
    }
  }

  /// Erases the rows of a collection and what belongs to them, and counts that. No wipe runs between the two.
  /// - Returns: The report, and the files that were in the collection at last.
  private func eraseRows(
    ofCollection name: String, of owner: String
  ) async throws -> (ErasureRequest.Report, [FileID]) {
    let (library, database) = (library.library, database)
    return try await traced("erasure") {
      try await self.library.writing.run { [endings] in
        let result = Result { () throws -> (ErasureRequest.Report, [FileID]) in
          // Also for those that were added since, so that what was kept in memory for their addresses is dropped.
          let files = try Self.files(ofCollection: name, of: owner, in: library)
          try database.writeBlocking { db in _ = try Self.bury(files, of: owner, db) }
          let report = try library.erase(.collection(name, owner: owner), wiping: false)
          try database.writeBlocking { db in try Self.strike(name, of: owner, db) }
          return (report, files)
        }
        endings.add()
        // What cannot be counted now is counted by the next sweep.
        try? endings.record(in: database)
        return try result.get()
      }
    }
  }

  private static func strike(_ name: String, of owner: String, _ db: Database) throws {
    try db.execute(sql: "DELETE FROM erasing_collection WHERE owner = ? AND name = ?", arguments: [owner, name])
  }

  /// Takes files that are about to be erased out of those drafts of the owner that have them. A draft that cannot be read is skipped: the erasure
  /// reports it.
  /// - Returns: The number of attachments that were removed.
  private func dropFromAllDrafts(_ files: [FileID], of owner: String) async throws -> Int {
    let (library, database) = (library.library, database)
    let drafted = try await self.library.writing.run { () throws -> Set<FileID> in
      let ids = try database.readBlocking { db in
        try String.fetchAll(
          db, sql: "SELECT id FROM draft INDEXED BY draft_owner WHERE owner = ? AND committed IS NULL",
          arguments: [owner])
      }
      return ids.reduce(into: []) { drafted, id in
        guard let draft = try? library.drafts.load(DraftRecord.key(of: id)) else { return }
        drafted.formUnion(draft.items.compactMap(\.attachment.fileID))
      }
    }
    let inThreads = await filesOfThreadDrafts(of: owner)
    var count = 0
    for file in files {
      if drafted.contains(file) { count += try await dropFromDrafts(file, of: owner) }
      if inThreads?.contains(file) ?? true { count += await dropFromThreadDrafts(file, of: owner) }
    }
    return count
  }

  /// The files of a collection in any state. Blocking.
  private static func files(ofCollection name: String, of owner: String, in library: Library) throws -> [FileID] {
    let scope = CatalogueScope.collection(name, owner: owner)
    var files: [FileID] = []
    for state in CatalogueFile.State.allCases {
      var position: CatalogueFile.Cursor?
      repeat {
        let page =
          try state == .done
          ? library.catalogue.newest(scope, after: position, limit: 1_000)
          : library.catalogue.files(of: state, in: scope, after: position, limit: 1_000)
        files += page.files.map(\.id)
        position = page.next
      } while position != nil
    }
    return files
  }

  /// Whether an owner has a collection, also an empty one. Blocking.
  private static func hasCollection(_ name: String, of owner: String, in library: Library) throws -> Bool {
    var position: CatalogueFile.Cursor?
    repeat {
      let page = try library.catalogue.collections(of: owner, by: .name, after: position, limit: 1_000)
      // By their bytes, as the database compares names.
      if page.collections.contains(where: { $0.name.utf8.elementsEqual(name.utf8) }) { return true }
      position = page.next
    } while position != nil
    return false
  }
}

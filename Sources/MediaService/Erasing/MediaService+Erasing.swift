internal import FileSupport
internal import GRDB
internal import Logging
public import MediaLibrary
internal import MessageStore

/// Erasing attachments and owners (R-MYM-12, R-MYM-24).
extension MediaService {
  /// Erases an attachment of the caller: original, renditions, row, and its uses in drafts. Its signed URLs end.
  ///
  /// The bytes are gone when the call returns; the databases are rewritten within an hour (``sweepErasures()``), so that no trace of the row can be
  /// read in their files.
  /// - Returns: What was erased, by class.
  /// - Throws: ``ServiceError/notFound``, also the second time.
  public func erase(_ id: FileID, for caller: Caller) async throws(ServiceError) -> Erasure {
    try await ServiceError.mapping {
      let found = try await ownedOrBuried(id, by: caller)
      // A client that leaves does not interrupt it.
      return try await Task { [self] in
        // First the tombstone: if this process dies now, nobody reads what is to be erased, and the next start or the owner ends it.
        let rows = try await database.write { db in
          let rows = try Self.bury([id], of: caller.owner, db)
          try ErasureCount.begin(db)
          return rows
        }
        var drafted = try await dropFromDrafts(id, of: caller.owner)
        drafted += await dropFromThreadDrafts(id, of: caller.owner)
        await keepMalwareVerdict(on: found)
        let report = try await eraseRows(.file(found.id), wiping: false)
        feed.publish(.removed([id]), for: caller.owner)
        return erasure(report, rows, drafted: drafted)
      }.value
    }
  }

  /// Erases an owner with everything that the service and the library have of it. Requests of the owner that are running leave nothing: files that are
  /// arriving or being examined are refused. If the process dies meanwhile, the next start finishes the erasure.
  /// - Returns: What was erased, by class. All numbers are zero if there was nothing, for example the second time.
  public func eraseOwner(for caller: Caller) async throws(ServiceError) -> Erasure {
    try await ServiceError.mapping {
      try caller.require([.read, .write])
      let owner = caller.owner
      // A client that leaves does not interrupt it.
      return try await Task { [self] in
        erasingOwners.begin(owner)
        defer { erasingOwners.end(owner) }
        try await database.write { db in try ErasingOwners.note(owner, db) }
        do {
          return try await eraseNoted(owner)
        } catch {
          // If this fails, too, the next sweep does it.
          try? await strike(owner)
          throw error
        }
      }.value
    }
  }

  /// Erases an owner from every store, and last the note of the erasure.
  private func eraseNoted(_ owner: String) async throws -> Erasure {
    var erasure = Erasure()
    erasure.uploads = try await eraseUploads(of: owner)
    let messages = await eraseMessages(of: owner)
    // Before the tombstones, which take them along.
    let counts = try await database.read { db in try Self.counts(of: owner, db) }
    (erasure.avatars, erasure.labels, erasure.answers) = (counts.avatars, counts.labels, counts.answers)
    try await buryFiles(of: owner)
    try await database.write { db in
      try Self.eraseRows(of: owner, db)
      try ErasureCount.begin(db)
    }
    let drafts = try await eraseDrafts(of: owner)
    (erasure.drafts, erasure.messages) = (drafts.open, drafts.sent)
    erasure.messages += messages?.messages ?? 0
    erasure.drafts += messages?.drafts ?? 0
    erasure.library = try await eraseRows(.owner(owner), wiping: true)
    // One number for all: those whose rows in the service's database are gone already are among these.
    (erasure.drafts, erasure.library.drafts) = (erasure.drafts + erasure.library.drafts, 0)
    try await buryRest(of: owner)
    // Before the database is rewritten: the note has the owner's name.
    try await strike(owner)
    erasure.library.notErased += drafts.left
    erasure.unreached = unreached(erasure.library.notErased)
    if messages == nil { erasure.unreached["messages"] = 1 }
    if await !wipeDatabase() || !drafts.left.isEmpty || messages == nil { erasure.library.isWiped = false }
    erasure.backupsUntil = configuration.backupDays.map { now() + $0 * 86_400 }
    feed.publish(.reset, for: owner)
    return erasure
  }

  private func strike(_ owner: String) async throws {
    try await database.write { db in try ErasingOwners.strike(owner, db) }
  }

  /// Ends erasures that a crash, a full queue or a full disk interrupted after their tombstones.
  func endErasures() async throws(ServiceError) {
    try await ServiceError.mapping {
      // Of a process that died within them: nobody has added anything since.
      for owner in try await database.read(ErasingOwners.noted) { _ = try await eraseNoted(owner) }
      try await endCollectionErasures()
      let buried = try await database.read { db in
        try Int64.fetchAll(db, sql: "SELECT file FROM attachment WHERE erased").map(FileID.init(rawValue:))
      }
      let left = try await library.catalogue.call { catalogue in try buried.filter { try catalogue.file($0) != nil } }
      for id in left { _ = try await library.erase(.file(id), wiping: false) }
      try await database.write { db in
        let count = try ErasureCount.read(db)
        if count.begun != count.ended { try ErasureCount.endAll(db) }
      }
    }
  }

  /// The caller's own file, or one whose erasure was interrupted after its tombstone was written.
  private func ownedOrBuried(_ id: FileID, by caller: Caller) async throws -> CatalogueFile {
    guard let file = try await library.catalogue.file(id), caller.owns(file), caller.scope.contains(.read)
    else { throw ServiceError.notFound }
    try caller.require(.write)
    return file
  }

  /// Writes tombstones for an owner's files, also for those without a row, so that what was kept in memory for their addresses is dropped.
  private func buryFiles(of owner: String) async throws {
    var position: CatalogueFile.Cursor?
    repeat {
      let page = try await library.catalogue.newest(.owner(owner), after: position, limit: 1_000)
      let ids = page.files.map(\.id)
      try await database.write { db in
        for id in ids { try AttachmentRecord.bury(id, db) }
      }
      position = page.next
    } while position != nil
  }

  /// Erases rows of the catalogue and what belongs to them, and counts that. No wipe runs between the two.
  private func eraseRows(_ scope: ErasureRequest.Scope, wiping: Bool) async throws -> ErasureRequest.Report {
    let (library, database) = (library.library, database)
    return try await traced("erasure") {
      try await self.library.writing.run { [endings] in
        let result = Result { try library.erase(scope, wiping: wiping) }
        endings.add()
        // What cannot be counted now is counted by the next sweep.
        try? endings.record(in: database)
        return try result.get()
      }
    }
  }

  /// Removes what requests wrote about files of an owner that are erased, before they could find out that there is nothing to change. A file that was
  /// uploaded since is there, and keeps its row.
  func buryRest(of owner: String) async throws {
    let (library, database) = (library.library, database)
    // Where files are added too: none is added in between.
    try await self.library.writing.run {
      let known = try database.readBlocking { db in
        try Int64.fetchAll(
          db,
          sql: "SELECT file FROM attachment WHERE owner = ?1 UNION SELECT avatar FROM profile WHERE owner = ?1",
          arguments: [owner])
      }
      let gone = known.map(FileID.init(rawValue:)).filter { Self.isGone($0, from: library) }
      try database.writeBlocking { db in
        _ = try Self.bury(gone, of: owner, db)
      }
    }
  }

  /// Removes what the service's database has of files that are erased, also in answers that it keeps.
  /// - Parameter owner: Whose files they were; nil if that is not known any more.
  /// - Returns: What was removed.
  @discardableResult
  static func bury(_ files: [FileID], of owner: String?, _ db: Database) throws -> BuriedRows {
    var rows = BuriedRows()
    for file in files {
      let (labels, avatars) = try AttachmentRecord.countingBury(file, db)
      let (uploads, answers) = try removeAnswers(about: file, db)
      (rows.labels, rows.avatars) = (rows.labels + labels, rows.avatars + avatars)
      (rows.uploads, rows.answers) = (rows.uploads + uploads, rows.answers + answers)
    }
    rows.messages = try removeFacts(about: files, owner: owner, db)
    return rows
  }

  /// Whether the catalogue has no row of a file. A row that cannot be read is there.
  static func isGone(_ id: FileID, from library: Library) -> Bool {
    do { return try library.catalogue.file(id) == nil } catch { return false }
  }

  /// What could not be erased, by class: `draft`, `copy` for a snapshot or a copy that is not open, or `catalogue` for a catalogue that was set aside.
  func unreached(_ names: [String]) -> [String: Int] {
    let drafts = library.library.location.drafts.description
    let copy = configuration.libraryOptions.copy
    return names.reduce(into: [:]) { counts, name in
      let isDraft = name.hasPrefix("draft ") || name.hasPrefix(drafts)
      let isCopy = name == ErasureRequest.Report.copy || copy.map { PathBytes(name).isInside($0) } ?? false
      counts[isDraft ? "draft" : isCopy ? "copy" : "catalogue", default: 0] += 1
    }
  }

  /// Numbers of rows that the service's database has of an owner.
  private static func counts(
    of owner: String, _ db: Database
  ) throws -> (avatars: Int, labels: Int, answers: Int) {
    func count(_ rows: String) throws -> Int {
      try Int.fetchOne(db, sql: "SELECT count(*) FROM \(rows)", arguments: [owner]) ?? 0
    }
    return (
      avatars: try count("profile WHERE owner = ?"),
      labels: try count("attachment CROSS JOIN label ON label.file = attachment.file WHERE attachment.owner = ?"),
      answers: try count("idempotency WHERE owner = ?")
    )
  }

  /// Removes what the service's database has of an owner, besides uploads and drafts.
  private static func eraseRows(of owner: String, _ db: Database) throws {
    try db.execute(sql: "DELETE FROM idempotency WHERE owner = ?", arguments: [owner])
    try db.execute(sql: "DELETE FROM profile WHERE owner = ?", arguments: [owner])
    try db.execute(sql: "DELETE FROM erasing_collection WHERE owner = ?", arguments: [owner])
    try db.execute(
      sql: "DELETE FROM label WHERE file IN (SELECT file FROM attachment WHERE owner = ?)", arguments: [owner])
    try db.execute(
      sql: "UPDATE attachment SET erased = 1, generation = generation + 1, owner = NULL, name = NULL WHERE owner = ?",
      arguments: [owner])
  }
}

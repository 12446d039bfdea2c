internal import AttachmentPolicy
internal import GRDB
public import MediaLibrary

/// Deleting moments and trips (R-MYM-12). The original of a moment is erased with its last moment, unless something else of the owner uses it.
extension MediaService {
  /// What happens to the objects that a deleted moment or trip refers to.
  public enum ErasureChoice: String, Sendable, CaseIterable {
    /// It is erased, unless something else uses it: of an attachment, another moment, a message, a draft, a label or the image of the profile; of a moment,
    /// another trip.
    case erase
    /// It stays.
    case keep
  }

  /// Deletes a moment of the caller. The databases are rewritten within an hour (``sweepErasures()``).
  /// - Parameters:
  ///   - version: The version that the caller has seen. Default nil: any.
  ///   - attachment: Whether its attachment is erased with it. Default: yes, unless it is used.
  /// - Throws: ``ServiceError/notFound``, also the second time; ``ServiceError/Code/versionConflict``.
  public func eraseMoment(
    _ id: Moment.ID, ifVersion version: Int? = nil, attachment: ErasureChoice = .erase, for caller: Caller
  ) async throws(ServiceError) -> Erasure {
    try await erase(.moments([id], owner: caller.owner), attachment, for: caller) { moments in
      guard let moment = try moments.erasable(id, of: caller.owner) else { throw ServiceError.notFound }
      try caller.require(.write)
      // A damaged one has no version that a request could name.
      if let current = moment.version { try Self.require(version, current, "moment") }
      return moment.file.map { [$0] } ?? []
    }
  }

  /// Deletes a trip of the caller. Its moments stay.
  /// - Parameters:
  ///   - version: The version that the caller has seen. Default nil: any.
  ///   - withMoments: Whether those of its moments are deleted that are in no other trip. Default false.
  /// - Throws: ``ServiceError/notFound``, also the second time; ``ServiceError/Code/versionConflict``.
  public func eraseTrip(
    _ id: Trip.ID, ifVersion version: Int? = nil, withMoments: Bool = false, for caller: Caller
  ) async throws(ServiceError) -> Erasure {
    let scope = ErasureRequest.Scope.trip(id, owner: caller.owner, withMoments: withMoments)
    return try await erase(scope, .erase, for: caller) { moments in
      guard let trip = try moments.trip(id, of: [caller.owner]) else { throw ServiceError.notFound }
      try caller.require(.write)
      try Self.require(version, trip.version, "trip")
      return try withMoments ? moments.erasableFiles(of: id, of: caller.owner) : []
    }
  }

  /// - Parameter find: The files of what is erased. Fails if there is nothing to erase.
  private func erase(
    _ scope: ErasureRequest.Scope, _ choice: ErasureChoice, for caller: Caller,
    _ find: @escaping @Sendable (Moments) throws -> [FileID]
  ) async throws(ServiceError) -> Erasure {
    try caller.require(.read)
    let (owner, library, database) = (caller.owner, library.library, database)
    let inThreads = await filesOfThreadDrafts(of: owner)
    let (report, gone, rows) = try await ServiceError.mapping {
      try await traced("erasure") {
        // One thread erases and adds. What has begun there is finished, also if the client leaves.
        try await self.library.writing.run { [endings] in
          let files = try find(library.moments)
          let drafted = try Self.drafted(files, of: owner, library, database)
          for file in files {
            let isDrafted = drafted.contains(file) || inThreads?.contains(file) ?? true
            let isUsed = try isDrafted || database.readBlocking { db in try Self.isUsed(file, db) }
            if choice == .keep || isUsed { try library.moments.addUse(Moments.serviceUse, of: file) }
            if choice == .erase, !isUsed { try library.moments.endUse(Moments.serviceUse, of: file) }
          }
          try database.writeBlocking { db in
            try ErasureCount.begin(db)
            // Whoever saw the moment holds addresses: none outlives it if the other database fails.
            for file in files { try AttachmentRecord.raiseGeneration(of: file, owner: owner, db) }
          }
          let result = Result { try library.erase(scope, wiping: false) }
          endings.add()
          // What cannot be counted now is counted by the next sweep.
          try? endings.record(in: database)
          let report = try result.get()
          let gone = files.filter { Self.isGone($0, from: library) }
          let isGone = Set(gone)
          let rows = try database.writeBlocking { db in
            let rows = try Self.bury(gone, of: owner, db)
            // Of an attachment that stays, also those that were signed in between.
            for file in files where !isGone.contains(file) {
              try AttachmentRecord.raiseGeneration(of: file, owner: owner, db)
            }
            return rows
          }
          return (report, gone, rows)
        }
      }
    }
    if !gone.isEmpty { feed.publish(.removed(gone), for: owner) }
    return erasure(report, rows)
  }

  /// The name of the use of a file in a message that was sent.
  static let messageUse = "message"

  /// Whether a file is shared by a label, or is the image of the profile.
  private static func isUsed(_ file: FileID, _ db: Database) throws -> Bool {
    let sql = """
      SELECT EXISTS (SELECT 1 FROM label WHERE file = ?1) OR EXISTS (SELECT 1 FROM profile WHERE avatar = ?1)
      """
    return try Bool.fetchOne(db, sql: sql, arguments: [file.rawValue]) ?? false
  }

  /// Those of an owner's files that its drafts have. All of them if a draft cannot be read: it may have them.
  ///
  /// Call it where drafts get files (``MediaService/edit(_:of:version:_:)``), so that none gets one in between.
  private static func drafted(
    _ files: [FileID], of owner: String, _ library: Library, _ database: ServiceDatabase
  ) throws -> Set<FileID> {
    if files.isEmpty { return [] }
    let ids = try database.readBlocking { db in
      try String.fetchAll(
        db, sql: "SELECT id FROM draft INDEXED BY draft_owner WHERE owner = ? AND committed IS NULL",
        arguments: [owner])
    }
    var drafted: Set<FileID> = []
    for id in ids {
      guard let draft = try? library.drafts.load(DraftRecord.key(of: id)) ?? AttachmentDraft() else {
        return Set(files)
      }
      drafted.formUnion(draft.items.compactMap(\.attachment.fileID))
    }
    return drafted
  }

  static func require(_ version: Int?, _ current: Int, _ name: String) throws(ServiceError) {
    guard let version, version != current else { return }
    throw ServiceError(
      .versionConflict,
      "The \(name) has changed: it has version \(current), and the request names version \(version). Read it again.",
      numbers: ["current": current])
  }
}

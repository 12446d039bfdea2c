internal import GRDB
public import MediaLibrary

/// Hiding files of any owner from everybody (R-MYM-26).
extension MediaService {
  /// The moderation state of an attachment.
  public struct ModerationState: Encodable, Sendable {
    /// The id of the attachment.
    public var id: String
    /// Its owner.
    public var owner: String?
    /// Whether it is blocked.
    public var blocked: Bool
  }

  /// Blocks an attachment: it is in no listing, nobody reads it, and its signed addresses end. The owner still sees its facts, with `blocked`.
  ///
  /// So is every other attachment with this content, whoever its owner is, and whoever uploads it from now on.
  /// - Parameter reason: Kept in the catalogue, and shown to nobody by the service.
  /// - Throws: ``ServiceError/Code/forbidden`` without the scope, ``ServiceError/notFound``.
  public func block(_ id: FileID, reason: String, by caller: Caller) async throws(ServiceError) -> ModerationState {
    try await moderate(id, isBlocked: true, by: caller) { file, library, database in
      let files = try BlockedContent.visibleCopies(of: file, in: library.catalogue)
      // First what decides about reading.
      try database.writeBlocking { db in
        if let digest = file.digest { try BlockedContent.add(digest, reason: reason, db) }
        for file in files { try AttachmentRecord.setBlocked(true, file.id, owner: file.owner, db) }
      }
      try library.scanIndex.apply(files.map { .quarantined($0.id, reason: reason) })
      return files
    }
  }

  /// Releases a blocked attachment, and every other one with this content. Signed addresses from before it was blocked stay invalid.
  public func release(_ id: FileID, by caller: Caller) async throws(ServiceError) -> ModerationState {
    try await moderate(id, isBlocked: false, by: caller) { file, library, database in
      let files = try BlockedContent.quarantinedCopies(of: file, in: library.catalogue)
      for file in files where file.state == .quarantined { try Self.restore(file, in: library) }
      try database.writeBlocking { db in
        if let digest = file.digest { try BlockedContent.remove(digest, db) }
        for file in files { try AttachmentRecord.setBlocked(false, file.id, owner: file.owner, db) }
      }
      return files
    }
  }

  private func moderate(
    _ id: FileID, isBlocked: Bool, by caller: Caller,
    _ change: @escaping @Sendable (CatalogueFile, Library, ServiceDatabase) throws -> [CatalogueFile]
  ) async throws(ServiceError) -> ModerationState {
    try await ServiceError.mapping {
      try caller.require(.moderate)
      let (library, database, feed) = (library.library, database, feed)
      return try await self.library.writing.run {
        let record = try database.readBlocking { db in try AttachmentRecord.read(id, db) }
        guard let file = try library.catalogue.file(id), !record.isErased else { throw ServiceError.notFound }
        for changed in try change(file, library, database) {
          guard let owner = changed.owner else { continue }
          feed.publish(isBlocked ? .removed([changed.id]) : .added([changed.id]), for: owner)
        }
        return ModerationState(id: "\(id.rawValue)", owner: file.owner, blocked: isBlocked)
      }
    }
  }

  /// Puts a quarantined file back into the listings. No scan will meet an upload, so the facts that are known are entered again.
  private static func restore(_ file: CatalogueFile, in library: Library) throws {
    guard let info = try file.info() else { return try library.scanIndex.apply([.released(file.id)]) }
    let result = FileResult(
      info: info, digest: file.digest, placeholder: file.placeholder,
      renditions: try library.catalogue.renditions(of: file.id), engine: file.engine)
    // Both or none: what is released and not examined is in no listing, and nothing would examine it.
    try library.scanIndex.apply([.released(file.id), .done(file.stamp, result)])
  }
}

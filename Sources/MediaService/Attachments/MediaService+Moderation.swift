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
  /// - Parameter reason: Kept in the catalogue, and shown to nobody by the service.
  /// - Throws: ``ServiceError/Code/forbidden`` without the scope, ``ServiceError/notFound``.
  public func block(_ id: FileID, reason: String, by caller: Caller) async throws(ServiceError) -> ModerationState {
    try await moderate(id, by: caller) { file, library, database in
      // First what decides about reading.
      try database.writeBlocking { db in try AttachmentRecord.setBlocked(true, id, owner: file.owner, db) }
      try library.scanIndex.apply([.quarantined(id, reason: reason)])
      return true
    }
  }

  /// Releases a blocked attachment. Signed addresses from before it was blocked stay invalid.
  public func release(_ id: FileID, by caller: Caller) async throws(ServiceError) -> ModerationState {
    try await moderate(id, by: caller) { file, library, database in
      if file.state == .quarantined { try Self.restore(file, in: library) }
      try database.writeBlocking { db in try AttachmentRecord.setBlocked(false, id, owner: file.owner, db) }
      return false
    }
  }

  private func moderate(
    _ id: FileID, by caller: Caller,
    _ change: @escaping @Sendable (CatalogueFile, Library, ServiceDatabase) throws -> Bool
  ) async throws(ServiceError) -> ModerationState {
    try await ServiceError.mapping {
      guard caller.scope.contains(.moderate) else {
        throw ServiceError(.forbidden, "The token does not allow moderation.")
      }
      let (library, database, feed) = (library.library, database, feed)
      return try await self.library.writing.run {
        let record = try database.readBlocking { db in try AttachmentRecord.read(id, db) }
        guard let file = try library.catalogue.file(id), !record.isErased else { throw ServiceError.notFound }
        let isBlocked = try change(file, library, database)
        if let owner = file.owner { feed.publish(isBlocked ? .removed([id]) : .added([id]), for: owner) }
        return ModerationState(id: "\(id.rawValue)", owner: file.owner, blocked: isBlocked)
      }
    }
  }

  /// Puts a quarantined file back into the listings. No scan will meet an upload, so the facts that are known are entered again.
  private static func restore(_ file: CatalogueFile, in library: Library) throws {
    let info = try file.info()
    let renditions = try library.catalogue.renditions(of: file.id)
    try library.scanIndex.apply([.released(file.id)])
    guard let info else { return }
    let result = FileResult(
      info: info, digest: file.digest, placeholder: file.placeholder, renditions: renditions, engine: file.engine)
    try library.scanIndex.apply([.done(file.stamp, result)])
  }
}

public import MediaLibrary

/// Signed URLs on request: for a page, a push notification, an app without the keys.
extension MediaService {
  /// The addresses of an attachment, as a grant.
  public struct Grant: Encodable, Sendable {
    /// The id of the attachment.
    public var id: String
    /// The addresses by the names of renditions, and `original`.
    public var urls: [String: String]
  }

  /// Addresses of attachments that the caller may pass on, without those that it may not.
  /// - Parameters:
  ///   - ids: At most ``Limits/batch``.
  ///   - rights: What the addresses allow; the caller needs these rights itself.
  public func grants(
    _ ids: [FileID], rights: Set<Right>, for caller: Caller
  ) async throws(ServiceError) -> [Grant] {
    try await ServiceError.mapping {
      guard !rights.isEmpty else {
        throw ServiceError(.invalidRequest, "`rights` is missing or empty; name `view`, `original` or both.")
      }
      let needed: Right = rights.contains(.original) ? .original : .view
      return try await readable(ids, for: caller, needed).map { found in
        Grant(
          id: "\(found.file.id.rawValue)",
          urls: urls(of: found.file.id, generation: found.record.generation, rights: rights))
      }
    }
  }

  /// Ends all signed URLs of attachments of the caller: after a friend was removed, for example. Cached copies live on until they expire.
  /// - Parameter ids: At most ``Limits/batch``, all of them the caller's.
  public func revokeGrants(_ ids: [FileID], for caller: Caller) async throws(ServiceError) {
    try await ServiceError.mapping {
      try checkBatch(ids)
      for id in ids { _ = try await owned(id, by: caller) }
      let (library, database) = (library.library, database)
      // Where erasures run too: a row for a file that is gone would stay.
      try await self.library.writing.run {
        for id in ids {
          guard let file = try library.catalogue.file(id), caller.owns(file) else { throw ServiceError.notFound }
        }
        try database.writeBlocking { db in
          for id in ids { try AttachmentRecord.raiseGeneration(of: id, owner: caller.owner, db) }
        }
      }
    }
  }

  func checkBatch(_ ids: [FileID]) throws {
    let limit = configuration.limits.batch
    guard ids.count <= limit else {
      throw ServiceError(
        .invalidRequest, "A request can have at most \(limit) ids.", numbers: ["limit": limit, "actual": ids.count])
    }
  }
}

internal import MediaEngine
public import MediaLibrary
internal import MediaModel

/// Hiding files of any owner from everybody (R-MYM-26).
extension MediaService {
  /// The moderation state of an attachment.
  public struct ModerationState: Encodable, Sendable {
    /// The id of the attachment.
    public var id: String
    /// The name of the owner; nil if the attachment has none.
    public var owner: String?
    /// Whether a moderator has quarantined it, or its content is blocked.
    public var blocked: Bool
    /// Whether complaints do not hide it.
    public var protected: Bool
    /// Whether a moderator accepted its content because it could not be scanned.
    public var accepted: Bool
    /// What was hidden with it, because it looks like it. Nil unless images that look like it were blocked and ``Configuration/similarImages`` is not
    /// ``SimilarImages/ignore``.
    public var similar: SimilarFiles?
  }

  /// Blocks an attachment: it is in no listing, nobody reads it, and its signed URLs end. The owner still sees its facts, with `blocked`.
  ///
  /// So is every other attachment with this content, whoever its owner is, and whoever uploads it from now on. With `similar`, the content and the image are blocked in
  /// one transaction. Then stored attachments that look like it are hidden, also if the caller's task is cancelled: ``ModerationState/similar`` reports how far that came.
  /// - Parameters:
  ///   - reason: Kept in the library, and shown to nobody by the service. The library's audit trail has it, with the owner of the caller's token.
  ///   - similar: Whether also to block images that look like it, for ``Configuration/similarImages``: uploads from now on, and what is stored already. Default
  ///     false.
  /// - Throws: ``ServiceError/Code/forbidden`` without the scope, ``ServiceError/notFound``; `invalidRequest` for a reason that is too long, and if `similar`
  ///   is true for a file that has no image with contrast.
  public func block(
    _ id: FileID, reason: String, similar: Bool = false, by caller: Caller
  ) async throws(ServiceError) -> ModerationState {
    let now = now()
    let blocked = Locked<Moderation.ImageHash?>(nil)
    try caller.require(.moderate)
    try check(reason: reason)
    var state = try await moderate(id, by: caller) { file, moderation in
      let image = Self.image(of: file)
      if similar { blocked.withLock { $0 = image } }
      if similar, image == nil {
        throw ServiceError(
          .invalidRequest, "No perceptual hash is stored for the attachment, so similar images cannot be found.")
      }
      guard let content = file.digest else {
        guard similar, let image else {
          try moderation.quarantine([file.id], reason: reason, by: caller.owner, at: now)
          return [file.id]
        }
        try moderation.quarantine(file.id, withImagesLike: image, reason: reason, by: caller.owner, at: now)
        return [file.id]
      }
      guard similar, let image else {
        return try moderation.block(content, reason: reason, by: caller.owner, at: now)
      }
      return try moderation.block(
        content, withImagesLike: image, of: file.id, reason: reason, by: caller.owner, at: now)
    }
    guard let image = blocked.withLock({ $0 }) else { return state }
    state.similar = await hideSimilar(to: image)
    return state
  }

  /// Releases a blocked attachment, and every other one with this content. If the content itself was blocked, images that look like it are blocked no more; the release of one
  /// that only looks like a blocked image leaves that block as it is. Signed URLs from before it was blocked stay invalid.
  /// - Throws: As ``block(_:reason:similar:by:)``; `invalidRequest` if a scanner found malware in it.
  public func release(_ id: FileID, by caller: Caller) async throws(ServiceError) -> ModerationState {
    let now = now()
    return try await moderate(id, by: caller) { file, moderation in
      let standing = try moderation.standing(of: file.id)
      if standing?.verdict?.state == .infected {
        throw ServiceError(.invalidRequest, "A scanner found malware in this attachment, so it cannot be released.")
      }
      var files = [file.id]
      let image = Self.image(of: file)
      if let content = file.digest {
        if let image {
          try moderation.unblock(content, withImagesLike: image, of: file.id, by: caller.owner, at: now)
        } else {
          try moderation.unblock(content, by: caller.owner, at: now)
        }
        files = try moderation.files(of: content)
      } else if let image, let actor = standing?.quarantine?.actor, actor != Self.similarity {
        try moderation.unblockImages(like: image, of: file.id, by: caller.owner, at: now)
      }
      try moderation.release([file.id], by: caller.owner, at: now)
      return files
    }
  }

  /// Protects an attachment: complaints do not hide it. Moderators and the malware scanner decide about it as about any other.
  /// - Parameter reason: As in ``block(_:reason:similar:by:)``.
  /// - Throws: ``ServiceError/Code/forbidden`` without the scope, ``ServiceError/notFound``.
  public func protect(_ id: FileID, reason: String, by caller: Caller) async throws(ServiceError) -> ModerationState {
    let now = now()
    try caller.require(.moderate)
    try check(reason: reason)
    return try await moderate(id, by: caller) { file, moderation in
      try moderation.protect([file.id], reason: reason, by: caller.owner, at: now)
      return []
    }
  }

  /// Ends the protection of an attachment.
  /// - Throws: As ``protect(_:reason:by:)``.
  public func unprotect(_ id: FileID, by caller: Caller) async throws(ServiceError) -> ModerationState {
    let now = now()
    return try await moderate(id, by: caller) { file, moderation in
      try moderation.unprotect([file.id], by: caller.owner, at: now)
      return []
    }
  }

  /// How the image of a file looks; nil if it has none, or one with too little contrast.
  private static func image(of file: CatalogueFile) -> Moderation.ImageHash? {
    file.placeholder.flatMap { Moderation.ImageHash(thumbhash: $0.thumbhash) }
  }

  /// Makes a decision, and ends or begins what depends on it.
  /// - Parameters:
  ///   - makesImages: Whether to make the images of files that are shown and were hidden when they were added. Default true.
  ///   - decide: Returns the files for which something may have changed.
  func moderate(
    _ id: FileID, by caller: Caller, makesImages: Bool = true,
    _ decide: @escaping @Sendable (CatalogueFile, Moderation) throws -> [FileID]
  ) async throws(ServiceError) -> ModerationState {
    let (state, shown) = try await ServiceError.mapping { () async throws -> (ModerationState, [FileID]) in
      try caller.require(.moderate)
      let (library, database) = (library.library, database)
      return try await self.library.moderate { [self] moderation in
        let record = try database.readBlocking { db in try AttachmentRecord.read(id, db) }
        guard let file = try library.catalogue.file(id), !record.isErased else { throw ServiceError.notFound }
        let shown = try decide(file, moderation).filter { followOrCut(moderation, $0) }
        let standing = try moderation.standing(of: id)
        let state = ModerationState(
          id: "\(id.rawValue)", owner: file.owner, blocked: standing?.isHidden ?? true,
          protected: standing?.protection != nil,
          accepted: standing?.acceptance != nil)
        return (state, shown)
      }
    }
    if makesImages { await makeMissingImages(of: shown) }
    return state
  }
}

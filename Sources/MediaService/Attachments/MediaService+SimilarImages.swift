internal import AttachmentPolicy
internal import Logging
internal import MediaLibrary
internal import MediaModel

/// Uploads that look like blocked images.
extension MediaService {
  /// What happens to an upload that looks like a blocked image (`Moderation.blockImages`). An image may look alike and be another one, so nothing is done by default.
  public enum SimilarImages: String, Sendable, CaseIterable {
    /// It is stored and shown as any other.
    case ignore
    /// It is stored, and quarantined until a moderator releases it.
    case hold
    /// The upload fails with the reason `similar`. One whose image could not be made at its upload is held.
    case refuse
  }

  /// The actor of files that are held because of how they look, in the audit trail.
  static let similarity = Moderation.similarity

  /// Why an upload with this placeholder is held; nil if it is not, or if it was shown before.
  /// - Throws: `refused` by the policy `refuse`.
  func similarity(
    _ placeholder: Placeholder?, of content: ContentDigest, owner: String
  ) async throws(ServiceError) -> String? {
    guard let block = try await similarBlock(placeholder), try await !isAccepted(content, owner: owner) else {
      return nil
    }
    guard configuration.similarImages == .refuse else { return Moderation.similarityReason }
    logger.info("an upload looks like a blocked image", metadata: ["owner": "\(owner)", "image": "\(block.hash)"])
    throw .refusal(FileExamination.refusing(.similar))
  }

  /// Quarantines a stored file whose image has just been made, if it looks like a blocked one, unless a moderator has decided about it.
  func hideIfSimilar(_ id: FileID, _ placeholder: Placeholder?) async throws(ServiceError) {
    guard try await similarBlock(placeholder) != nil else { return }
    let now = now()
    try await ServiceError.mapping {
      try await library.moderate { [self] moderation -> Void in
        for hidden in try moderation.quarantineUndecided([id], at: now) { followOrCut(moderation, hidden) }
      }
    }
  }

  /// What blocking images that look like one has hidden of what is stored.
  public struct SimilarFiles: Encodable, Sendable {
    /// Number of attachments that were quarantined, because they look like it.
    public internal(set) var hidden = 0
    /// Whether all attachments were compared. If not, the service compares them again within a minute, and so does another call that blocks the image.
    public internal(set) var complete = false
  }

  /// The same as ``hideFiles(like:)``, to the end: a cancelled task, such as that of a client that is gone, does not stop it.
  func hideSimilar(to hash: Moderation.ImageHash) async -> SimilarFiles? {
    await Task { await hideFiles(like: hash) }.value
  }

  /// Quarantines stored files that look like an image that is blocked now, as uploads that look like it are. By ``SimilarImages/refuse``, too: they are stored already.
  ///
  /// The block is a decision that was made: it stays if this fails, which is tried again by ``followMissed()``.
  /// - Returns: What it has hidden; nil with ``SimilarImages/ignore``.
  @discardableResult
  func hideFiles(like hash: Moderation.ImageHash) async -> SimilarFiles? {
    guard configuration.similarImages != .ignore else { return nil }
    let now = now()
    var similar = SimilarFiles()
    do {
      // Apart from the thread that changes the library: all of its images are compared.
      let files = try await library.readModeration { try $0.imageIndex().files(like: hash).map(\.file) }
      for start in stride(from: 0, to: files.count, by: 100) {
        let some = Array(files[start..<min(start + 100, files.count)])
        similar.hidden += try await library.moderate { [self] moderation in
          let hidden = try moderation.quarantineUndecided(some, at: now)
          for file in hidden { followOrCut(moderation, file) }
          return hidden.count
        }
      }
      similar.complete = true
    } catch {
      logger.error(
        "not all files that look like a blocked image are hidden yet",
        metadata: ["image": "\(hash)", "hidden": "\(similar.hidden)", "error": "\(error)"])
      attachments.missed.add(hash)
    }
    return similar
  }

  /// Whether the owner's file of a content is shown with its image, or a moderator has decided about it: it is uploaded again, and not compared again.
  private func isAccepted(_ content: ContentDigest, owner: String) async throws(ServiceError) -> Bool {
    let library = library.library
    // Without a verdict, a held file was not compared.
    let holds = configuration.scanning.map { $0.policy != .allow } ?? false
    return try await ServiceError.mapping {
      try await self.library.readModeration { moderation -> Bool in
        guard let path = library.pathOfOriginal(content, owner: owner),
          let file = try library.catalogue.file(at: path)
        else { return false }
        if file.state == .done, file.placeholder != nil {
          let verdict = holds ? try moderation.verdict(of: content) : nil
          if !holds || verdict?.isClean == true { return true }
        }
        return try moderation.isDecided(file.id)
      }
    }
  }

  private func similarBlock(_ placeholder: Placeholder?) async throws(ServiceError) -> Moderation.ImageBlock? {
    guard let hash = comparedImage(placeholder) else { return nil }
    return try await ServiceError.mapping { try await library.readModeration { try $0.imageBlock(of: hash) } }
  }

  /// How an image looks, if it is compared with blocked ones.
  func comparedImage(_ placeholder: Placeholder?) -> Moderation.ImageHash? {
    guard configuration.similarImages != .ignore else { return nil }
    return placeholder.flatMap { Moderation.ImageHash(thumbhash: $0.thumbhash) }
  }
}

extension Verdict.Reason.Code {
  /// The file looks like a blocked image.
  static let similar = Verdict.Reason.Code(rawValue: "similar")
}

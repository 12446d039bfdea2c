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
  static let similarity = "similarity"

  /// Why an upload with this placeholder is held; nil if it is not, or if it was shown before.
  /// - Throws: `refused` by the policy `refuse`.
  func similarity(
    _ placeholder: Placeholder?, of content: ContentDigest, owner: String
  ) async throws(ServiceError) -> String? {
    guard let block = try await similarBlock(placeholder), try await !isAccepted(content, owner: owner) else {
      return nil
    }
    guard configuration.similarImages == .refuse else { return Self.similarityReason }
    logger.info("an upload looks like a blocked image", metadata: ["owner": "\(owner)", "image": "\(block.hash)"])
    throw .refusal(FileExamination.refusing(.similar))
  }

  /// Quarantines a stored file whose image has just been made, if it looks like a blocked one, unless a moderator has decided about it.
  func hideIfSimilar(_ id: FileID, _ placeholder: Placeholder?) async throws(ServiceError) {
    guard try await similarBlock(placeholder) != nil else { return }
    let now = now()
    try await ServiceError.mapping {
      try await library.moderate { [self] moderation -> Void in
        guard let standing = try moderation.standing(of: id), standing.quarantine == nil,
          try !Self.isDecided(id, moderation)
        else { return }
        try moderation.quarantine([id], reason: Self.similarityReason, by: Self.similarity, at: now)
        followOrCut(moderation, id)
      }
    }
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
        return try Self.isDecided(file.id, moderation)
      }
    }
  }

  /// Whether a moderator has released or protected a file.
  private static func isDecided(_ file: FileID, _ moderation: Moderation) throws -> Bool {
    if try moderation.standing(of: file)?.protection != nil { return true }
    return try moderation.isReleased(file)
  }

  private func similarBlock(_ placeholder: Placeholder?) async throws(ServiceError) -> Moderation.ImageBlock? {
    guard configuration.similarImages != .ignore,
      let hash = placeholder.flatMap({ Moderation.ImageHash(thumbhash: $0.thumbhash) })
    else { return nil }
    return try await ServiceError.mapping { try await library.readModeration { try $0.imageBlock(of: hash) } }
  }

  /// Without the moderator's text, which may be about the owner of the blocked image and is erased with it.
  private static let similarityReason = "looks like a blocked image"
}

extension Verdict.Reason.Code {
  /// The file looks like a blocked image.
  static let similar = Verdict.Reason.Code(rawValue: "similar")
}

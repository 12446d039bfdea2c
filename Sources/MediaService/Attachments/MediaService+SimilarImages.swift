internal import AttachmentPolicy
internal import Logging
internal import MediaLibrary
internal import MediaModel

/// Uploads that look like blocked images.
extension MediaService {
  /// What becomes of an upload that looks like a blocked image (`Moderation.blockImages`). An image may look alike and be another one, so nothing is done by default.
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

  /// Why an upload with this placeholder is held; nil if it is not.
  /// - Throws: `refused` by the policy `refuse`.
  func similarity(_ placeholder: Placeholder?, owner: String) async throws(ServiceError) -> String? {
    guard let block = try await similarBlock(placeholder) else { return nil }
    guard configuration.similarImages == .refuse else { return Self.similarityReason }
    logger.info("an upload looks like a blocked image", metadata: ["owner": "\(owner)", "image": "\(block.hash)"])
    throw .refusal(FileExamination.refusing(.similar))
  }

  /// Quarantines a stored file whose image has just been made, if it looks like a blocked one.
  func hideIfSimilar(_ id: FileID, _ placeholder: Placeholder?) async throws(ServiceError) {
    guard try await similarBlock(placeholder) != nil else { return }
    let now = now()
    try await ServiceError.mapping {
      try await library.moderate { [self] moderation in
        try moderation.quarantine([id], reason: Self.similarityReason, by: Self.similarity, at: now)
        followOrCut(moderation, id)
      }
    }
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

extension RefusalReason.Code {
  /// The file looks like a blocked image.
  static let similar = RefusalReason.Code(rawValue: "similar")
}

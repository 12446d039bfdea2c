internal import AttachmentPolicy
internal import MediaModel

extension MessageFit {
  /// What happens to the metadata of the files of a message: one rule for all kinds of files.
  public enum MetadataRule: String, Codable, Sendable, CaseIterable {
    /// Files that need no new encoding are sent with their metadata.
    case keep
    /// Metadata is removed from every file. A file from which it cannot be removed is encoded again, or is refused.
    case strip
    /// A file with metadata is refused, and so is one that may have some.
    case refuse
  }

  /// The result of stripping the metadata of a file (`MetadataStripper`).
  public enum Stripping: Hashable, Sendable {
    /// There was no metadata: the bytes are the same.
    case unchanged
    /// The metadata was removed.
    case stripped
    /// Nobody can remove it without a new encoding: the file must be transcoded, or is refused.
    case impossible
  }

  /// Whether a file is stripped before anything else: it could be sent without a new encoding, or the rule asks whether
  /// it has metadata.
  func needsStripping(_ attachment: MediaAttachment) -> Bool {
    switch metadata {
    case .keep: false
    case .strip: images[attachment.id] == nil && attachment.info.bytes <= profile.maxMessageBytes
    case .refuse:
      // A file that can be neither sent as it is nor made smaller is refused for its size; nobody reads it before.
      images[attachment.id] != nil || attachment.info.bytes <= profile.maxMessageBytes
        || (transcodes && [.video, .audio].contains(attachment.info.kind))
    }
  }

  /// Files that cannot be sent because of their metadata, as far as it is known.
  var refusedForMetadata: [MediaAttachment.ID] {
    composition.attachments.filter { attachment in
      guard let result = stripping[attachment.id] else { return false }
      switch metadata {
      case .keep: return false
      case .refuse: return result != .unchanged
      case .strip:
        guard result == .impossible, transcoded[attachment.id] == nil else { return false }
        return !transcodes || ![.video, .audio].contains(attachment.info.kind) || isTranscodingOver
      }
    }.map(\.id)
  }

  /// Whether every transcoding was tried.
  private var isTranscodingOver: Bool {
    switch phase {
    case .metadata, .originals, .curves, .videos: false
    case .refining, .stripping, .ended: true
    }
  }
}

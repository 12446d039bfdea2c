internal import MediaLibrary

extension MediaService {
  /// The addresses of an uploaded attachment: its original, and its renditions by name if it has images. None as long as it is held for a scan.
  public func urls(of attachment: IngestedAttachment) async throws(ServiceError) -> [String: String] {
    let isHeld = try await ServiceError.mapping {
      guard configuration.scanning != nil, let file = try await library.catalogue.file(attachment.id) else {
        return false
      }
      return try await !held([file]).isEmpty
    }
    if isHeld { return [:] }
    let generation = try await ServiceError.mapping {
      try await database.read { try AttachmentRecord.read(attachment.id, $0).generation }
    }
    let all = urls(of: attachment.id, generation: generation)
    return attachment.renditions.isEmpty ? all.filter { $0.key == "original" } : all
  }
}

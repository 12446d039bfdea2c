extension MediaService {
  /// The addresses of an uploaded attachment: its original, and its renditions by name if it has images.
  public func urls(of attachment: IngestedAttachment) async throws(ServiceError) -> [String: String] {
    let generation = try await ServiceError.mapping {
      try await database.read { try AttachmentRecord.read(attachment.id, $0).generation }
    }
    let all = urls(of: attachment.id, generation: generation)
    return attachment.renditions.isEmpty ? all.filter { $0.key == "original" } : all
  }
}

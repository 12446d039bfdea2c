internal import MediaLibrary
internal import MediaModel

/// What the service's database knows of the files of an answer, and their addresses.
struct AttachmentAddresses: Sendable {
  private let service: MediaService
  private let records: [FileID: AttachmentRecord]

  /// Reads what is known of files, in one go.
  init(of files: [FileID], in service: MediaService) async throws(ServiceError) {
    self.service = service
    records =
      files.isEmpty
      ? [:]
      : try await ServiceError.mapping {
        try await service.database.read { db in try AttachmentRecord.read(files, db) }
      }
  }

  /// What is known of a file; the defaults if it has no row.
  subscript(_ file: FileID) -> AttachmentRecord { records[file] ?? AttachmentRecord() }

  /// Whether nobody may see the file: a moderator has blocked it, or its erasure has begun.
  func isHidden(_ file: FileID) -> Bool { self[file].isBlocked || self[file].isErased }

  /// The address of the file itself, or of another resource of it, signed if there are keys.
  func url(_ resource: MediaService.Resource, of file: FileID) -> String {
    service.address(of: resource, of: file, generation: self[file].generation)
  }

  /// The address of a rendition of a file, or of a part of it, in WebP, signed if there are keys.
  func url(_ name: String, of file: FileID, crop: PixelRect? = nil) -> String {
    guard let name = MediaService.RenditionName(named: name, format: .webp, crop: crop) else { return "" }
    return service.address(of: .rendition(name), of: file, generation: self[file].generation)
  }
}

internal import FileSupport
internal import MediaLibrary

extension MediaService {
  /// Reserves bytes of the owner's quota and of the disk for an upload, until it ends.
  /// - Parameter length: Size of the file; nil if it is not known: then as much as a file may have, or a gibibyte where the rules have no limit.
  /// - Throws: `quotaExceeded` with the limit, `rateLimited` with too many unfinished uploads, `diskFull`.
  func reserve(_ length: Int?, for id: Upload.ID, owner: String) async throws(ServiceError) {
    let counts = try await ServiceError.mapping { try await library.catalogue.counts(in: .owner(owner)) }
    let (files, bytes) = counts.reduce((0, 0)) { ($0.0 + $1.files, $0.1 + $1.bytes) }
    let (limits, needed, available) = (
      configuration.limits, length ?? min(maxUploadBytes, 1 << 30), uploads.availableBytes()
    )
    try uploads.registry.reserve(needed, for: id, owner: owner) { own, all throws(ServiceError) in
      guard own.uploads < limits.openUploads else {
        throw ServiceError(
          .rateLimited, "Too many uploads are unfinished.",
          numbers: ["limit": limits.openUploads, "actual": own.uploads], retryAfter: 60)
      }
      guard files + own.uploads < limits.ownerFiles else {
        throw ServiceError(
          .quotaExceeded, "The owner has as many files as allowed.",
          numbers: ["limit": limits.ownerFiles, "actual": files])
      }
      guard bytes + own.bytes + needed <= min(limits.ownerBytes, 1 << 60) else {
        throw ServiceError(
          .quotaExceeded, "The owner has as many bytes as allowed.",
          numbers: ["limit": limits.ownerBytes, "actual": bytes + own.bytes])
      }
      guard available.map({ $0 - all.bytes - needed >= limits.freeBytes }) ?? true else { throw .diskIsFull }
    }
  }

  /// Refuses further bytes when the disk is nearly full, whoever filled it.
  func requireRoom() async throws(ServiceError) {
    if let available = uploads.availableBytes(), available < configuration.limits.freeBytes { throw .diskIsFull }
  }
}

extension ServiceError {
  static let diskIsFull = ServiceError(.diskFull, "The disk is full.", retryAfter: 600)
}

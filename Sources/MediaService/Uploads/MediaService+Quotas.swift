internal import FileSupport
internal import MediaLibrary

extension MediaService {
  /// Bytes by which the reservation of an upload of unknown length grows while its bytes arrive: 16 MiB.
  static let reservationStep = 16 << 20

  /// Reserves bytes of the owner's quota and of the disk for an upload, until it ends.
  /// - Parameter length: Size of the file; nil if it is not known: then bytes are reserved as they arrive.
  /// - Throws: As ``reserve(_:upTo:written:for:owner:)``.
  func reserve(_ length: Int?, for id: Upload.ID, owner: String) async throws(ServiceError) {
    _ = try await reserve(length ?? 0, upTo: length ?? 0, for: id, owner: owner)
  }

  /// Reserves bytes for an upload, in place of those that it has reserved.
  /// - Parameters:
  ///   - needed: Bytes that the file has at least.
  ///   - wanted: Bytes to reserve if there is room for them.
  ///   - written: Bytes that are on the disk already.
  /// - Returns: How many are reserved, `needed` to `wanted`.
  /// - Throws: `quotaExceeded` with the limit, `rateLimited` with too many unfinished uploads, `diskFull`.
  func reserve(
    _ needed: Int, upTo wanted: Int, written: Int = 0, for id: Upload.ID, owner: String
  ) async throws(ServiceError) -> Int {
    let counts = try await ServiceError.mapping { try await library.catalogue.counts(in: .owner(owner)) }
    let (files, bytes) = counts.reduce((0, 0)) { ($0.0 + $1.files, $0.1 + $1.bytes) }
    let (limits, available) = (configuration.limits, try await uploads.availableBytes())
    let messages = await messageBytes(of: owner)
    return try uploads.registry.reserve(for: id, owner: owner) { own, all throws(ServiceError) in
      guard own.uploads < limits.openUploads else {
        throw ServiceError(
          .rateLimited, "Too many uploads are unfinished; finish or delete one first.",
          numbers: ["limit": limits.openUploads, "actual": own.uploads], retryAfter: 60)
      }
      guard files + own.uploads < limits.ownerFiles else {
        throw ServiceError(
          .quotaExceeded, "The owner's limit on the number of files is reached; erase some first.",
          numbers: ["limit": limits.ownerFiles, "actual": files])
      }
      let quota = min(limits.ownerBytes, 1 << 60) - bytes - messages - own.bytes
      guard needed <= quota else {
        throw .ownerIsFull(limit: limits.ownerBytes, actual: bytes + messages + own.bytes)
      }
      let room = available.map { $0 - all.bytes + written - limits.freeBytes } ?? .max
      guard needed <= room else { throw .diskIsFull }
      return max(needed, min(wanted, quota, room))
    }
  }

  /// Reserves more for an upload of unknown length, if the bytes that arrive need it.
  /// - Parameters:
  ///   - total: Bytes of the file so far, with those that have just arrived.
  ///   - reserved: What is reserved; afterwards at least `total`.
  func reserveMore(
    _ total: Int, _ reserved: inout Int, written: Int, for upload: Upload
  ) async throws(ServiceError) {
    guard upload.length == nil, total > reserved else { return }
    let (wanted, isTooMuch) = total.addingReportingOverflow(Self.reservationStep)
    reserved = try await reserve(
      total, upTo: isTooMuch ? total : wanted, written: written, for: upload.id, owner: upload.owner)
  }

  /// Refuses further bytes when the disk is nearly full, whoever filled it.
  func requireRoom() async throws(ServiceError) {
    if let available = try await uploads.availableBytes(), available < configuration.limits.freeBytes {
      throw .diskIsFull
    }
  }
}

extension ServiceError {
  static let diskIsFull = ServiceError(.diskFull, "The disk of the service is full; try again later.", retryAfter: 600)
}

extension ServiceError {
  /// An owner has no room for more bytes of files and messages.
  static func ownerIsFull(limit: Int, actual: Int) -> ServiceError {
    ServiceError(
      .quotaExceeded, "The owner's limit on stored bytes is reached; erase some files first.",
      numbers: ["limit": limit, "actual": actual])
  }
}

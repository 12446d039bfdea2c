internal import FileSupport
internal import Foundation
internal import GRDB
internal import MediaEngine
internal import MediaLibrary
public import MediaModel

extension MediaService {
  /// The square image of a profile: 128 × 128 pixels.
  public struct Avatar: Sendable {
    /// The encoded image, without metadata.
    public var bytes: [UInt8]
    /// Its media type.
    public var type: MediaType
    /// The attachment from which it was made.
    public var attachment: String
  }

  /// Sets the image of the caller's profile, in place of the old one.
  /// - Parameter crop: The part of the image to show, in upright pixels. Default nil: the centre.
  /// - Throws: `notFound` for an attachment that is not the caller's, `unavailable` for one of which no image can be made, `invalidRequest` for a crop
  ///   outside of the image.
  public func setAvatar(_ attachment: String, crop: PixelRect? = nil, for caller: Caller) async throws(ServiceError) {
    try caller.require(.write)
    let work = work.begin(for: caller.owner)
    let file = try await avatarFile(Self.fileID(attachment), of: caller.owner)
    if let crop, let size = (try? file.info())?.displaySize, !crop.lies(inside: size) {
      throw ServiceError(.invalidRequest, "The crop is not inside the image.")
    }
    // Made once, and kept: an image that cannot be made is refused now, not when somebody looks at it.
    let avatar = try await render(file, crop: crop)
    let (owner, text) = (caller.owner, crop.map { "\($0.x),\($0.y),\($0.width),\($0.height)" })
    try await ServiceError.mapping {
      try await database.write { db in
        // Nothing comes back that was erased meanwhile.
        try work.requireRunning()
        if try AttachmentRecord.read(file.id, db).isErased { throw ServiceError.notFound }
        try db.execute(
          sql: "INSERT OR REPLACE INTO profile (owner, avatar, crop, image, type) VALUES (?, ?, ?, ?, ?)",
          arguments: [owner, file.id.rawValue, text, Data(avatar.bytes), avatar.type.rawValue])
      }
    }
  }

  /// The image of the caller's profile.
  /// - Throws: `notFound` if there is none, and once its attachment was erased.
  public func avatar(of caller: Caller) async throws(ServiceError) -> Avatar {
    try caller.require(.read)
    let owner = caller.owner
    let row = try await ServiceError.mapping {
      try await database.read { db in
        try Row.fetchOne(db, sql: "SELECT avatar, image, type FROM profile WHERE owner = ?", arguments: [owner])
          .map { (file: $0[0] as Int64, image: $0[1] as Data, type: $0[2] as String) }
      }
    }
    guard let row else { throw .notFound }
    // It may have been blocked since.
    _ = try await avatarFile(FileID(rawValue: row.file), of: owner)
    return Avatar(bytes: [UInt8](row.image), type: MediaType(row.type), attachment: "\(row.file)")
  }

  /// Removes the image of the caller's profile; the attachment stays. Succeeds if there is none.
  public func removeAvatar(of caller: Caller) async throws(ServiceError) {
    try caller.require(.write)
    let owner = caller.owner
    try await ServiceError.mapping {
      try await database.write { try $0.execute(sql: "DELETE FROM profile WHERE owner = ?", arguments: [owner]) }
    }
  }

  private func avatarFile(_ id: FileID, of owner: String) async throws(ServiceError) -> CatalogueFile {
    let addresses = try await AttachmentAddresses(of: [id], in: self)
    guard let file = try await files([id])[id], file.owner == owner, file.state == .done, !addresses.isHidden(id) else {
      throw .notFound
    }
    return file
  }

  private func render(_ file: CatalogueFile, crop: PixelRect?) async throws(ServiceError) -> Avatar {
    guard var request = RenditionRequest.named("avatar") else { throw .notFound }
    // A square in any case: an image that is smaller than the box would keep its shape.
    (request.crop, request.allowsUpscaling) = (crop, true)
    let result = try await ServiceError.mapping { [request] in
      try await engine.render(
        .path(bytes: file.stamp.path.bytes), info: try file.info() ?? MediaInfo(type: .octetStream, bytes: 0),
        requests: [request], domain: file.owner.map { .owner($0) } ?? .isolated)
    }
    guard let rendition = result.renditions.first else {
      throw ServiceError(
        .unavailable, "This attachment has no image: its type is not supported, or it is damaged.",
        detail: result.error?.description)
    }
    return Avatar(bytes: rendition.data, type: rendition.type, attachment: "\(file.id.rawValue)")
  }
}

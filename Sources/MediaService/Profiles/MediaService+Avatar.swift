internal import FileSupport
internal import Foundation
internal import GRDB
internal import MediaEngine
internal import MediaLibrary
public import MediaModel

/// The image of a profile (R-CHAT-14, R-MYM-29): a square part of an attachment, in every size, under an address that is new whenever the image is.
extension MediaService {
  /// The sides of the squares in which the image is kept, in pixels.
  public static let avatarSizes = [64, 128, 256, 512]

  /// The image of a profile in one size.
  public struct Avatar: Sendable {
    /// The encoded image, without metadata.
    public var bytes: [UInt8]
    /// The media type of ``bytes``.
    public var type: MediaType
    /// The attachment from which it was made.
    public var attachment: String
  }

  /// What an owner has chosen for its profile.
  public struct Profile: Hashable, Encodable, Sendable {
    /// The name of the user whose profile it is.
    public var owner: String
    /// The image; nil if there is none, and an application shows its own default.
    public var avatar: Choice?

    /// The image that the user has chosen.
    public struct Choice: Hashable, Encodable, Sendable {
      /// The id of the attachment from which the image is made.
      public var attachment: String
      /// The part of it, in upright pixels; nil for the centre.
      public var crop: PixelRect?
      /// The addresses by size. Everyone with a token may read them. They contain an id that is new for each image.
      public var urls: [String: String]
    }
  }

  /// Sets the image of the caller's profile, in place of the old one, which is erased with its address. The same choice again keeps image and address.
  /// - Parameter crop: The part of the image to show, in upright pixels. Default nil: the centre.
  /// - Throws: `notFound` for an attachment that is not the caller's, `unavailable` for one of which no image can be made, `invalidRequest` for a crop
  ///   outside of the image.
  @discardableResult
  public func setAvatar(
    _ attachment: String, crop: PixelRect? = nil, for caller: Caller
  ) async throws(ServiceError) -> Profile {
    try caller.require(.write)
    let work = work.begin(for: caller.owner)
    let owner = caller.owner
    let file = try await avatarFile(Self.fileID(attachment), of: owner)
    guard try await !isHeld(file) else {
      throw ServiceError(.unavailable, "This attachment cannot be shown yet: it has not been scanned for malware.")
    }
    if let crop, let size = (try? file.info())?.displaySize, !crop.lies(inside: size) {
      throw ServiceError(.invalidRequest, "The crop is not inside the image.")
    }
    let known = try await ServiceError.mapping { try await database.read { try ProfileRecord.fetch(of: owner, $0) } }
    if let known, known.file == file.id, known.crop == crop { return Profile(owner: owner, avatar: known.choice) }
    // Made once, and kept: an image that cannot be made is refused now, not when somebody looks at it.
    let images = try await render(file, crop: crop)
    let record = ProfileRecord(file: file.id, crop: crop, address: ProfileRecord.newAddress())
    try await ServiceError.mapping {
      // Where files are erased with their last moment: one that is the image of a profile is not.
      try await library.writing.run { [database] in
        try database.writeBlocking { db in
          // Nothing comes back that was erased meanwhile.
          try work.requireRunning()
          if try AttachmentRecord.read(file.id, db).isErased { throw ServiceError.notFound }
          try ProfileRecord.remove(of: owner, db)
          try record.insert(of: owner, images, db)
        }
      }
    }
    return Profile(owner: owner, avatar: record.choice)
  }

  /// The caller's name and image. Every caller has a profile, which may be empty.
  /// - Throws: `forbidden` unless the token has the scope `read`.
  public func profile(of caller: Caller) async throws(ServiceError) -> Profile {
    try caller.require(.read)
    let owner = caller.owner
    let record = try await ServiceError.mapping { try await database.read { try ProfileRecord.fetch(of: owner, $0) } }
    return Profile(owner: owner, avatar: record?.choice)
  }

  /// The image of the caller's profile.
  /// - Parameter size: One of ``avatarSizes``. Default 128.
  /// - Throws: `notFound` if there is none, and once its attachment was erased.
  public func avatar(of caller: Caller, size: Int = 128) async throws(ServiceError) -> Avatar {
    try caller.require(.read)
    let owner = caller.owner
    return try await avatar(size) { db in try ProfileRecord.image(of: owner, size: size, db) }
  }

  /// The image at an address, of whomever's profile it is.
  /// - Throws: `notFound` also for the address of an image that was replaced, removed or erased.
  public func avatar(at address: String, size: Int = 128, for caller: Caller) async throws(ServiceError) -> Avatar {
    try caller.require(.read)
    return try await avatar(size) { db in try ProfileRecord.image(at: address, size: size, db) }
  }

  /// Removes the image of the caller's profile with its address; the attachment stays. Succeeds if there is none.
  public func removeAvatar(of caller: Caller) async throws(ServiceError) {
    try caller.require(.write)
    let owner = caller.owner
    try await ServiceError.mapping { try await database.write { try ProfileRecord.remove(of: owner, $0) } }
  }

  private func avatar(
    _ size: Int, _ read: @escaping @Sendable (Database) throws -> ProfileRecord.Image?
  ) async throws(ServiceError) -> Avatar {
    guard Self.avatarSizes.contains(size) else {
      throw ServiceError(
        .invalidRequest, "`size` must be one of \(Self.avatarSizes.map(String.init).joined(separator: ", ")).")
    }
    guard let image = try await ServiceError.mapping({ try await database.read(read) }) else { throw .notFound }
    // It may have been blocked or held since.
    guard try await !isHeld(avatarFile(image.file, of: image.owner)) else { throw .notFound }
    return Avatar(bytes: image.bytes, type: image.type, attachment: "\(image.file.rawValue)")
  }

  private func avatarFile(_ id: FileID, of owner: String) async throws(ServiceError) -> CatalogueFile {
    let addresses = try await AttachmentAddresses(of: [id], in: self)
    guard let file = try await files([id])[id], file.isOwned(by: owner), file.state == .done, !addresses.isHidden(id)
    else {
      throw .notFound
    }
    return file
  }

  private func isHeld(_ file: CatalogueFile) async throws(ServiceError) -> Bool {
    try await ServiceError.mapping { try await !held([file]).isEmpty }
  }

  /// The image in every size, all made of one decoding.
  private func render(
    _ file: CatalogueFile, crop: PixelRect?
  ) async throws(ServiceError) -> [Int: Rendition] {
    guard var request = RenditionRequest.named("avatar") else { throw .notFound }
    // A square in any case: an image that is smaller than the box would keep its shape.
    (request.crop, request.allowsUpscaling) = (crop, true)
    let requests = Self.avatarSizes.map { size in
      var one = request
      (one.name, one.box) = ("\(size)", PixelSize(width: size, height: size))
      return one
    }
    let result = try await ServiceError.mapping {
      try await engine.render(
        .path(bytes: file.stamp.path.bytes), info: try file.info() ?? MediaInfo(type: .octetStream, bytes: 0),
        requests: requests, domain: file.owner.map { .owner($0) } ?? .isolated)
    }
    let images = result.renditions.reduce(into: [Int: Rendition]()) { images, one in
      if let size = Int(one.name) { images[size] = one }
    }
    guard images.count == requests.count else {
      throw ServiceError(
        .unavailable, "This attachment has no image: its type is not supported, or it is damaged.",
        detail: result.error?.description)
    }
    return images
  }
}

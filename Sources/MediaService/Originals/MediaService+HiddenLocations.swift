internal import MMSCodec
internal import MediaLibrary
internal import MediaModel
internal import Messaging
internal import MetadataStripping

/// Originals as others than their owners get them: without the location that the owner does not show (docs/decisions/0145).
extension MediaService {
  /// Whether a reader must not learn the location within an original. The owner may, and friends to whom a moment shows the location of the file. A signed
  /// URL says nothing of who reads, so its holder learns as little as anybody.
  func hidesLocation(of found: ReadableAttachment, from reader: Reader) async throws -> Bool {
    if found.isOwner { return false }
    guard case .caller(let caller) = reader, let owner = found.file.owner, caller.audience(of: owner) == .friends else {
      return true
    }
    let id = found.file.id
    return try await library.readMoments { try !$0.showsFriendsLocation(within: id, of: owner) }
  }

  /// An original without metadata, or the original itself if it is of a type that has no location, and if metadata cannot be removed and the library knows of no
  /// location.
  /// - Throws: ``ServiceError/Code/unavailable`` if it may have a location that cannot be removed, and for a mail or a multimedia message.
  func withoutLocation(_ original: OriginalFile, of file: CatalogueFile) async throws -> OriginalFile {
    let id = file.id
    // Files within it have metadata of their own.
    guard !Self.isMessage(original.type, name: original.name) else { throw Self.cannotHideLocation }
    // Of a file that could not be examined nobody knows the type, and so not what is in it.
    guard try file.info() != nil else { throw Self.cannotHideLocation }
    let mayHaveOne = try await library.readMoments { try $0.mayContainLocation(id) }
    guard Self.isMedia(original.type) || mayHaveOne else { return original }
    do {
      return try await withoutMetadata(original, of: file)
    } catch let error as ServiceError where error.code == .unavailable {
      guard mayHaveOne else { return original }
      throw Self.cannotHideLocation
    }
  }

  /// A file within a message or a mail, for a reader who must not learn its location.
  /// - Parameter info: The facts of these bytes.
  func withoutLocation(_ content: [UInt8], _ info: MediaInfo, name: String?) async throws -> [UInt8] {
    guard !Self.isMessage(info.type, name: name) else { throw Self.cannotHideLocation }
    let hasOne = info.latitude != nil || info.longitude != nil
    guard Self.isMedia(info.type) || hasOne else { return content }
    let stripped = try await attachments.stripping.run {
      MetadataStripper.stripKeepingAppearance(content, type: info.type, orientation: info.orientation)
    }
    guard stripped != nil || !hasOne else { throw Self.cannotHideLocation }
    return stripped ?? content
  }

  /// Whether files of a type may have a location without being of other files: photos, videos and recordings.
  private static func isMedia(_ type: MediaType) -> Bool { [.image, .video, .audio].contains(type.kind) }

  private static func isMessage(_ type: MediaType, name: String?) -> Bool {
    isMail(type, name: name) || type == MMSMessage.mediaType
  }

  private static let cannotHideLocation = ServiceError(
    .unavailable,
    "The owner does not share the location within this original, and it cannot be removed; use a rendition.")
}

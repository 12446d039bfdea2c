internal import MediaLibrary
internal import MediaModel
internal import MetadataStripping

/// Originals of owners who store no locations are delivered without metadata (R-MYM-27, R-MYM-28).
extension MediaService {
  /// Whether the switch of an owner is ``LocationSharing/none``.
  func wantsNoLocations(_ owner: String?) async throws -> Bool {
    guard let owner else { return false }
    return try await library.readMoments { try $0.locationSharing(of: owner) } == LocationSharing.none
  }

  /// An original without metadata. Fails for a type of which it cannot be removed: nobody gets a location because a file is unusual.
  ///
  /// A mail is such a type: its photos have metadata of their own.
  func withoutMetadata(_ original: OriginalFile, of file: CatalogueFile) async throws -> OriginalFile {
    guard !Self.isMail(original.type, name: original.name), original.bytes <= StrippedOriginals.maxBytes else {
      throw Self.cannotStrip
    }
    let (threads, orientation) = (attachments.stripping, try file.info()?.orientation)
    return try await attachments.stripped.file(file.id, bytes: original.bytes) { reservation in
      try await threads.run {
        let bytes = try original.readBlocking(at: 0, count: original.bytes)
        guard
          let stripped = MetadataStripper.stripKeepingAppearance(
            bytes, type: original.type, orientation: orientation)
        else { throw Self.cannotStrip }
        return OriginalFile(stripped, of: original, reservation: reservation)
      }
    }
  }

  /// A file of a message, without metadata if the owner of the message stores no locations.
  /// - Parameter name: The name that the message states.
  func withoutMetadata(
    _ content: [UInt8], _ info: MediaInfo, name: String?, of message: CatalogueFile
  ) async throws -> [UInt8] {
    guard try await wantsNoLocations(message.owner) else { return content }
    guard !Self.isMail(info.type, name: name) else { throw Self.cannotStrip }
    return try await attachments.stripping.run {
      guard
        let stripped = MetadataStripper.stripKeepingAppearance(
          content, type: info.type, orientation: info.orientation)
      else { throw Self.cannotStrip }
      return stripped
    }
  }

  private static let cannotStrip = ServiceError(
    .unavailable,
    "The owner stores no locations, and they cannot be removed from a file of this type; use a rendition.")
}

extension MediaInfo {
  /// The facts without the location.
  var withoutLocation: MediaInfo {
    var info = self
    (info.latitude, info.longitude, info.altitude) = (nil, nil, nil)
    return info
  }
}

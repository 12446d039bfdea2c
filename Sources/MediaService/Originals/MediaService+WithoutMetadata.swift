internal import MediaLibrary
internal import MediaModel
internal import MetadataStripping

/// Originals of owners who store no locations are delivered without metadata, and all originals under the rules `strip` and `refuse` (R-MYM-27, R-MYM-28).
extension MediaService {
  /// Whether the location-sharing setting of an owner is ``Moment/LocationSharing/none``.
  func wantsNoLocations(_ owner: String?) async throws -> Bool {
    guard let owner else { return false }
    return try await library.readMoments { try $0.locationSharing(of: owner) } == Moment.LocationSharing.none
  }

  /// The rule for the originals of an owner: that of the service, and at least `strip` while the setting of the owner is ``Moment/LocationSharing/none``.
  func delivers(_ owner: String?) async throws -> OriginalMetadata {
    guard configuration.originals == .keep else { return configuration.originals }
    return try await wantsNoLocations(owner) ? .strip : .keep
  }

  /// An original without metadata. Fails for a type of which it cannot be removed: nobody gets a location because a file is unusual.
  ///
  /// A mail is such a type: its photos have metadata of their own.
  func withoutMetadata(_ original: OriginalFile, of file: CatalogueFile) async throws -> OriginalFile {
    guard !Self.isMail(original.type, name: original.name) else { throw Self.cannotStrip }
    guard original.bytes <= StrippedOriginals.maxBytes else {
      return try await largeWithoutMetadata(original, of: file)
    }
    let (threads, orientation, rule) = (attachments.stripping, try file.info()?.orientation, configuration.originals)
    return try await attachments.stripped.file(original.key(of: file), bytes: original.bytes) { reservation in
      try await threads.run {
        let bytes = try original.readBlocking(at: 0, count: original.bytes)
        guard
          let stripped = MetadataStripper.stripKeepingAppearance(
            bytes, type: original.type, orientation: orientation)
        else { throw Self.cannotStrip }
        guard rule != .refuse || stripped == bytes else { throw Self.hasMetadata }
        return OriginalFile(stripped, of: original, reservation: reservation)
      }
    }
  }

  /// The same for a file that is too large for memory: its bytes are changed when they are read.
  private func largeWithoutMetadata(_ original: OriginalFile, of file: CatalogueFile) async throws -> OriginalFile {
    let (threads, rule) = (attachments.stripping, configuration.originals)
    return try await attachments.stripped.file(original.key(of: file), bytes: StrippedOriginals.planBytes) {
      reservation in
      try await threads.run { () throws -> OriginalFile in
        @Sendable func read(_ offset: Int, _ count: Int) throws -> [UInt8] {
          try original.readBlocking(at: offset, count: count)
        }
        guard let plan = try MetadataStripper.plan(count: original.bytes, type: original.type, read: read) else {
          throw Self.cannotStrip
        }
        guard try rule != .refuse || !plan.changes(read: read) else { throw Self.hasMetadata }
        return OriginalFile(plan, of: original, reservation: reservation)
      }
    }
  }

  /// A file of a message, without metadata if the owner of the message stores no locations, and unless originals keep theirs.
  /// - Parameters:
  ///   - name: The name that the message states.
  ///   - owner: The owner of the message.
  ///   - hidesLocation: Whether it is for a reader who must not learn a location (``hidesLocation(of:from:)``). Default false.
  func withoutMetadata(
    _ content: [UInt8], _ info: MediaInfo, name: String?, owner: String?, hidesLocation: Bool = false
  ) async throws -> [UInt8] {
    guard try await delivers(owner) != .keep else {
      guard hidesLocation else { return content }
      return try await withoutLocation(content, info, name: name)
    }
    let rule = configuration.originals
    guard !Self.isMail(info.type, name: name) else { throw Self.cannotStrip }
    return try await attachments.stripping.run {
      guard
        let stripped = MetadataStripper.stripKeepingAppearance(
          content, type: info.type, orientation: info.orientation)
      else { throw Self.cannotStrip }
      guard rule != .refuse || stripped == content else { throw Self.hasMetadata }
      return stripped
    }
  }

  private static let cannotStrip = ServiceError(
    .unavailable,
    "Originals are delivered without metadata, and it cannot be removed from this file; use a rendition.")
  private static let hasMetadata = ServiceError(
    .unavailable, "Originals with metadata are not delivered; use a rendition.")
}

extension MediaInfo {
  /// The facts without the location.
  var withoutLocation: MediaInfo {
    var info = self
    (info.latitude, info.longitude, info.altitude) = (nil, nil, nil)
    return info
  }
}

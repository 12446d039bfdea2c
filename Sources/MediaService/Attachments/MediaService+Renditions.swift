internal import Crypto
internal import FileSupport
internal import MediaEngine
public import MediaLibrary
public import MediaModel

extension MediaService {
  /// The bytes of an image or an index that was made from an attachment.
  public struct Rendered: Hashable, Sendable {
    /// The encoded image.
    public var bytes: [UInt8]
    /// Their media type.
    public var type: MediaType
    /// A strong entity tag with its quotes: equal bytes have equal tags.
    public var entityTag: String
    /// The explicit name, if the format was negotiated or could have been.
    public var name: RenditionName?

    init(_ bytes: [UInt8], _ type: MediaType, digest: ContentDigest? = nil, name: RenditionName? = nil) {
      (self.bytes, self.type, self.name) = (bytes, type, name)
      let digest = digest?.bytes ?? Array(SHA256.hash(data: bytes))
      entityTag = "\"\(Base64URL.encode(Array(digest.prefix(16))))\""
    }
  }

  /// A rendition of an attachment: from the store, or else made now, stored, and noted in the catalogue.
  ///
  /// Equal requests at the same time are one job, which goes on when the first of them leaves.
  /// - Parameters:
  ///   - name: With a format, or without: then the first of `accepted` that is stored or can be made, and JPEG if there is none.
  ///   - accepted: The formats that the reader can show, the preferred first.
  /// - Throws: ``ServiceError/notFound``, also if the reader has no right; ``ServiceError/Code/unavailable`` if there is no such image of the file.
  public func rendition(
    _ name: RenditionName, of id: FileID, accepting accepted: [RenditionName.Format] = [], for reader: Reader
  ) async throws(ServiceError) -> Rendered {
    try await ServiceError.mapping {
      let found = try await decoded(id, by: reader)
      try checkCrop(name, of: found, for: reader)
      let stored = try await library.catalogue.renditions(of: id)
      if let format = name.format { return try await rendition(name, format, of: found, stored: stored) }
      let formats = accepted.filter { $0 != .avif || find(name, $0, in: stored) != nil }
      return try await rendition(name, formats.first ?? .jpeg, of: found, stored: stored)
    }
  }

  /// An attachment of which images may be made and shown: nothing of a file is decoded before a scan has found it clean.
  func decoded(_ id: FileID, by reader: Reader) async throws -> ReadableAttachment {
    let found = try await readable(id, by: reader, right: .view)
    guard !found.isHeld else {
      throw ServiceError(
        .unavailable, "The file has no image until a malware scan has found it clean; try again later.")
    }
    return found
  }

  /// A rendition in one format.
  /// - Parameter stored: What the catalogue had of the file before.
  func rendition(
    _ name: RenditionName, _ format: RenditionName.Format, of found: ReadableAttachment, stored: [StoredRendition]
  ) async throws -> Rendered {
    let name = name.with(format)
    if let known = try await read(find(name, format, in: stored), as: name) { return known }
    guard format != .avif else { throw ServiceError(.unavailable, "This rendition is not available in this format.") }
    let key = RenditionKey(file: found.file.id, name: "\(name)")
    return try await attachments.renditions.run(key) { [self] in
      // The job of an equal request may have ended after this one had read the catalogue.
      let stored = try await library.catalogue.renditions(of: key.file)
      if let known = try await read(find(name, format, in: stored), as: name) { return known }
      var request = RenditionRequest(name: key.name, box: name.box, fit: name.fit)
      (request.format, request.crop) = (format.request, name.crop)
      let rendition = try await render(request, of: found.file)
      if name.crop == nil || Self.hasRoom(stored) { try await keep([rendition], of: found.file.id) }
      return Rendered(rendition.data, rendition.type, name: name)
    }
  }

  /// The bytes of a stored rendition; nil if there is none, or the store has lost them.
  func read(_ stored: StoredRendition?, as name: RenditionName? = nil) async throws -> Rendered? {
    guard let stored, let address = stored.digest, let bytes = try await library.rendition(address) else { return nil }
    return Rendered(bytes, stored.type, digest: address, name: name)
  }

  /// Parts of an image are shown to its owner, and to whoever has an address that the service has signed. Others could ask for any number of them.
  private func checkCrop(_ name: RenditionName, of found: ReadableAttachment, for reader: Reader) throws {
    guard let crop = name.crop else { return }
    if case .caller = reader, !found.isOwner { throw ServiceError.notFound }
    guard let size = try decodable(found.file).displaySize, crop.lies(inside: size) else { throw ServiceError.notFound }
  }

  /// Whether one more rendition of any part or position may be stored: of these there are as many as there are pixels and seconds.
  static func hasRoom(_ stored: [StoredRendition]) -> Bool {
    stored.count { $0.name.contains("-") } < 64
  }

  /// A scan or an upload stores a size under its name alone, in whichever format that was.
  private func find(
    _ name: RenditionName, _ format: RenditionName.Format, in stored: [StoredRendition]
  ) -> StoredRendition? {
    let names = name.crop == nil ? [name.size, "\(name.with(format))"] : ["\(name.with(format))"]
    return stored.first { names.contains($0.name) && $0.type == format.type && $0.frames == 1 }
  }

  /// Makes one image of a file.
  /// - Parameter second: The position of the frame in a video; nil for the one that represents it.
  func render(_ request: RenditionRequest, of file: CatalogueFile, at second: Int? = nil) async throws -> Rendition {
    var options = ThumbnailOptions()
    (options.placeholder, options.peaks) = (false, 0)
    options.posterPosition = second.map { .seconds(Double($0)) }
    let info = try decodable(file)
    let result = try await traced("rendition", ["mediatool.rendition": request.name]) { [options] in
      try await engine.render(
        source(of: file), info: info, requests: [request], options: options, domain: domain(of: file))
    }
    if let rendition = result.renditions.first { return rendition }
    if let error = result.error { throw error }
    throw ServiceError(.unavailable, "This file has no image: its type is not supported, or it is damaged.")
  }

  /// Stores renditions that were made on demand, unless the file was erased meanwhile: then nothing of them stays.
  func keep(_ renditions: [Rendition], of id: FileID) async throws {
    var stored: [StoredRendition] = []
    // Their bytes first: a row never refers to bytes that are not there.
    for rendition in renditions {
      stored.append(StoredRendition(rendition, address: try await library.putRendition(rendition.data)))
    }
    if try await library.catalogue.addRenditions(stored, to: id) { return }
    try await removeUnusedRenditions()
    throw ServiceError.notFound
  }

  /// Removes renditions from the store that were noted as unused.
  func removeUnusedRenditions() async throws {
    let store = library.library.store
    _ = try await library.catalogue.change { catalogue in
      try catalogue.removeUnusedRenditions(limit: 500) { (address) throws(LibraryError) in try store.remove(address) }
    }
  }

  /// The facts of a file that can be decoded.
  func decodable(_ file: CatalogueFile) throws -> MediaInfo {
    if let failure = file.failure { throw failure }
    guard let info = try file.info() else {
      throw ServiceError(.unavailable, "This file has no image: its type is not supported, or it is damaged.")
    }
    return info
  }

  func source(of file: CatalogueFile) -> MediaSource { .path(bytes: file.stamp.path.bytes) }

  /// Files of different owners share no worker.
  func domain(of file: CatalogueFile) -> MediaEngine.TrustDomain { file.owner.map { .owner($0) } ?? .isolated }
}

internal import Logging
internal import MediaEngine
internal import MediaLibrary
internal import MediaModel

/// Images of files that were hidden when they were added, and are shown now. Thousands of owners may have one content, so a content is rendered once: also
/// one without an image, such as an encrypted document.
extension MediaService {
  /// What a content was rendered to.
  struct ContentImages: Sendable {
    var content: ContentDigest
    /// Without renditions if no decoder can show the content.
    var made: ThumbnailResult
  }

  /// Failures after which no further file is rendered: an engine that is overloaded, or a file that takes all of its time, would hold up whoever waits.
  private static let maxImageFailures = 3

  /// Makes the images of files that have none, unless the files are held until a scan.
  func makeMissingImages(of ids: [FileID]) async {
    var missing: [FileID] = []
    do {
      for id in ids {
        guard let file = try await library.catalogue.file(id), file.state == .done, file.placeholder == nil,
          try await held([file]).isEmpty, try await library.catalogue.renditions(of: id).isEmpty
        else { continue }
        missing.append(id)
      }
    } catch {
      // They are made when somebody asks for them.
      logger.error("cannot make the images of a file that is shown again", metadata: ["error": "\(error)"])
    }
    await makeImages(of: missing, nil)
  }

  /// Stores the images of files that were held, and publishes the files to their owners' trays.
  /// - Parameter images: Those that were made to compare a content with blocked ones; nil for none.
  func makeImages(of ids: [FileID], _ images: ContentImages?) async {
    var (images, failures) = (images, 0)
    for id in ids where failures < Self.maxImageFailures {
      do {
        images = try await makeImages(of: id, images) ?? images
      } catch {
        failures += 1
        // They are made when somebody asks for them.
        logger.error("cannot make the images of a file that was found clean", metadata: ["error": "\(error)"])
      }
    }
  }

  /// - Returns: What was stored, for other files with this content; nil if there was nothing to do.
  private func makeImages(of id: FileID, _ known: ContentImages?) async throws -> ContentImages? {
    guard let file = try await library.catalogue.file(id), file.state == .done else { return nil }
    guard file.placeholder == nil else {
      // Another file of the content has brought them.
      if let owner = file.owner { feed.publish(.changed([id]), for: owner) }
      return nil
    }
    let images: ThumbnailResult
    if let known, known.content == file.digest {
      images = known.made
    } else if let result = try await rendered(file) {
      // Stored as complete, it would never be compared with blocked images.
      if let error = Self.temporaryFailure(of: result) { throw error }
      images = result
    } else {
      return nil
    }
    try await store(images, of: file)
    return file.digest.map { ContentImages(content: $0, made: images) }
  }

  private func store(_ images: ThumbnailResult, of file: CatalogueFile) async throws {
    var stored: [StoredRendition] = []
    for rendition in images.renditions {
      stored.append(StoredRendition(rendition, address: try await library.putRendition(rendition.data)))
    }
    let recipe = ScanRecipe(renditions: configuration.renditions, digests: true).words
    let (library, placeholder, kept) = (library.library, images.placeholder, stored)
    // Once more: an image that looks like it may have been blocked since its verdict. Before its images are there, so that nobody sees them.
    try await hideIfSimilar(file.id, placeholder)
    // Where erasures run too: a file that is gone gets no row again.
    let isThere = try await self.library.writing.run {
      try library.addImages(kept, placeholder: placeholder, recipe: recipe, to: file.id)
    }
    guard isThere else { return await discard(stored) }
    if let owner = file.owner { feed.publish(.changed([file.id]), for: owner) }
  }

  /// Why there is no image although there may be one later; nil if there is one, and if no decoder can show the file.
  static func temporaryFailure(of result: ThumbnailResult) -> MediaFailure? {
    guard result.placeholder == nil, let error = result.error else { return nil }
    return error.retry != .never || error.code == .notFound || error.code == .accessDenied ? error : nil
  }

  /// Renders a file that was held, as its upload would have; nil for one that is not there to be shown.
  func rendered(_ file: CatalogueFile) async throws -> ThumbnailResult? {
    guard file.state == .done, let info = try file.info() else { return nil }
    let requests = configuration.renditions.sorted().compactMap { RenditionRequest.named($0) }
    var options = ThumbnailOptions()
    options.limits = FileExamination(engine: engine, rules: configuration.rules).limits
    return try await engine.render(
      source(of: file), info: info, requests: requests, options: options, domain: domain(of: file))
  }
}

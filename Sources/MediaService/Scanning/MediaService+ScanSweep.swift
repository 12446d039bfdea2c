internal import GRDB
internal import Logging
internal import MalwareScanning
internal import MediaEngine
internal import MediaLibrary
internal import MediaModel

/// Scans that are due, and what follows from their verdicts.
extension MediaService {
  /// Number of scans at a time.
  private static let scansAtATime = 4
  /// The longest wait for a scan, which its own limits end before; and for the scanner's version.
  private static let (scanPatience, statusPatience) = (Duration.seconds(3_600), Duration.seconds(60))
  /// Seconds until a clean content that could not be compared with blocked images is scanned again.
  private static let comparisonPause = 600

  /// Sweeps once a minute, and scans everything once an hour, until its task is cancelled. Apart from other sweeps, for a scan of everything takes hours.
  func keepScanning() async {
    await followDecisions()
    for minute in 0... {
      // What could not be done now is done a minute later.
      await followMissed()
      _ = try? await sweepScans(everything: minute % 60 == 0)
      guard (try? await Task.sleep(for: .seconds(60))) != nil else { return }
    }
  }

  /// Scans file contents that are due: held uploads, and those whose last scan had no result. Call it once a minute; ``run()`` does. Ends when the scanner
  /// is away, and when its task is cancelled.
  /// - Parameter everything: Whether to scan also what has no verdict, or one of older signatures; once an hour. What is due goes before each page of it.
  /// - Returns: Number of file contents that were scanned.
  @discardableResult
  func sweepScans(everything: Bool = false) async throws(ServiceError) -> Int {
    guard let scanning = configuration.scanning else { return 0 }
    let count = try await scanDue(by: scanning, everything: everything)
    await noteWaitingFiles()
    return count
  }

  private func scanDue(by scanning: Scanning, everything: Bool) async throws(ServiceError) -> Int {
    // Neither waits longer than this task: the scanner may be at a file for minutes.
    let status = try? await Deadline.within(Self.statusPatience) { await scanning.scanner.status() }
    guard !Task.isCancelled else { return 0 }
    attachments.scanner.note(isUp: status?.isUp == true, signatures: status?.signatures)
    guard let status, status.isUp else { return 0 }
    var count = 0
    var last: ContentDigest?
    while !Task.isCancelled {
      let (now, after) = (now(), last)
      let (page, isDue) = try await ServiceError.mapping {
        try await library.readModeration { moderation -> ([Moderation.Candidate], Bool) in
          let due = try moderation.due(by: now, limit: Self.scansAtATime)
          guard due.isEmpty, everything else { return (due, true) }
          return (
            try moderation.unscanned(after: after, by: now, signatures: status.signatures, limit: Self.scansAtATime)
              .candidates, false
          )
        }
      }
      guard let end = page.last else { break }
      if !isDue { last = end.content }
      let verdicts = await withTaskGroup(of: Moderation.Verdict?.self) { group -> [Moderation.Verdict] in
        for one in page {
          group.addTask {
            try? await Deadline.within(Self.scanPatience) {
              // A file that changed on the disk is examined by the next scan of its folder.
              await scanning.scanner.verdict(of: one, at: now)
                ?? Moderation.Verdict(one.content, .pending, at: now, due: now + 3_600)
            }
          }
        }
        return await group.compactMap { $0 }.reduce(into: []) { $0.append($1) }
      }
      for verdict in verdicts { try await apply(verdict) }
      count += verdicts.count
      if verdicts.isEmpty || verdicts.contains(where: { $0.state == .pending && $0.due == now + 60 }) {
        attachments.scanner.note(isUp: false)
        break
      }
    }
    return count
  }

  /// Records a verdict: what is infected is read by nobody from now on, what is clean is shown with its images.
  /// - Parameter made: A file whose images were made at its upload.
  func apply(_ verdict: Moderation.Verdict, except made: FileID? = nil) async throws(ServiceError) {
    if verdict.state == .infected {
      logger.warning(
        "malware was found", metadata: ["sha256": "\(verdict.content)", "malware": "\(verdict.detail ?? "")"])
    }
    let holds = configuration.scanning?.policy != .allow
    var verdict = verdict
    var images: (file: FileID, made: ThumbnailResult)?
    if verdict.state == .clean, holds, configuration.similarImages != .ignore {
      do { images = try await hideSimilar(verdict.content, except: made) } catch {
        // A service that ends decides nothing.
        if Task.isCancelled { return }
        logger.error(
          "comparing a clean file with the blocked images failed; it stays held", metadata: ["error": "\(error)"])
        verdict = Moderation.Verdict(verdict.content, .pending, at: verdict.time, due: now() + Self.comparisonPause)
      }
    }
    let next = verdict
    let shown = try await ServiceError.mapping {
      try await library.moderate { [self] moderation -> [FileID] in
        let before = try moderation.verdict(of: next.content)?.isClean == true
        try moderation.record(next, at: now())
        let after = try moderation.verdict(of: next.content)?.isClean == true
        let isHeld = holds && before && !after
        var shown: [FileID] = []
        for file in try moderation.files(of: next.content) where followOrCut(moderation, file, isHeld: isHeld) {
          if after, !before { shown.append(file) }
        }
        return shown
      }
    }
    for file in shown where file != made { await makeImages(of: file, images?.file == file ? images?.made : nil) }
  }

  /// Quarantines the files of a content that look like a blocked image, before a verdict shows them. A content that was clean before is not compared again.
  /// - Parameter made: A file that was compared at its upload.
  /// - Returns: The images that were made for this, and of which file; nil if the content had some.
  func hideSimilar(
    _ content: ContentDigest, except made: FileID?
  ) async throws -> (file: FileID, made: ThumbnailResult)? {
    let files = try await library.readModeration { moderation -> [FileID] in
      guard try moderation.verdict(of: content)?.isClean != true else { return [] }
      return try moderation.files(of: content)
    }
    var images: (file: FileID, made: ThumbnailResult)?
    var placeholder: Placeholder?
    for id in files where placeholder == nil {
      guard let file = try await library.catalogue.file(id) else { continue }
      placeholder = file.placeholder
      if placeholder == nil, images == nil, let result = try await rendered(file) {
        // What no decoder can show is shown, as at an upload; what could not be read now is compared later.
        if let error = Self.temporaryFailure(of: result) { throw error }
        images = (file: id, made: result)
        placeholder = result.placeholder
      }
    }
    for id in files where id != made { try await hideIfSimilar(id, placeholder) }
    return images
  }

  /// Why there is no image although there may be one later; nil if there is one, and if no decoder can show the file.
  private static func temporaryFailure(of result: ThumbnailResult) -> MediaFailure? {
    guard result.placeholder == nil, let error = result.error else { return nil }
    return error.retry != .never || error.code == .notFound || error.code == .accessDenied ? error : nil
  }

  /// Renders a file that was held, as its upload would have; nil for one that is not there to be shown.
  private func rendered(_ file: CatalogueFile) async throws -> ThumbnailResult? {
    guard file.state == .done, let info = try file.info() else { return nil }
    let requests = configuration.renditions.sorted().compactMap { RenditionRequest.named($0) }
    var options = ThumbnailOptions()
    options.limits = FileExamination(engine: engine, rules: configuration.rules).limits
    return try await engine.render(
      source(of: file), info: info, requests: requests, options: options, domain: domain(of: file))
  }

  /// Makes the images of a file that was hidden when it was added, unless it is held until a scan.
  func makeMissingImages(of id: FileID) async {
    do {
      guard let file = try await library.catalogue.file(id), file.state == .done, file.placeholder == nil,
        try await held([file]).isEmpty, try await library.catalogue.renditions(of: id).isEmpty
      else { return }
      await makeImages(of: id, nil)
    } catch {
      // They are made when somebody asks for them.
      logger.error("cannot make the images of a file that is shown again", metadata: ["error": "\(error)"])
    }
  }

  /// Stores the images of a file that was held, and publishes it to its owner's tray.
  /// - Parameter made: Its images, if they were made to compare them with blocked ones. Nil: they are made now.
  func makeImages(of id: FileID, _ made: ThumbnailResult?) async {
    do {
      guard let file = try await library.catalogue.file(id), file.state == .done else { return }
      guard file.placeholder == nil else {
        // Another file of the content has brought them.
        if let owner = file.owner { feed.publish(.changed([id]), for: owner) }
        return
      }
      let images: ThumbnailResult
      if let made {
        images = made
      } else if let result = try await rendered(file) {
        // Stored as complete, it would never be compared with blocked images.
        if let error = Self.temporaryFailure(of: result) { throw error }
        images = result
      } else {
        return
      }
      var stored: [StoredRendition] = []
      for rendition in images.renditions {
        stored.append(StoredRendition(rendition, address: try await library.putRendition(rendition.data)))
      }
      let recipe = ScanRecipe(renditions: configuration.renditions, digests: true).words
      let (library, placeholder, kept) = (library.library, images.placeholder, stored)
      // Once more: an image that looks like it may have been blocked since its verdict. Before its images are there, so that nobody sees them.
      try await hideIfSimilar(id, placeholder)
      // Where erasures run too: a file that is gone gets no row again.
      let isThere = try await self.library.writing.run {
        try library.addImages(kept, placeholder: placeholder, recipe: recipe, to: id)
      }
      guard isThere else { return await discard(stored) }
      if let owner = file.owner { feed.publish(.changed([id]), for: owner) }
    } catch {
      // They are made when somebody asks for them.
      logger.error("cannot make the images of a file that was found clean", metadata: ["error": "\(error)"])
    }
  }
}

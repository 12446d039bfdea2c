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

  /// Scans contents that are due: held uploads, and those whose last scan had no result. Call it once a minute; ``run()`` does. Ends when the scanner
  /// is away, and when its task is cancelled.
  /// - Parameter everything: Whether to scan also what has no verdict, or one of older signatures; once an hour.
  /// - Returns: Number of contents that were scanned.
  @discardableResult
  func sweepScans(everything: Bool = false) async throws(ServiceError) -> Int {
    guard let scanning = configuration.scanning else { return 0 }
    // Neither waits longer than this task: the scanner may be at a file for minutes.
    let status = try? await Deadline.within(Self.statusPatience) { await scanning.scanner.status() }
    guard !Task.isCancelled else { return 0 }
    attachments.scanner.note(isUp: status?.isUp == true)
    guard let status, status.isUp else { return 0 }
    var count = 0
    var last: ContentDigest?
    while !Task.isCancelled {
      let (now, after) = (now(), last)
      let page = try await ServiceError.mapping {
        try await library.readModeration { moderation in
          try everything
            ? moderation.unscanned(after: after, by: now, signatures: status.signatures, limit: Self.scansAtATime)
            : moderation.due(by: now, limit: Self.scansAtATime)
        }
      }
      guard let end = page.last else { break }
      last = end.content
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
    let shown = try await ServiceError.mapping {
      try await library.moderate { [self] moderation -> [FileID] in
        let before = try moderation.verdict(of: verdict.content)?.state
        try moderation.record(verdict)
        var shown: [FileID] = []
        for file in try moderation.files(of: verdict.content) where try follow(moderation, file) {
          if verdict.state == .clean, before != .clean { shown.append(file) }
        }
        return shown
      }
    }
    for file in shown where file != made { await makeImages(of: file) }
  }

  /// Makes the images of a file that was held, as its upload would have.
  private func makeImages(of id: FileID) async {
    do {
      guard let file = try await library.catalogue.file(id), file.state == .done, file.placeholder == nil,
        let info = try file.info(), try await library.catalogue.renditions(of: id).isEmpty
      else { return }
      let requests = configuration.renditions.sorted().compactMap { RenditionRequest.named($0) }
      var options = ThumbnailOptions()
      options.limits = FileExamination(engine: engine, rules: configuration.rules).limits
      let images = try await engine.render(
        source(of: file), info: info, requests: requests, options: options, domain: domain(of: file))
      var stored: [StoredRendition] = []
      for rendition in images.renditions {
        stored.append(StoredRendition(rendition, address: try await library.putRendition(rendition.data)))
      }
      let result = FileResult(
        info: info, digest: file.digest, placeholder: images.placeholder, renditions: stored, engine: engine.version,
        recipe: ScanRecipe(renditions: configuration.renditions, digests: true).words)
      let library = library.library
      // Where erasures run too: a file that is gone gets no row again.
      let isThere = try await self.library.catalogue.change { catalogue -> Bool in
        guard let now = try catalogue.file(id), now.state == .done else { return false }
        try library.scanIndex.apply([.done(now.stamp, result)])
        return true
      }
      guard isThere else { return await discard(stored) }
      if let owner = file.owner { feed.publish(.changed([id]), for: owner) }
    } catch {
      // They are made when somebody asks for them.
      logger.error("no images were made of a file that is clean", metadata: ["error": "\(error)"])
    }
  }
}

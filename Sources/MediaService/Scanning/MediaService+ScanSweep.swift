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
    // Neither waits longer than this task: the scanner may be at a file for minutes.
    let status = try? await Deadline.within(Self.statusPatience) { await scanning.scanner.status() }
    guard !Task.isCancelled else { return 0 }
    attachments.scanner.note(isUp: status?.isUp == true)
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
    let shown = try await ServiceError.mapping {
      try await library.moderate { [self] moderation -> [FileID] in
        let before = try moderation.verdict(of: verdict.content)?.state
        try moderation.record(verdict)
        let after = try moderation.verdict(of: verdict.content)?.state
        let isHeld = holds && before == .clean && after != .clean
        var shown: [FileID] = []
        for file in try moderation.files(of: verdict.content) where followOrCut(moderation, file, isHeld: isHeld) {
          if after == .clean, before != .clean { shown.append(file) }
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
        let info = try file.info()
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
      let recipe = ScanRecipe(renditions: configuration.renditions, digests: true).words
      let (library, placeholder, kept) = (library.library, images.placeholder, stored)
      // Before its images are there, so that nobody sees what is hidden in the end.
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

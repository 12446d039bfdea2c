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
    var images: ContentImages?
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
    await makeImages(of: shown.filter { $0 != made }, images)
  }

  /// Quarantines the files of a content that look like a blocked image, before a verdict shows them. A content that was clean before is not compared again.
  /// - Parameter made: A file that was compared at its upload.
  /// - Returns: The images that were made for this; nil if the content had some.
  func hideSimilar(_ content: ContentDigest, except made: FileID?) async throws -> ContentImages? {
    let files = try await library.readModeration { moderation -> [FileID] in
      guard try moderation.verdict(of: content)?.isClean != true else { return [] }
      return try moderation.files(of: content)
    }
    var images: ContentImages?
    var placeholder: Placeholder?
    for id in files where placeholder == nil {
      guard let file = try await library.catalogue.file(id) else { continue }
      placeholder = file.placeholder
      if placeholder == nil, images == nil, let result = try await rendered(file) {
        // What no decoder can show is shown, as at an upload; what could not be read now is compared later.
        if let error = Self.temporaryFailure(of: result) { throw error }
        images = ContentImages(content: content, made: result)
        placeholder = result.placeholder
      }
    }
    for id in files where id != made { try await hideIfSimilar(id, placeholder) }
    return images
  }
}

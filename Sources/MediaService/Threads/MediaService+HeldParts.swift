internal import Logging
internal import MediaLibrary
internal import MessageStore
internal import Synchronization

/// Which files of messages are handed out. What was decided about the attachment that a file was made of counts, too: the file in the message has
/// another digest, because it was reduced or its metadata was removed.
extension MediaService {
  /// Whether a file was not found clean yet; nil if it is blocked, quarantined or malware: nobody reads it. A file without a verdict is scanned now, and one
  /// with a verdict of older signatures is scanned again; if the scanner states no version, after a day.
  /// - Parameter owner: The owner of the message.
  func isHeld(_ part: MessageStore.Part, of owner: String) async throws(ServiceError) -> Bool? {
    guard let path = part.path, let digest = part.digest else { return nil }
    let contents = [digest, part.source].compactMap(\.self)
    guard let (verdicts, owned) = try await libraryVerdicts(on: contents, owner: owner) else { return nil }
    // That of the library is erased with its last file of the content, and the message stays.
    let kept = try await ServiceError.mapping {
      try await messageStores.use(owner, creating: false) { store -> Moderation.Verdict? in
        try store.verdict(of: digest)
      } ?? nil
    }
    let unstored = unstoredVerdicts.verdict(on: digest, of: owner)
    if let unstored, unstoredVerdicts.isDue(unstored, of: owner, at: now()) { await store(unstored, of: owner) }
    let stored = unstored?.following(kept) ?? kept
    if verdicts.values.contains(where: { $0.state == .infected }) {
      if let verdict = verdicts[digest], verdict.state == .infected, stored?.state != .infected {
        await store(verdict, of: owner)
      }
      return nil
    }
    // Another owner's file of the content does not shorten a scan (docs/decisions/0146).
    let own = owned.contains(digest) ? verdicts[digest] : nil
    let known = own?.following(stored) ?? stored
    // Malware stays malware without a scanner, and while the scanner is away.
    guard let scanning = configuration.scanning else { return known?.state == .infected ? nil : false }
    let holds = scanning.policy != .allow
    // The original was scanned when it arrived. Without a verdict it was erased, and the file of the message is all there is.
    if holds, verdicts.contains(where: { $0.key != digest && !$0.value.isClean }) {
      return known?.state == .infected ? nil : true
    }
    // The library scans its contents again by itself.
    if let verdict = own, verdict.isClean, known?.isClean == true {
      // Malware of an earlier scan would be back when the library's verdict is erased.
      if stored?.state == .infected { await store(verdict, of: owner) }
      return false
    }
    var verdict = known
    if known.map(isCurrent) != true, !unscannedParts.contains(digest, of: owner, at: now()) {
      let found = await self.verdict(onFileAt: path, digest, of: owner, scanning.scanner)
      let (next, result) = (found.following(known), found.following(stored))
      // Before the library, so that malware is refused also if that cannot be changed now. What is no result changes nothing, and a result that is
      // repeated neither.
      if found.isCurrent(for: nil),
        result.signatures == nil || result.state != stored?.state || result.signatures != stored?.signatures
      {
        await store(found, of: owner)
      }
      // Malware, too, may be found with older signatures than the newest: other owners do not know of it.
      if found.state == .pending || found.state == .unscannable, !isCurrent(next) {
        unscannedParts.add(digest, of: owner, at: now())
      }
      try await apply(found)
      verdict = next
    }
    switch verdict?.state {
    case .clean: return false
    case .infected: return nil
    case .pending, .unscannable, nil: return holds
    }
  }

  /// Whether another scan would repeat a verdict. Without a version of the signatures, it is trusted for a day.
  private func isCurrent(_ verdict: Moderation.Verdict) -> Bool {
    guard verdict.isCurrent(for: attachments.scanner.signatures) else { return false }
    // One from the future is not trusted: the clock was set back since.
    return verdict.signatures != nil || (0..<86_400).contains(now() - verdict.time)
  }

  /// Keeps a verdict on a file with the messages of an owner. A failure is logged: on a full disk, what is stored can be read as it is, and the verdict is kept
  /// in memory.
  private func store(_ verdict: Moderation.Verdict, of owner: String) async {
    do {
      _ = try await messageStores.use(owner, creating: false) { try $0.record(verdict) }
      unstoredVerdicts.remove(verdict.content, of: owner)
    } catch {
      unstoredVerdicts.add(verdict, of: owner, at: now())
      logger.error(
        "the verdict on a file of a message was not stored",
        metadata: ["sha256": "\(verdict.content)", "error": "\(error)"])
    }
  }

  /// Keeps the verdict of the library on an owner's file that is to be erased, if it is malware: it is erased with the last file of the content, and a message
  /// with the content stays.
  func keepMalwareVerdict(on file: CatalogueFile) async {
    guard let content = file.digest, let owner = file.owner else { return }
    do {
      let verdict = try await library.readModeration { try $0.verdict(of: content) }
      if let verdict, verdict.state == .infected { await store(verdict, of: owner) }
    } catch {
      logger.error("reading the scan verdict of a file that is being erased failed", metadata: ["error": "\(error)"])
    }
  }

  /// What scanners found in contents of the library, without those that have no verdict, and the contents of which the owner has a file; nil if one of them is
  /// blocked or quarantined.
  private func libraryVerdicts(
    on contents: [ContentDigest], owner: String
  ) async throws(ServiceError) -> (verdicts: [ContentDigest: Moderation.Verdict], owned: Set<ContentDigest>)? {
    let library = library.library
    return try await ServiceError.mapping {
      try await self.library.readModeration {
        moderation -> (verdicts: [ContentDigest: Moderation.Verdict], owned: Set<ContentDigest>)? in
        var verdicts: [ContentDigest: Moderation.Verdict] = [:]
        var owned = Set<ContentDigest>()
        for content in contents {
          if try moderation.block(of: content) != nil { return nil }
          verdicts[content] = try moderation.verdict(of: content)
          let path = library.pathOfOriginal(content, owner: owner)
          let file = try path.flatMap { try library.catalogue.file(at: $0) }
          if file != nil { owned.insert(content) }
          // Its files are quarantined because of it.
          if verdicts[content]?.state == .infected { continue }
          // The owner's file may be quarantined alone: by a review, by reports, or because of how it looks.
          if let file, try moderation.standing(of: file.id)?.isHidden == true { return nil }
        }
        return (verdicts, owned)
      }
    }
  }
}

/// Files of messages about which the scanner had no current result lately, so that not each request for one asks it again.
final class UnscannedParts: Sendable {
  /// Seconds until it is asked again.
  static let pause = 60
  /// Files that are known; a further one replaces all of them.
  private static let maxParts = 1_024

  private struct Key: Hashable {
    let owner: String
    let content: ContentDigest
  }

  private let times = Mutex<[Key: Int]>([:])

  /// Whether the scanner was asked about an owner's file lately.
  func contains(_ content: ContentDigest, of owner: String, at now: Int) -> Bool {
    times.withLock { times in
      times[Key(owner: owner, content: content)].map { $0 <= now && now - $0 < Self.pause } ?? false
    }
  }

  func add(_ content: ContentDigest, of owner: String, at now: Int) {
    times.withLock { times in
      if times.count >= Self.maxParts { times = [:] }
      times[Key(owner: owner, content: content)] = now
    }
  }
}

internal import AttachmentPolicy
internal import FileSupport
internal import Logging
internal import MalwareScanning
internal import MediaLibrary

/// The scan of an uploaded file before anything is made of it.
struct ArrivalScan: Sendable {
  /// What to record with the file; nil if the verdict is known, and without a scanner.
  var verdict: Moderation.Verdict?
  /// Whether nobody but the owner may see the file.
  var isHeld = false
}

extension MediaService {
  /// Scans an uploaded file, unless its owner has the content and the library a verdict on it. What others have does not shorten an upload, but counts where the
  /// scan has no result, and malware that is known is refused whatever the scan finds (docs/decisions/0146). A scan that takes longer than ``Limits/scanSeconds`` continues: the next attempt to upload
  /// the content gets its result, and what was stored without one is scanned later.
  /// - Throws: `refused` for malware, and for a file that cannot be scanned if the policy is `refuse`; `busy` then if the scanner is away.
  func scan(_ file: ArrivedFile) async throws(ServiceError) -> ArrivalScan {
    guard let scanning = configuration.scanning else { return ArrivalScan() }
    let content = file.digest
    let (known, isOwn) = try await ServiceError.mapping { try await knownVerdict(on: content, owner: file.owner) }
    if isOwn, known?.isClean == true { return ArrivalScan() }
    var found: Moderation.Verdict?
    if !isOwn || known?.state != .infected {
      found = await self.verdict(onFileAt: file.part.path, content, of: file.owner, scanning.scanner)
    }
    let decisive = known?.state == .infected ? known : found?.following(known)
    guard let verdict = decisive else { return ArrivalScan(isHeld: true) }
    // That a moderator accepted what cannot be scanned is about the content, whoever uploads it.
    if verdict.state == .unscannable, known?.isAccepted == true { return ArrivalScan(verdict: found) }
    switch verdict.state {
    case .clean: return ArrivalScan(verdict: found)
    case .infected:
      logger.warning(
        "malware was uploaded",
        metadata: ["owner": "\(file.owner)", "sha256": "\(content)", "malware": "\(verdict.detail ?? "")"])
      // Files that have the content already are hidden.
      if known?.state != .infected { await note(verdict) }
      throw .refusal(FileExamination.refusing(.malware))
    case .pending, .unscannable: break
    }
    switch scanning.policy {
    case .hold: return ArrivalScan(verdict: found, isHeld: true)
    case .allow: return ArrivalScan(verdict: found)
    case .refuse:
      if verdict.state == .unscannable, verdict.due == nil, !["scannerError", "timedOut"].contains(verdict.detail) {
        throw .refusal(FileExamination.refusing(.unscannable))
      }
      throw ServiceError(.busy, "Files cannot be scanned for malware now; try again later.", retryAfter: 60)
    }
  }

  /// The verdict of the library on a content, whoever has it, and whether the owner does.
  private func knownVerdict(
    on content: ContentDigest, owner: String
  ) async throws -> (verdict: Moderation.Verdict?, isOwn: Bool) {
    let library = library.library
    return try await self.library.readModeration { moderation in
      let path = library.pathOfOriginal(content, owner: owner)
      let file = try path.flatMap { try library.catalogue.file(at: $0) }
      return (try moderation.verdict(of: content), file != nil)
    }
  }

  /// Records the verdict on a file that was added, also for other files of the content. A file without a recorded verdict is held until everything is scanned.
  /// - Parameter isReused: Whether the owner had the file before: it may have been held, without images.
  func record(_ scan: ArrivalScan, of id: FileID, isReused: Bool) async {
    if let verdict = scan.verdict { await note(verdict, except: scan.isHeld || isReused ? nil : id) }
  }

  private func note(_ verdict: Moderation.Verdict, except made: FileID? = nil) async {
    do throws(ServiceError) { try await apply(verdict, except: made) } catch {
      logger.error("the verdict on an upload was not recorded", metadata: ["error": "\(error)"])
    }
  }

  /// Asks the scanner about a file, for at most ``Limits/scanSeconds``. A scan of the owner's content that is running or ended lately counts.
  func verdict(
    onFileAt path: PathBytes, _ digest: ContentDigest, of owner: String, _ scanner: any MalwareScanner
  ) async -> Moderation.Verdict {
    let (now, scans) = (now(), attachments.scans)
    do {
      let scan = try await Deadline.within(.seconds(configuration.limits.scanSeconds)) {
        try await scans.scan(digest, of: owner) { await scanner.scan(path) }
      }
      attachments.scanner.note(isUp: !scan.isAway, signatures: scan.signatures)
      if scan.isAway {
        logger.warning("the malware scanner does not answer", metadata: ["error": "\(scan.detail ?? "")"])
      }
      return Moderation.Verdict(scan, of: digest, at: now)
    } catch {
      return Moderation.Verdict(digest, .pending, at: now)
    }
  }
}

extension Verdict.Reason.Code {
  /// A scanner found malware.
  static let malware = Verdict.Reason.Code(rawValue: "malware")
  /// The scanner cannot look at the file: it is encrypted or too large for it.
  static let unscannable = Verdict.Reason.Code(rawValue: "unscannable")
}

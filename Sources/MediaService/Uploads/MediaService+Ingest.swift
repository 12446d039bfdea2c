internal import AttachmentPolicy
internal import FileSupport
internal import Logging
internal import MediaEngine
internal import MediaLibrary
internal import MediaModel

extension MediaService {
  /// A complete, synced file in the folder of uploads.
  struct ArrivedFile: Sendable {
    let part: PartFile
    let bytes: Int
    let digest: ContentDigest
    let claims: Upload.Claims
    let owner: String
    /// Ends when the owner is erased.
    let work: OwnerWork.Token
  }

  /// Takes a file in: verdict, facts, renditions, original, row. When it returns, all of it is on the disk; the part file may be removed then.
  ///
  /// The same content of one owner is stored once, and keeps its id. May be repeated after a crash: the result is the same.
  /// - Throws: `unsupportedType`, `tooLarge` and `refused` with the verdict, `checksumMismatch`; `busy` and `diskFull` if it may succeed later;
  ///   `gone` if the owner and `conflict` if the attachment was erased meanwhile.
  func ingest(_ file: ArrivedFile) async throws(ServiceError) -> IngestedAttachment {
    try await ServiceError.mapping { try await traced("ingest") { try await take(file) } }
  }

  private func take(_ sent: ArrivedFile) async throws(ServiceError) -> IngestedAttachment {
    if let expected = sent.claims.digest, expected != sent.digest.bytes {
      throw ServiceError(.checksumMismatch, "The file does not match the digest that was sent.")
    }
    let file = try await underRule(sent)
    let result: Result<IngestedAttachment, ServiceError>
    do throws(ServiceError) { result = .success(try await store(file)) } catch { result = .failure(error) }
    await remove(file, madeOf: sent)
    return try result.get()
  }

  private func store(_ file: ArrivedFile) async throws(ServiceError) -> IngestedAttachment {
    let scan = try await self.scan(file)
    let start = ContinuousClock.now
    defer { report.examined(ContinuousClock.now - start) }
    let examination = FileExamination(engine: engine, rules: configuration.rules)
    var info = try await ServiceError.mapping {
      try await examinations.take(for: file.owner) {
        try await examination.facts(of: file.part.source, claims: file.claims, owner: file.owner)
      }
    }
    info.sha256 = file.digest.description
    let hidesLocation = try await ServiceError.mapping { try await wantsNoLocations(file.owner) }
    let verdict = examination.verdict(on: info, claims: file.claims)
    guard verdict.accepted else { throw .refusal(verdict) }
    var result = IngestedAttachment(
      id: FileID(rawValue: 0), verdict: verdict, info: hidesLocation ? info.withoutLocation : info,
      name: file.claims.name, renditions: [])
    result.isHeld = scan.isHeld ? true : nil
    // The peaks of an audio file are not in the catalogue.
    let isReused = info.kind == .audio ? false : try await reuse(file, &result)
    if !isReused { try await add(file, info, scan, &result) }
    await record(scan, of: result.id, isReused: isReused)
    // A moderator may have accepted the content meanwhile: then the file is shown, and was not compared with blocked images.
    if scan.isHeld { await makeMissingImages(of: [result.id]) }
    result.verdict.files = result.verdict.files.map {
      Verdict.File(id: .init("\(result.id.rawValue)"), reasons: $0.reasons, shrinks: $0.shrinks)
    }
    feed.publish(isReused ? .changed([result.id]) : .added([result.id]), for: file.owner)
    return result
  }

  /// Uses the owner's existing row of the same content, if it has everything.
  private func reuse(_ file: ArrivedFile, _ result: inout IngestedAttachment) async throws(ServiceError) -> Bool {
    let (digest, owner, name, work, engine) = (
      file.digest, file.owner, file.claims.name, file.work, engine.version
    )
    let (library, database, hasNoMetadata) = (library.library, database, configuration.originals != .keep)
    let known = try await ServiceError.mapping {
      // Where erasures run too: none removes the original in between.
      try await self.library.catalogue.change { catalogue -> (CatalogueFile, [StoredRendition])? in
        try work.requireRunning()
        try Self.endErasure(of: digest, owner: owner, library, database)
        // A quarantined one stays what it is, and looks like any other.
        guard let path = library.pathOfOriginal(digest, owner: owner), let row = try catalogue.file(at: path),
          [.done, .quarantined].contains(row.state), row.engine == engine
        else { return nil }
        _ = try library.adoptOriginal(at: file.part.path, digest: digest, owner: owner)
        try database.writeBlocking { db in
          try AttachmentRecord.note(row.id, owner: owner, name: name, in: db)
          if hasNoMetadata { try AttachmentRecord.noteWithoutMetadata(row.id, db) }
          // A process that died may not have noted it.
          if row.state == .quarantined, try !AttachmentRecord.read(row.id, db).isBlocked {
            try AttachmentRecord.setBlocked(true, row.id, owner: owner, db)
          }
        }
        return (row, try catalogue.renditions(of: row.id))
      }
    }
    guard let (row, renditions) = known else { return false }
    (result.id, result.placeholder, result.renditions) = (row.id, row.placeholder, renditions)
    return true
  }

  /// Makes the images of a file, and adds it to the library.
  /// - Parameter info: All facts. Files of other owners may share them, so the library decides which are stored.
  private func add(
    _ file: ArrivedFile, _ info: MediaInfo, _ scan: ArrivalScan, _ result: inout IngestedAttachment
  ) async throws(ServiceError) {
    // Nobody sees it, so nothing is decoded for it. The application is asked all the same: a moderator may show it later.
    let isHidden = try await isHidden(file.digest)
    let hold = try await review(file, result.info)
    let makesImages = !scan.isHeld && !isHidden
    let names = makesImages ? configuration.renditions : []
    let images =
      !makesImages
      ? ThumbnailResult(renditions: [], placeholder: nil) : try await render(file, info: result.info, names)
    let similar = try await similarity(images.placeholder, of: file.digest, owner: file.owner)
    var stored: [StoredRendition] = []
    do throws(ServiceError) {
      for rendition in images.renditions {
        let address = try await ServiceError.mapping { try await library.putRendition(rendition.data) }
        stored.append(StoredRendition(rendition, address: address))
      }
      let quarantine =
        hold.map { (reason: $0, actor: Self.reviewer) }
        ?? similar.map { (reason: $0, actor: Self.similarity) }
      try await add(file, info, names, quarantine, images, stored, &result)
    } catch {
      // Images of a file without a row are images of a file that was erased.
      await Task { await discard(stored) }.value
      throw error
    }
  }

  private func add(
    _ file: ArrivedFile, _ info: MediaInfo, _ names: Set<String>, _ quarantine: (reason: String, actor: String)?,
    _ images: ThumbnailResult,
    _ stored: [StoredRendition], _ result: inout IngestedAttachment
  ) async throws(ServiceError) {
    (result.placeholder, result.renditions, result.peaks) = (images.placeholder, stored, images.peaks)
    result.failure = images.error
    let examined = FileResult(
      info: info, digest: file.digest, placeholder: images.placeholder, renditions: stored,
      engine: engine.version,
      recipe: ScanRecipe(renditions: names, digests: true).words)
    let (digest, owner, now, path) = (file.digest, file.owner, now(), file.part.path)
    let (name, work) = (file.claims.name, file.work)
    let (blocking, database, hasNoMetadata) = (library.library, database, configuration.originals != .keep)
    let image = comparedImage(images.placeholder)
    result.id = try await ServiceError.mapping {
      try await library.catalogue.change { catalogue in
        try work.requireRunning()
        try Self.endErasure(of: digest, owner: owner, blocking, database)
        let stamp = try blocking.adoptOriginal(at: path, digest: digest, owner: owner)
        var added = AddedFile(path: stamp.path, modified: now, received: now, result: examined, owner: owner)
        // In the transaction that adds it: it is never shown in between.
        if let quarantine {
          (added.quarantine, added.quarantineActor) = (quarantine.reason, quarantine.actor)
        } else if let image, try catalogue.file(at: stamp.path) == nil,
          try blocking.moderation.imageBlock(of: image) != nil
        {
          // Blocked since the image was compared. Images are blocked on this thread, too: what is blocked later finds this file.
          (added.quarantine, added.quarantineActor) = (Moderation.similarityReason, Self.similarity)
        }
        guard let id = try catalogue.add([added]).first else {
          throw ServiceError.failed(detail: "no row was added")
        }
        // The library quarantines a blocked file content, too.
        let isBlocked = try catalogue.file(id)?.state == .quarantined
        try database.writeBlocking { db in
          try AttachmentRecord.note(id, owner: owner, name: name, in: db)
          if hasNoMetadata { try AttachmentRecord.noteWithoutMetadata(id, db) }
          if isBlocked { try AttachmentRecord.setBlocked(true, id, owner: owner, db) }
        }
        return id
      }
    }
  }

  private func isHidden(_ content: ContentDigest) async throws(ServiceError) -> Bool {
    try await ServiceError.mapping { try await library.readModeration { try $0.isHidden(content) } }
  }

  /// Removes renditions from the store that no file uses.
  func discard(_ renditions: [StoredRendition]) async {
    guard !renditions.isEmpty else { return }
    do {
      // No file has this id.
      _ = try await library.catalogue.addRenditions(renditions, to: FileID(rawValue: 0))
      try await removeUnusedRenditions()
    } catch {
      logger.error("cannot remove the renditions of a file that was not added", metadata: ["error": "\(error)"])
    }
  }

  /// Ends an erasure of the same content that has begun, and may have been interrupted: the file then gets an id of its own, not one that is buried.
  private static func endErasure(
    of digest: ContentDigest, owner: String, _ library: Library, _ database: ServiceDatabase
  ) throws {
    guard let path = library.pathOfOriginal(digest, owner: owner), let row = try library.catalogue.file(at: path),
      try database.readBlocking({ db in try AttachmentRecord.read(row.id, db).isErased })
    else { return }
    _ = try library.erase(.file(row.id), wiping: false)
  }

  private func render(
    _ file: ArrivedFile, info: MediaInfo, _ names: Set<String>
  ) async throws(ServiceError) -> ThumbnailResult {
    var options = ThumbnailOptions()
    options.limits = FileExamination(engine: engine, rules: configuration.rules).limits
    let requests = names.sorted().compactMap { RenditionRequest.named($0) }
    return try await ServiceError.mapping { [options] in
      try await examinations.take(for: file.owner) {
        try await engine.renderBounded(
          file.part.source, info: info, requests: requests, options: options, domain: .owner(file.owner))
      }
    }
  }
}

internal import GRDB
internal import Logging
internal import MediaLibrary
internal import Synchronization

/// What follows from moderation decisions and from verdicts: signed URLs end, and trays change.
extension MediaService {
  /// Ends the addresses of a file that moderation or a scanner has hidden or shown, and reports it to its owner's tray. Blocking; for the library's thread for writing.
  /// - Parameter isHeld: Whether its content was clean, and is not any more: the owner alone sees it from now on, so addresses end, too.
  /// - Returns: Whether it is shown.
  @discardableResult
  func follow(_ moderation: Moderation, _ id: FileID, isHeld: Bool = false) throws -> Bool {
    guard let file = try library.library.catalogue.file(id), let standing = try moderation.standing(of: id) else {
      return false
    }
    let isHidden = standing.isHidden
    let changes = try database.writeBlocking { db -> Bool in
      guard try AttachmentRecord.read(id, db).isBlocked != isHidden else {
        if isHeld { try AttachmentRecord.raiseGeneration(of: id, owner: file.owner, db) }
        return false
      }
      try AttachmentRecord.setBlocked(isHidden, id, owner: file.owner, db)
      return true
    }
    if changes, let owner = file.owner { feed.publish(isHidden ? .removed([id]) : .added([id]), for: owner) }
    return !isHidden
  }

  /// The same. If it fails, nothing more of the file is answered from memory, and the next sweep tries again.
  /// - Returns: Whether it is shown.
  @discardableResult
  func followOrCut(_ moderation: Moderation, _ id: FileID, isHeld: Bool = false) -> Bool {
    do {
      return try follow(moderation, id, isHeld: isHeld)
    } catch {
      logger.error(
        "a moderation decision has not taken effect yet", metadata: ["file": "\(id.rawValue)", "error": "\(error)"])
      database.cuts.cut([id])
      attachments.missed.add(id, isHeld: isHeld)
      return false
    }
  }

  /// Tries again what failed.
  func followMissed() async {
    await hideMissed()
    let missed = attachments.missed.take()
    if missed.isEmpty { return }
    do {
      try await library.moderate { [self] moderation in
        for (id, isHeld) in missed { followOrCut(moderation, id, isHeld: isHeld) }
      }
    } catch {
      for (id, isHeld) in missed { attachments.missed.add(id, isHeld: isHeld) }
    }
  }

  /// Hides what looks like images that are still blocked, where that failed.
  private func hideMissed() async {
    for image in attachments.missed.takeImages() {
      do {
        guard try await library.readModeration({ try $0.imageBlock(of: image)?.hash == image }) else { continue }
        await hideFiles(like: image)
      } catch {
        attachments.missed.add(image)
      }
    }
  }

  /// Follows decisions that were made while the service did not run, and those after which its process died.
  func followDecisions() async {
    do {
      var files = try await database.read { db in
        try Int64.fetchAll(db, sql: "SELECT file FROM attachment WHERE blocked AND NOT erased")
      }.map { FileID(rawValue: $0) }
      var after: CatalogueFile.Cursor?
      repeat {
        let (cursor, catalogue) = (after, library.library.catalogue)
        let page = try await library.reading.run {
          try catalogue.files(of: .quarantined, in: .all, after: cursor, limit: 500)
        }
        files += page.files.map(\.id)
        after = page.next
      } while after != nil
      for start in stride(from: 0, to: files.count, by: 100) {
        let some = files[start..<min(start + 100, files.count)]
        try await library.moderate { [self] moderation in for id in some { followOrCut(moderation, id) } }
      }
    } catch {
      logger.error("moderation decisions have not taken effect yet", metadata: ["error": "\(error)"])
    }
  }
}

/// Files for which a decision could not be followed, and blocked images with which not all files were compared.
final class UnappliedDecisions: Sendable {
  private let files = Mutex<[FileID: Bool]>([:])
  private let images = Mutex<Set<Moderation.ImageHash>>([])

  /// - Parameter image: One that is blocked.
  func add(_ image: Moderation.ImageHash) { images.withLock { _ = $0.insert(image) } }

  /// Returns the images, and has none afterwards.
  func takeImages() -> Set<Moderation.ImageHash> {
    images.withLock { images in
      defer { images = [] }
      return images
    }
  }

  /// - Parameter isHeld: As ``MediaService/follow(_:_:isHeld:)``.
  func add(_ id: FileID, isHeld: Bool) { files.withLock { $0[id] = isHeld || $0[id] == true } }

  /// Returns them, and has none afterwards.
  func take() -> [FileID: Bool] {
    files.withLock { files in
      defer { files = [:] }
      return files
    }
  }
}

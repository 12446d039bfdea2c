internal import AttachmentPolicy
internal import FileSupport

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension Library {
  /// Erases files: originals that the library owns and their copies, renditions that no other file uses, rows with words and locations, and
  /// attachments of drafts; with an owner, also the drafts that were saved as the owner's. Damaged drafts that a repair set aside are removed too. Originals elsewhere stay, and a scan of their folder finds them again.
  ///
  /// Rows are erased in one transaction, which notes what must be erased outside; if the process dies then, the next one finishes it. Succeeds if
  /// the files are already erased. Afterwards no erased data can be read in the files of the library.
  ///
  /// Takes 24 bytes of memory per location, and a page of a thousand rows at a time. With snapshots, also a set of the ids of all files to erase, and a page of ten
  /// thousand files or moments at a time.
  /// - Parameters:
  ///   - wiping: Whether to rewrite the database so that it has no old bytes. Takes time proportional to the library, and as much disk
  ///     space again. Default true. If false, ``wipe()`` does it later, for several erasures at once.
  ///   - progress: Called on this thread after each thousand rows and each further step, also within the transaction: it must not use the library.
  @discardableResult
  public func erase(
    _ scope: ErasureRequest.Scope, wiping: Bool = true,
    progress: (@Sendable (ErasureRequest.Progress) -> Void)? = nil
  ) throws(LibraryError) -> ErasureRequest.Report {
    var request = ErasureRequest(scope, originals: location.originals, wiping: wiping)
    request.progress = progress
    return try erase(request)
  }

  func erase(_ request: ErasureRequest) throws(LibraryError) -> ErasureRequest.Report {
    guard access == .writing else {
      throw LibraryError.onlyReading(location.data)
    }
    // Who has nothing ends no snapshot that is being written.
    if case .owner(let name) = request.scope, try !database.hasAny(of: name) {
      return try database.snapshots.take { () throws(LibraryError) in try eraseInTurn(request) }
    }
    return try database.snapshots.erase { () throws(LibraryError) in try eraseInTurn(request) }
  }

  private func eraseInTurn(_ request: ErasureRequest) throws(LibraryError) -> ErasureRequest.Report {
    var report = ErasureRequest.Report()
    var request = request
    if case .owner(let name) = request.scope {
      let store = originals.store(of: name)
      (request.ownerOriginals, request.sweepsOwnerOriginals) = (store.folder, originals.isThere(store))
    }
    let remaining: [PathBytes]
    (remaining, report.snapshots) = try eraseFromSnapshots(request)
    report.notErased = remaining.map(\.description)
    let isCopyAway = try LibraryMarker.isCopyAway(options.copy, of: location)
    if isCopyAway { report.notErased.append(ErasureRequest.Report.copy) }
    // Nobody can say what a draft has that a repair set aside, so it may have what is erased.
    try SetAsideFiles(base: location.data).eraseAllDamaged(in: location.drafts)
    // No draft is saved between being read and the transaction.
    let rows = try drafts.withoutSaves { () throws(LibraryError) in
      let held = try ErasureRequest.Attachment.all(in: drafts)
      request.attachments = held.attachments
      report.notErased += held.unreadable.map(\.description)
      guard case .owner(let name) = request.scope else { return try catalogue.erase(request) }
      request.hasOwnerDrafts = try drafts.hasAny(of: name)
      let rows = try catalogue.erase(request)
      // At once, before anybody saves one again. If the process dies here, the note finds them.
      let removed = Result { () throws(LibraryError) -> Int in try drafts.removeAll(of: name) }
      // Also if they could not be removed, which the error reports. A note that stayed would remove drafts that are saved later.
      if request.hasOwnerDrafts { try database.strike(draftsOf: name) }
      report.drafts = try removed.get()
      return rows
    }
    (report.files, report.collections) = (rows.files, rows.collections)
    (report.moments, report.trips, report.reports) = (rows.moments, rows.trips, rows.reports)
    (report.verdicts, report.locations, report.notes) = (rows.verdicts, rows.locations, rows.notes)
    try finishErasures(into: &report, progress: request.progress)
    if !report.notErased.isEmpty { report.isWiped = false }
    return report
  }

  /// Makes deleted data unreadable in the files of the catalogue.
  /// - Returns: Whether it succeeded; false on a full disk, and while another process reads an older state.
  public func wipe() throws(LibraryError) -> Bool {
    guard access == .writing else {
      throw LibraryError.onlyReading(location.data)
    }
    return try database.snapshots.erase { () throws(LibraryError) in try catalogue.wipe() }
  }

  /// Finishes erasures that transactions noted before a process died.
  ///
  /// Waits for no other process: what one prevents is finished later.
  func finishErasures() throws(LibraryError) {
    var report = ErasureRequest.Report()
    try finishErasures(into: &report, waits: false)
  }

  private func finishErasures(
    into report: inout ErasureRequest.Report, waits: Bool = true,
    progress: (@Sendable (ErasureRequest.Progress) -> Void)? = nil
  ) throws(LibraryError) {
    guard try catalogue.isErasing() else {
      report.isWiped = true
      return
    }
    // While the disk of the copy is away, what it has of the originals stays noted: a later erasure, or the next start, removes it.
    let isCopyAway = try LibraryMarker.isCopyAway(options.copy, of: location)
    var last: Int64 = 0
    while true {
      let after = last
      let notes = try database.read { db in try Erasure(db).notes(500, after: after) }
      guard let end = notes.last else { break }
      for note in notes { try erase(note, into: &report) }
      try catalogue.strike(isCopyAway ? notes.filter { !$0.isOfOriginal } : notes)
      last = end.id
      progress?(ErasureRequest.Progress(.originals, report.originals + report.attachments))
    }
    if isCopyAway { try sweepGarbageHere(into: &report) } else { try sweepGarbage(into: &report, progress: progress) }
    if try catalogue.isToBeWiped() {
      progress?(ErasureRequest.Progress(.rewriting, 0))
      report.notWiped = try database.wipe(waits: waits)
      report.isWiped = report.notWiped == nil
    } else {
      report.isWiped = report.files + report.collections + report.moments + report.trips + report.reports == 0
    }
  }

  private func erase(_ note: ErasureRequest.Note, into report: inout ErasureRequest.Report) throws(LibraryError) {
    switch note.remains {
    case .original(let path) where path.folder == location.originals: try eraseRest(of: path, into: &report)
    case .original(let path):
      // The owner may have stored the same content again since the note was made.
      if try database.file(at: path) == nil { try remove(path, into: &report) }
    case .drafts(let owner):
      report.drafts += try drafts.withoutSaves { () throws(LibraryError) in try drafts.removeAll(of: owner) }
    case .attachment(let draft, let item):
      guard let key = try? JSONDecoder().decode(DraftStore.Key.self, from: Data(draft.utf8)) else { return }
      switch try drafts.drop(item, from: key) {
      case .dropped: report.attachments += 1
      case .notThere: break
      case .unreadable(let path): if !report.notErased.contains(path) { report.notErased.append(path) }
      }
    }
  }

  private func remove(_ path: PathBytes, into report: inout ErasureRequest.Report) throws(LibraryError) {
    let removed = try originals.remove(path)
    if removed.hadCopy { report.copies += 1 }
    guard let bytes = removed.bytes else { return }
    report.originals += 1
    report.originalBytes += bytes
  }

  /// Removes files that the catalogue does not know from the store of an owner and its copy. Files that it knows have another owner by now.
  private func eraseRest(of folder: PathBytes, into report: inout ErasureRequest.Report) throws(LibraryError) {
    let main = DirectoryStore(folder: folder)
    try originals.removeAside(of: folder)
    for store in [main] + (originals.copy(of: folder).map { [DirectoryStore(folder: $0)] } ?? []) {
      var after: ContentDigest?
      while let page = try Optional(store.addresses(after: after, limit: 1_000)), let last = page.last {
        for address in page {
          guard let path = main.path(of: address), try database.file(at: path) == nil else { continue }
          try remove(path, into: &report)
        }
        after = last
      }
      for path in try store.leftovers() where !StoreFiles.isWrittenHere(path) { try StoreFiles.remove(path) }
    }
  }

  /// Removes renditions that no file uses. No file can get one of them meanwhile.
  private func sweepGarbage(
    into report: inout ErasureRequest.Report, progress: (@Sendable (ErasureRequest.Progress) -> Void)?
  ) throws(LibraryError) {
    var looked = 0
    repeat {
      looked = try catalogue.removeUnusedRenditions(limit: 500) { (address) throws(LibraryError) in
        if try renditions.contains(address) { report.renditions += 1 }
        try renditions.remove(address)
      }
      if looked > 0 { progress?(ErasureRequest.Progress(.renditions, report.renditions)) }
    } while looked > 0
  }
  /// Removes renditions that no file uses from the library alone. They stay noted, for when the copy is there again.
  private func sweepGarbageHere(into report: inout ErasureRequest.Report) throws(LibraryError) {
    var last = Data()
    var count = 0
    while let end = try database.eachUnusedRendition(
      after: last, limit: 500,
      { (address) throws(LibraryError) in
        if try renditions.contains(address) { count += 1 }
        try renditions.remove(address)
      })
    {
      last = end
    }
    report.renditions += count
  }
}

extension ErasureRequest.Note {
  /// Whether it is of bytes that the copy has too.
  fileprivate var isOfOriginal: Bool { if case .original = remains { true } else { false } }
}

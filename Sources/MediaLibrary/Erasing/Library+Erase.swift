internal import AttachmentPolicy
internal import FileSupport
internal import GRDB

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension Library {
  /// Erases: originals that the library owns, with their copies; renditions that no other file has; rows, words and places; what drafts hold
  /// of them. Originals elsewhere are their owner's and stay; a scan of their folder finds them again.
  ///
  /// All or nothing: the rows go in one transaction, which notes what has to go with them; a process that dies then is followed by one that goes on.
  /// What is gone already is as good. Afterwards nothing of it is left to be read in the files of the library.
  /// - Parameter wiping: Whether the database is written anew, so that no old bytes are left in it; that takes a time that grows with the library, and as much room
  ///   again as it has. Default true. Without, ``wipe()`` does it later, for many at once.
  @discardableResult
  public func erase(_ scope: ErasureScope, wiping: Bool = true) throws(LibraryError) -> ErasureReport {
    var report = ErasureReport()
    let held = try HeldAttachment.all(in: drafts)
    let (files, collections) = try database.write { db in
      let erasure = Erasure(db)
      try erasure.collect(scope, originals: originals)
      try erasure.noteOriginals(in: location.originals)
      if case .owner(let name) = scope, originals.isThere(originals.store(of: name)) {
        try erasure.note(store: originals.store(of: name))
      }
      for one in held where try erasure.isGone(one) { try erasure.note(draft: one.draft, item: one.item.rawValue) }
      return try erasure.deleteRows(scope, wiping: wiping)
    }
    (report.files, report.collections) = (files, collections)
    try finishErasures(into: &report)
    return report
  }

  /// Makes sure that nothing that was deleted can be read in the files of the catalogue.
  /// - Returns: Whether that could be done: not on a full disk, and not while another process reads an older state.
  public func wipe() throws(LibraryError) -> Bool {
    guard access == .writing else { throw LibraryError(.readOnly, "The library was opened read-only.") }
    return try wipeAll()
  }

  private func wipeAll() throws(LibraryError) -> Bool {
    guard try database.mergeWords() else { return false }
    try renewSnapshot()
    return try database.wipe()
  }

  /// A snapshot in the copy still has what was erased here.
  private func renewSnapshot() throws(LibraryError) {
    if options.copy != nil, StoreFiles.size(snapshotPath) != nil { try backUp() }
  }

  /// Does what transactions noted and a process may have died before.
  func finishErasures() throws(LibraryError) {
    var report = ErasureReport()
    try finishErasures(into: &report)
  }

  private func finishErasures(into report: inout ErasureReport) throws(LibraryError) {
    guard try database.read({ db in try Erasure.isPending(db) }) else {
      report.isWiped = true
      return
    }
    while true {
      let notes = try database.read { db in try Erasure(db).notes(500) }
      if notes.isEmpty { break }
      for note in notes { try erase(note, into: &report) }
      try database.write { db in try Erasure(db).strike(notes) }
    }
    try sweepGarbage(into: &report)
    if try database.read({ db in try Erasure(db).isToBeWiped() }) {
      report.isWiped = try wipeAll()
    } else {
      try renewSnapshot()
      report.isWiped = report.files + report.collections == 0
    }
  }

  private func erase(_ note: Erasure.Note, into report: inout ErasureReport) throws(LibraryError) {
    switch note.what {
    case .original(let path) where path.folder == location.originals: try eraseRest(of: path, into: &report)
    case .original(let path):
      if let size = try originals.remove(path) {
        report.originals += 1
        report.originalBytes += size
      }
    case .attachment(let draft, let item):
      guard let key = try? JSONDecoder().decode(DraftKey.self, from: Data(draft.utf8)) else { return }
      if try drafts.drop(MediaAttachment.ID(item), from: key) { report.attachments += 1 }
    }
  }

  /// Removes what the catalogue does not know from the store of an owner and from its copy. What it knows is somebody else's by now.
  private func eraseRest(of folder: PathBytes, into report: inout ErasureReport) throws(LibraryError) {
    let main = DirectoryStore(folder: folder)
    for store in [main] + (originals.copy(of: folder).map { [DirectoryStore(folder: $0)] } ?? []) {
      var after: ContentDigest?
      while let page = try Optional(store.addresses(after: after, limit: 1_000)), let last = page.last {
        for address in page {
          guard let path = main.path(of: address), try database.file(at: path) == nil else { continue }
          guard let size = try originals.remove(path) else { continue }
          report.originals += 1
          report.originalBytes += size
        }
        after = last
      }
      for path in try store.leftovers() where !StoreFiles.isWrittenHere(path) { try StoreFiles.remove(path) }
    }
  }

  /// Removes renditions that no file has any more. While it looks, no file can come to have one.
  private func sweepGarbage(into report: inout ErasureReport) throws(LibraryError) {
    while true {
      let removed: Int? = try database.write { db in
        let addresses = try Data.fetchAll(db, sql: "SELECT address FROM garbage LIMIT 500")
        if addresses.isEmpty { return nil }
        var removed = 0
        for data in addresses {
          let isUsed = try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM rendition WHERE address = ?)", arguments: [data])
          if isUsed != true, let address = ContentDigest(bytes: data) {
            if try renditions.contains(address) { removed += 1 }
            try renditions.remove(address)
          }
          try db.execute(sql: "DELETE FROM garbage WHERE address = ?", arguments: [data])
        }
        return removed
      }
      guard let removed else { return }
      report.renditions += removed
    }
  }
}

extension DraftStore {
  /// Takes an attachment out of a draft, and removes the file that was kept for it.
  /// - Returns: Whether the draft had it.
  func drop(_ item: MediaAttachment.ID, from key: DraftKey) throws(LibraryError) -> Bool {
    do {
      guard var draft = try load(key), draft[item] != nil else { return false }
      _ = draft.remove(item, under: AttachmentRules())
      try save(draft, for: key)
      try removeFile(of: item, for: key)
      return true
    } catch {
      throw LibraryError(.system, "A draft cannot be changed.", detail: "\(error)")
    }
  }
}

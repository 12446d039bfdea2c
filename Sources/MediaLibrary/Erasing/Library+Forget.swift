internal import AttachmentPolicy
internal import FoundationEssentials
internal import GRDB

extension Library {
  /// Erases: originals that the library owns, with their copies; renditions that no other file has; rows, words and places; what drafts hold
  /// of them. Originals elsewhere are their owner's and stay; a scan of their folder finds them again.
  ///
  /// All or nothing: the rows go in one transaction, which notes what has to go with them; a process that dies then is followed by one that goes on.
  /// What is gone already is as good. Afterwards nothing of it is left to be read in the files of the library.
  /// - Parameter wiping: Whether the database is written anew, so that no old bytes are left in it; that takes a time that grows with the library, and as much room
  ///   again as it has. Default true. Without, ``wipe()`` does it later, for many at once.
  @discardableResult
  public func forget(_ scope: ForgetScope, wiping: Bool = true) throws(LibraryError) -> ErasureReport {
    var report = ErasureReport()
    let held = try draftItems()
    let (files, collections) = try database.write { db in
      try Erasure(db).collect(scope)
      try Erasure(db).noteOriginals(in: location.originals)
      for item in held where try Erasure(db).isGone(item.attachment) {
        try Erasure(db).note(draft: item.draft, item: item.attachment.id.rawValue)
      }
      return try Erasure(db).deleteRows(scope, wiping: wiping)
    }
    (report.files, report.collections) = (files, collections)
    try finishErasures(into: &report)
    return report
  }

  /// Makes sure that nothing that was deleted can be read in the files of the catalogue.
  /// - Returns: Whether that could be done: not on a full disk, and not while another process reads an older state.
  public func wipe() throws(LibraryError) -> Bool {
    guard access == .writing else { throw LibraryError(.readOnly, "The library was opened for reading.") }
    return try database.wipe()
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
    // A snapshot in the copy still has what was erased here.
    if options.copy != nil, StoreFiles.size(snapshotPath) != nil { try backUp() }
    if try database.read({ db in try Erasure(db).isToBeWiped() }) {
      report.isWiped = try database.wipe()
    } else {
      report.isWiped = report.files + report.collections == 0
    }
  }

  private func erase(_ note: Erasure.Note, into report: inout ErasureReport) throws(LibraryError) {
    switch note.what {
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

  /// Every attachment of every draft, with the draft's key in JSON.
  private func draftItems() throws(LibraryError) -> [(draft: String, attachment: MediaAttachment)] {
    do {
      var items: [(draft: String, attachment: MediaAttachment)] = []
      for key in try drafts.keys() {
        // One that cannot be read, or has just gone, holds nothing that could be found in it.
        guard let draft = try? drafts.load(key) else { continue }
        let name = String(decoding: try JSONEncoder().encode(key), as: UTF8.self)
        items += draft.items.map { (name, $0.attachment) }
      }
      return items
    } catch {
      throw LibraryError(.system, "The drafts cannot be read.", detail: "\(error)")
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
      throw LibraryError(.system, "A draft could not be changed.", detail: "\(error)")
    }
  }
}

public import AttachmentPolicy
internal import FileSupport

extension DraftStore {
  /// Stores a copy of a file with a draft until it is removed: a photo just taken has no other file (R-CHAT-11, R-MYM-8).
  ///
  /// Store it before the draft that names it; if that is never saved, ``sweep(before:)`` removes the copy.
  /// - Returns: The path of the copy.
  /// - Throws: ``DraftStore/Failure/notKept`` if drafts are not kept: nothing is written then (R-MAIL-2).
  @discardableResult
  public func keepFile(
    at path: String, of attachment: MediaAttachment.ID, for key: Key
  ) throws(Failure) -> String {
    guard keeping == .onDisk else { throw .notKept }
    let draftFolder = self.path(of: key)
    let name = Self.fileName(of: attachment)
    try withLock(.shared) { () throws(Failure) in
      try DraftFolders.makeDraft(draftFolder)
      try DraftFiles.copy(path, to: name, in: draftFolder)
    }
    return "\(draftFolder)/\(name)"
  }

  /// The path of the copy that was stored for an attachment; nil if there is none.
  public func file(of attachment: MediaAttachment.ID, for key: Key) -> String? {
    let path = "\(self.path(of: key))/\(Self.fileName(of: attachment))"
    return DraftFiles.exists(path) ? path : nil
  }

  /// Removes the copy that was stored for an attachment. Does nothing if there is none.
  func removeFile(of attachment: MediaAttachment.ID, for key: Key) throws(Failure) {
    let folder = path(of: key)
    try DraftFiles.remove("\(folder)/\(Self.fileName(of: attachment))")
    if try DraftFolders.isFolder(folder) { try DraftFiles.sync(folder) }
  }

  /// Removes abandoned data: drafts last saved before `time` with their files, files that their draft no longer names, and files of interrupted
  /// writes. A draft to which a file was added since is not abandoned. Unreadable drafts are kept, because a newer version may have written them.
  ///
  /// - Parameter time: Seconds since 1970; data written since then is kept.
  /// - Returns: The keys of the removed drafts.
  @discardableResult
  public func sweep(before time: Int) throws(Failure) -> [Key] {
    guard try DraftFolders.isThere(folder) else { return [] }
    // Locked, because a draft must not be removed at the moment when it is saved again.
    return try withLock(.exclusive) { () throws(Failure) in
      var swept: [Key] = []
      for name in try DraftFolders.names(in: folder) where Self.isDigest(name) {
        let draftFolder = "\(folder)/\(name)"
        guard try DraftFolders.isFolder(draftFolder) else { continue }
        if let key = try sweepDraft(in: draftFolder, before: time) { swept.append(key) }
      }
      return swept
    }
  }

  /// - Returns: The key of the draft if it was removed.
  private func sweepDraft(in draftFolder: String, before time: Int) throws(Failure) -> Key? {
    func isOld(_ name: String) -> Bool { DraftFiles.modified("\(draftFolder)/\(name)").map { $0 < time } ?? false }
    let names = try DraftFolders.names(in: draftFolder).filter(Self.isOurs)
    var named: Set<String> = [Self.draftName]
    if names.contains(Self.draftName) {
      guard let envelope = try? envelope(in: draftFolder) else { return nil }
      // A file newer than the draft belongs to one that is about to be saved.
      if names.allSatisfy(isOld) {
        try DraftFolders.removeDraft(draftFolder)
        return envelope.key
      }
      named.formUnion(envelope.draft.items.map { Self.fileName(of: $0.id) })
    }
    for name in names where !named.contains(name) && isOld(name) { try DraftFiles.remove("\(draftFolder)/\(name)") }
    // Only an empty folder is removed: one without a draft may hold a file whose draft is not saved yet.
    _ = try? DraftFolders.removeEmpty(draftFolder)
    return nil
  }

  private static func fileName(of attachment: MediaAttachment.ID) -> String {
    "\(filePrefix)\(DraftFiles.digest(attachment.rawValue))"
  }

  /// The access to the folder that an operation needs.
  enum Lock {
    /// Together with other shared users.
    case shared
    /// Without other users.
    case exclusive
  }

  /// Runs a closure while the lock on the folder is held. The system releases the lock of a process that dies.
  func withLock<Result>(
    _ lock: Lock, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try DraftFolders.make(folder)
    let descriptor = try Failure.mapping("lock \(folder)/.lock") { () throws(FileError) in
      try FileSystem.lock(PathBytes("\(folder)/.lock"), isExclusive: lock == .exclusive)
    }
    defer { FileSystem.release(descriptor) }
    return try body()
  }
}

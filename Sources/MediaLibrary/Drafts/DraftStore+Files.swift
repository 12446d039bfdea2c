public import AttachmentPolicy
internal import FileSupport

extension DraftStore {
  /// Keeps a copy of a file with a draft, until that is removed: an image just taken has no other place (R-CHAT-11, R-MYM-8).
  ///
  /// Saved before the draft that names it; ``sweep(before:)`` removes it if that never comes.
  /// - Returns: The path of the copy.
  /// - Throws: ``DraftStoreError/notKept`` where drafts are not kept: nothing is left behind there (R-MAIL-2).
  @discardableResult
  public func keepFile(
    at path: String, of attachment: MediaAttachment.ID, for key: DraftKey
  ) throws(DraftStoreError) -> String {
    guard keeping == .onDisk else { throw .notKept }
    let draftFolder = self.path(of: key)
    let name = Self.fileName(of: attachment)
    try withLock(.shared) { () throws(DraftStoreError) in
      try DraftFolders.makeDraft(draftFolder)
      try DraftFiles.copy(path, to: name, in: draftFolder)
    }
    return "\(draftFolder)/\(name)"
  }

  /// The path of the copy that was kept for an attachment; nil when there is none.
  public func file(of attachment: MediaAttachment.ID, for key: DraftKey) -> String? {
    let path = "\(self.path(of: key))/\(Self.fileName(of: attachment))"
    return DraftFiles.exists(path) ? path : nil
  }

  /// Removes the copy that was kept for an attachment; none there is as good.
  func removeFile(of attachment: MediaAttachment.ID, for key: DraftKey) throws(DraftStoreError) {
    try DraftFiles.remove("\(self.path(of: key))/\(Self.fileName(of: attachment))")
  }

  /// Removes what nobody came back for: drafts last saved before `time` with their files, files that their draft does not name any more, and
  /// what writes that were cut off have left. A draft to which a file was added since is not abandoned. What cannot be read is kept, for a
  /// newer version may have written it.
  ///
  /// - Parameter time: Seconds since 1970; what was written since then stays.
  /// - Returns: The drafts that were removed.
  @discardableResult
  public func sweep(before time: Int) throws(DraftStoreError) -> [DraftKey] {
    guard try DraftFolders.isThere(folder) else { return [] }
    // Nobody saves meanwhile: a draft must not go in the moment in which it is written again.
    return try withLock(.exclusive) { () throws(DraftStoreError) in
      var swept: [DraftKey] = []
      for name in try DraftFolders.names(in: folder) where Self.isDigest(name) {
        let draftFolder = "\(folder)/\(name)"
        guard try DraftFolders.isFolder(draftFolder) else { continue }
        if let key = try sweepDraft(in: draftFolder, before: time) { swept.append(key) }
      }
      return swept
    }
  }

  /// - Returns: The key of the draft if it was removed.
  private func sweepDraft(in draftFolder: String, before time: Int) throws(DraftStoreError) -> DraftKey? {
    func isOld(_ name: String) -> Bool { DraftFiles.modified("\(draftFolder)/\(name)").map { $0 < time } ?? false }
    let names = try DraftFolders.names(in: draftFolder).filter(Self.isOurs)
    var named: Set<String> = [Self.draftName]
    if names.contains(Self.draftName) {
      guard let envelope = try? envelope(in: draftFolder) else { return nil }
      // A file that is newer than the draft belongs to one that is about to be saved.
      if names.allSatisfy(isOld) {
        try DraftFolders.removeDraft(draftFolder)
        return envelope.key
      }
      named.formUnion(envelope.draft.items.map { Self.fileName(of: $0.id) })
    }
    for name in names where !named.contains(name) && isOld(name) { try DraftFiles.remove("\(draftFolder)/\(name)") }
    // Only an empty one goes; a folder without a draft may hold a file whose draft is still to come.
    _ = try? DraftFolders.removeEmpty(draftFolder)
    return nil
  }

  private static func fileName(of attachment: MediaAttachment.ID) -> String {
    "\(filePrefix)\(DraftFiles.digest(attachment.rawValue))"
  }

  /// How much of the folder an operation needs for itself.
  enum Lock {
    /// Others may do the like.
    case shared
    /// Nobody else.
    case exclusive
  }

  /// Does something while no sweep, or nobody at all, is at work in the folder. A process that dies gives its lock back.
  func withLock<Result>(
    _ lock: Lock, _ body: () throws(DraftStoreError) -> Result
  ) throws(DraftStoreError) -> Result {
    try DraftFolders.make(folder)
    let descriptor = try DraftFiles.mapping("lock the drafts") { () throws(FileError) in
      try FileSystem.lock(PathBytes("\(folder)/.lock"), isExclusive: lock == .exclusive)
    }
    defer { FileSystem.release(descriptor) }
    return try body()
  }
}

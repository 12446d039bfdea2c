internal import AttachmentPolicy
internal import FileSupport

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What erasing needs of drafts.
extension DraftStore {
  /// What happened to an attachment.
  enum Drop {
    case dropped
    /// The draft, or the attachment in it, does not exist.
    case notThere
    /// The draft at this path cannot be read.
    case unreadable(path: String)
  }

  /// Removes an attachment from a draft, with its file. No other process saves the draft meanwhile.
  func drop(_ item: MediaAttachment.ID, from key: Key) throws(LibraryError) -> Drop {
    let draftFolder = path(of: key)
    return try mapping { () throws(Failure) in
      guard try DraftFolders.isFolder(draftFolder) else { return .notThere }
      return try withLock(.exclusive) { () throws(Failure) in
        let envelope: Envelope?
        do throws(Failure) { envelope = try self.envelope(in: draftFolder) } catch {
          guard case .unreadable = error else { throw error }
          return .unreadable(path: "\(draftFolder)/\(Self.draftName)")
        }
        guard var draft = envelope?.draft, draft[item] != nil else { return .notThere }
        _ = draft.remove(item, under: AttachmentRules())
        if draft.isEmpty {
          try DraftFolders.removeDraft(draftFolder)
        } else {
          try DraftFiles.write(encoded(draft, for: key, owner: envelope?.owner), to: Self.draftName, in: draftFolder)
          try removeFile(of: item, for: key)
        }
        return .dropped
      }
    }
  }

  /// Calls `body` while no process saves a draft.
  func withoutSaves<Result>(_ body: () throws(LibraryError) -> Result) throws(LibraryError) -> Result {
    var failure: LibraryError?
    let result = try mapping { () throws(Failure) in
      try withLock(.exclusive) { () throws(Failure) -> Result? in
        do throws(LibraryError) { return try body() } catch {
          failure = error
          return nil
        }
      }
    }
    if let failure { throw failure }
    guard let result else {
      throw LibraryError(.system, "The drafts cannot be locked; try again.", path: PathBytes(folder))
    }
    return result
  }

  /// Removes all drafts of an owner, with their files, and what interrupted writes left of drafts. A draft that cannot be read stays: nobody can say whose it is. Call it
  /// where no process saves a draft.
  /// - Returns: The number of drafts.
  func removeAll(of owner: String) throws(LibraryError) -> Int {
    try mapping { () throws(Failure) in
      var count = 0
      for name in try DraftFolders.names(in: folder) where Self.isDigest(name) {
        let draftFolder = "\(folder)/\(name)"
        try DraftFolders.removeInterruptedWrites(in: draftFolder)
        guard isDraft(in: draftFolder, of: owner) else { continue }
        try DraftFolders.eraseDraft(draftFolder)
        count += 1
      }
      return count
    }
  }

  /// Whether an owner has drafts.
  func hasAny(of owner: String) throws(LibraryError) -> Bool {
    try mapping { () throws(Failure) in
      try DraftFolders.names(in: folder).contains { Self.isDigest($0) && isDraft(in: "\(folder)/\($0)", of: owner) }
    }
  }

  private func isDraft(in draftFolder: String, of owner: String) -> Bool {
    guard let known = (try? envelope(in: draftFolder))?.owner else { return false }
    return NameBytes.areEqual(known, owner)
  }

  /// Calls `body` with each draft, in any order.
  /// - Returns: The paths of drafts that cannot be read: written by a newer version, or damaged.
  func eachDraft(_ body: (Key, AttachmentDraft) throws -> Void) throws -> [PathBytes] {
    var unreadable: [PathBytes] = []
    for name in try DraftFolders.names(in: folder) where Self.isDigest(name) {
      do {
        if let envelope = try envelope(in: "\(folder)/\(name)") { try body(envelope.key, envelope.draft) }
      } catch is Failure {
        unreadable.append(PathBytes("\(folder)/\(name)/\(Self.draftName)"))
      }
    }
    return unreadable
  }

  func mapping<Result>(_ body: () throws(Failure) -> Result) throws(LibraryError) -> Result {
    do throws(Failure) { return try body() } catch {
      throw LibraryError(
        .system, "The drafts cannot be changed; check the owner and the permissions of their folder.",
        path: PathBytes(folder),
        detail: "\(error)")
    }
  }
}

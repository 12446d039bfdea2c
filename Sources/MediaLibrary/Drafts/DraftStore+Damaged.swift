internal import AttachmentPolicy
internal import FileSupport

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Drafts that nobody can read: they keep erasing from being complete, so a repair sets them aside.
extension DraftStore {
  /// The files of damaged drafts. A draft of a newer version is not damaged.
  func damaged() throws(LibraryError) -> [PathBytes] {
    try mapping { () throws(Failure) in
      var found: [PathBytes] = []
      for name in try DraftFolders.names(in: folder) where Self.isDigest(name) {
        let path = PathBytes("\(folder)/\(name)/\(Self.draftName)")
        if try isDamaged(path) { found.append(path) }
      }
      return found
    }
  }

  /// Moves a damaged draft with the files of its attachments to `damaged`. No process saves a draft meanwhile.
  /// - Returns: Whether it is gone, or not damaged any more.
  func setAside(_ path: PathBytes, in aside: SetAsideFiles) throws(LibraryError) -> Bool {
    try withoutSaves { () throws(LibraryError) in
      guard try mapping({ () throws(Failure) in try isDamaged(path) }) else { return true }
      // The draft last: a process that dies before leaves a damaged draft for the next repair.
      for name in try StoreFiles.names(in: path.folder)
      where Self.isOurs(String(decoding: name, as: UTF8.self)) && name != path.name {
        try aside.moveDamaged(path.folder.appending(name))
      }
      try aside.moveDamaged(path)
      try mapping { () throws(Failure) in try DraftFolders.removeEmpty(path.folder.description) }
      return true
    }
  }

  private func isDamaged(_ path: PathBytes) throws(Failure) -> Bool {
    do throws(Failure) {
      _ = try envelope(in: path.folder.description)
      return false
    } catch {
      guard case .unreadable = error else { throw error }
      return try !isNewer(path)
    }
  }

  /// Whether a draft states a version above those that this version reads.
  private func isNewer(_ path: PathBytes) throws(Failure) -> Bool {
    struct Versions: Decodable {
      struct Draft: Decodable { var version: Int? }
      var version: Int?
      var draft: Draft?
    }
    guard let bytes = try DraftFiles.read(path.description),
      let versions = try? JSONDecoder().decode(Versions.self, from: Data(bytes))
    else { return false }
    return [versions.version, versions.draft?.version].contains { $0 ?? 0 > AttachmentDraft.version }
  }
}

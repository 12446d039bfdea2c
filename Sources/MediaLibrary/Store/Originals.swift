public import FileSupport

/// Originals that a library owns: a store for each owner, so that what one of them erases is not another's. The name of the folder is a digest,
/// for an owner's name is a stranger's.
struct Originals {
  let folder: PathBytes
  let copy: PathBytes?

  /// The store of an owner; files of nobody have one of their own.
  func store(of owner: String?) -> DirectoryStore {
    let name = DirectoryStore.digest(Array((owner.map { "owner\0\($0)" } ?? "nobody").utf8)).description
    return DirectoryStore(folder: folder.appending(name.utf8))
  }

  /// Whether anything was ever kept in a store, or in its copy.
  func isThere(_ store: DirectoryStore) -> Bool {
    StoreFiles.size(store.folder) != nil || copy(of: store.folder).map { StoreFiles.size($0) != nil } ?? false
  }

  /// Where the copy of a file or a folder of these lies; nil without a copy, or for anything else.
  func copy(of path: PathBytes) -> PathBytes? {
    guard let copy, path.isInside(folder), path != folder else { return nil }
    return copy.appending(path.bytes[(folder.bytes.count + 1)...])
  }

  /// The original whose copy lies at a path; nil for anything else.
  func original(of path: PathBytes) -> PathBytes? {
    guard let copy, path.isInside(copy), path != copy else { return nil }
    return folder.appending(path.bytes[(copy.bytes.count + 1)...])
  }

  /// Removes an original and its copy; one that is not there is as good, and anything else is not touched.
  /// - Returns: The bytes that it had, if it was there.
  func remove(_ path: PathBytes) throws(LibraryError) -> Int? {
    guard path.isInside(folder), path != folder, !path.bytes.contains(0) else { return nil }
    for one in [copy(of: path), path] {
      guard let one else { continue }
      // What a repair set aside goes too: below the folder of the library or of the copy.
      try SetAsideFiles(base: (one == path ? folder : copy ?? folder).folder).eraseDamaged(one)
    }
    if let copy = copy(of: path) { _ = try Self.removeWithFolders(copy) }
    let size = StoreFiles.size(path)
    return try Self.removeWithFolders(path) ? size : nil
  }

  /// Removes what a repair set aside of an owner's store.
  func removeAside(of store: PathBytes) throws(LibraryError) {
    try SetAsideFiles(base: folder.folder).eraseAllDamaged(in: store)
    if let copy, let other = self.copy(of: store) { try SetAsideFiles(base: copy.folder).eraseAllDamaged(in: other) }
  }

  /// - Returns: Whether it was there.
  private static func removeWithFolders(_ path: PathBytes) throws(LibraryError) -> Bool {
    guard try StoreFiles.remove(path) else { return false }
    try StoreFiles.sync(path.folder)
    // The folders of an owner of whom nothing is left; others are not empty.
    _ = try? FileSystem.removeEmptyFolder(path.folder)
    _ = try? FileSystem.removeEmptyFolder(path.folder.folder)
    return true
  }
}

extension Library {
  /// Keeps a copy of a file as an original that the library owns: what is erased with its row (R-MYM-12, R-MYM-24). Written beside, synced and moved to its
  /// place; the same bytes of the same owner are kept once.
  /// - Returns: The stamp of the copy, to be given to the catalogue when it was looked into.
  public func keepOriginal(at path: PathBytes, owner: String?) throws(LibraryError) -> FileStamp {
    guard access == .writing else { throw LibraryError(.readOnly, "The library was opened read-only.") }
    let store = originals.store(of: owner)
    let address = try store.putFile(at: path)
    guard let kept = store.path(of: address), let stamp = FileStamp(at: kept) else {
      throw LibraryError(.system, "The stored original is missing after it was written.", detail: "\(path)")
    }
    if let copy = originals.copy(of: store.folder) { _ = try DirectoryStore(folder: copy).putFile(at: kept) }
    return stamp
  }
}

public import FileSupport

/// Originals that a library owns, in one store per owner, so that erasing those of one owner never affects another. The folder's name is a digest,
/// because an owner's name is untrusted.
struct Originals {
  let folder: PathBytes
  let copy: PathBytes?
  /// Whether the copy can be written; nil without one.
  let presence: CopyAvailability?

  /// The store of an owner; files without an owner have a store of their own.
  func store(of owner: String?) -> DirectoryStore {
    let name = DirectoryStore.digest(Array((owner.map { "owner\0\($0)" } ?? "nobody").utf8)).description
    return DirectoryStore(folder: folder.appending(name.utf8))
  }

  /// Whether a store or its copy was ever written.
  func isThere(_ store: DirectoryStore) -> Bool {
    StoreFiles.size(store.folder) != nil || copy(of: store.folder).map { StoreFiles.size($0) != nil } ?? false
  }

  /// The path of the copy of an original or of a folder of originals; nil without a copy, and for any other path.
  func copy(of path: PathBytes) -> PathBytes? {
    guard let copy, path.isInside(folder), path != folder else { return nil }
    return copy.appending(path.bytes[(folder.bytes.count + 1)...])
  }

  /// Stores an original in the copy, if the copy's disk is there.
  func putCopy(of path: PathBytes, in store: DirectoryStore) throws(LibraryError) {
    guard let copy = copy(of: store.folder), presence?.isThere() == true else { return }
    _ = try DirectoryStore(folder: copy).putFile(at: path)
  }

  /// The original of a copy at a path; nil for any other path.
  func original(of path: PathBytes) -> PathBytes? {
    guard let copy, path.isInside(copy), path != copy else { return nil }
    return folder.appending(path.bytes[(copy.bytes.count + 1)...])
  }

  /// Removes an original and its copy. Does nothing if it is missing, or not an original.
  /// - Returns: Size in bytes of the original, if it existed, and whether its copy existed.
  func remove(_ path: PathBytes) throws(LibraryError) -> (bytes: Int?, hadCopy: Bool) {
    guard path.isInside(folder), path != folder, !path.bytes.contains(0) else { return (nil, false) }
    for one in [copy(of: path), path] {
      guard let one else { continue }
      // Files that a repair set aside below the folder of the library or of the copy are removed too.
      try SetAsideFiles(base: (one == path ? folder : copy ?? folder).folder).eraseDamaged(one)
    }
    var hadCopy = false
    if let copy = copy(of: path) { hadCopy = try Self.removeWithFolders(copy) }
    let size = StoreFiles.size(path)
    return (try Self.removeWithFolders(path) ? size : nil, hadCopy)
  }

  /// Removes the files that a repair set aside from an owner's store.
  func removeAside(of store: PathBytes) throws(LibraryError) {
    try SetAsideFiles(base: folder.folder).eraseAllDamaged(in: store)
    if let copy, let other = self.copy(of: store) { try SetAsideFiles(base: copy.folder).eraseAllDamaged(in: other) }
  }

  /// - Returns: Whether it existed.
  private static func removeWithFolders(_ path: PathBytes) throws(LibraryError) -> Bool {
    guard try StoreFiles.remove(path) else { return false }
    try StoreFiles.sync(path.folder)
    // Removes the folders of an owner without files; others are not empty, so this does nothing.
    _ = try? FileSystem.removeEmptyFolder(path.folder)
    _ = try? FileSystem.removeEmptyFolder(path.folder.folder)
    return true
  }
}

extension Library {
  /// Stores a copy of a file as an original that the library owns, to be erased with its row (R-MYM-12, R-MYM-24). Atomic. Equal files of an owner
  /// are stored once.
  /// - Returns: The stamp of the copy, to be passed to the catalogue after the file was examined.
  public func keepOriginal(at path: PathBytes, owner: String?) throws(LibraryError) -> FileStamp {
    guard access == .writing else {
      throw LibraryError.onlyReading(location.data)
    }
    let store = originals.store(of: owner)
    let address = try store.putFile(at: path)
    guard let kept = store.path(of: address), let stamp = FileStamp(at: kept) else {
      throw LibraryError(
        .system, "The stored original disappeared after it was written; check the disk.", path: path)
    }
    try originals.putCopy(of: kept, in: store)
    return stamp
  }

  /// Makes a file an original that the library owns, as ``keepOriginal(at:owner:)`` does, without copying its bytes where the file system can. The
  /// caller may remove its name afterwards.
  /// - Parameters:
  ///   - path: A synced file that is never written again.
  ///   - digest: The digest of its content, which is not computed again.
  /// - Returns: The stamp of the original.
  package func adoptOriginal(
    at path: PathBytes, digest: ContentDigest, owner: String?
  ) throws(LibraryError) -> FileStamp {
    guard access == .writing else {
      throw LibraryError(.readOnly, "The library is open for reading only; open it for writing.")
    }
    let store = originals.store(of: owner)
    try store.adoptFile(at: path, as: digest)
    guard let kept = store.path(of: digest), let stamp = FileStamp(at: kept) else {
      throw LibraryError(
        .system, "The stored original disappeared after it was written; check the disk.", detail: "\(path)")
    }
    try originals.putCopy(of: kept, in: store)
    return stamp
  }

  /// The path at which the original of an owner with this content is, or would be.
  package func pathOfOriginal(_ digest: ContentDigest, owner: String?) -> PathBytes? {
    originals.store(of: owner).path(of: digest)
  }
}

internal import FileSupport

extension Library {
  /// Copies the originals that the copy lacks into it: they were stored while the library was open without it.
  ///
  /// Of those that the copy has, only the names are compared; ``verify(_:)`` compares the bytes. A damaged original is not copied. Memory is bounded.
  /// - Parameter isStopped: Asked before each original whether to end. Default: no.
  /// - Returns: Number of originals that were copied; 0 if the library is open without a copy.
  /// - Throws: ``LibraryError/Code/noCopy`` if the copy's folder is empty by now: its disk may not be mounted any more.
  @discardableResult
  package func copyMissingOriginals(until isStopped: () -> Bool = { false }) throws(LibraryError) -> Int {
    guard let copy = options.copy else { return 0 }
    guard try LibraryMarker.read(in: copy) != nil else {
      throw LibraryError(
        .noCopy, "The folder of the copy has no library.json any more; check that its disk is mounted.", path: copy)
    }
    var count = 0
    for owner in try originalFolders() {
      let store = DirectoryStore(folder: location.originals.appending(owner))
      var after: ContentDigest?
      while true {
        let page = try database.originalAddresses(in: store, after: after)
        guard let last = page.last else { break }
        for address in page {
          if isStopped() { return count }
          if try copyOriginal(address, in: store) { count += 1 }
        }
        after = last
      }
    }
    return count
  }

  private func copyOriginal(_ address: ContentDigest, in store: DirectoryStore) throws(LibraryError) -> Bool {
    guard let path = store.path(of: address), let copy = originals.copy(of: path), StoreFiles.size(copy) == nil else {
      return false
    }
    // An original that was erased since is not there any more; none is erased before its copy is complete.
    return try database.snapshots.take { () throws(LibraryError) -> Bool in
      guard originals.presence?.isThere() == true else { return false }
      return try restore(copy, from: path)
    }
  }
}

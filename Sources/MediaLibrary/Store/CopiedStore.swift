internal import FileSupport

/// A store with a second one that has the same content.
struct CopiedStore: RenditionStore {
  let main: DirectoryStore
  let copy: DirectoryStore?
  /// Whether the copy can be written; nil without one.
  let presence: CopyAvailability?

  @discardableResult
  func put(_ bytes: [UInt8]) throws(LibraryError) -> ContentDigest {
    // The copy first: everything in the store is then in the copy too.
    if presence?.isThere() == true { _ = try copy?.put(bytes) }
    return try main.put(bytes)
  }

  func read(_ address: ContentDigest) throws(LibraryError) -> [UInt8]? {
    if let bytes = try main.read(address) { return bytes }
    return try copy?.read(address)
  }

  func contains(_ address: ContentDigest) throws(LibraryError) -> Bool { try main.contains(address) }

  func remove(_ address: ContentDigest) throws(LibraryError) {
    for store in [copy, main] {
      guard let store else { continue }
      // Files that a repair set aside are erased too.
      let aside = SetAsideFiles(base: store.folder.folder)
      if let path = store.path(of: address) { try aside.eraseDamaged(path) }
      try aside.orphans.remove(address)
      try store.remove(address)
    }
  }

  func addresses(after: ContentDigest?, limit: Int) throws(LibraryError) -> [ContentDigest] {
    try main.addresses(after: after, limit: limit)
  }

  func path(of address: ContentDigest) -> PathBytes? { main.path(of: address) }
}

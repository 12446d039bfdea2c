internal import FileSupport

/// Folders to which a repair moves files that it takes out of a store: `orphans` for intact renditions that no file uses, `damaged` for bytes that do
/// not match their digest. Next to the store, so that a move is a rename.
struct SetAsideFiles {
  /// The folder that contains the store's folder.
  let base: PathBytes

  /// Renditions that no file uses.
  var orphans: DirectoryStore { DirectoryStore(folder: base.appending("orphans".utf8)) }

  /// Moves a rendition that no file uses.
  func moveOrphan(_ address: ContentDigest, from store: DirectoryStore) throws(LibraryError) {
    guard let from = store.path(of: address), let to = orphans.path(of: address) else { return }
    try move(from, to: to)
  }

  /// Moves a damaged file, under a new number each time. Does nothing if it does not exist.
  func moveDamaged(_ path: PathBytes) throws(LibraryError) {
    guard StoreFiles.size(path) != nil, let folder = damagedFolder(of: path.folder) else { return }
    let name = path.name + Array(".".utf8)
    var number = 1
    while StoreFiles.size(folder.appending(name + Array("\(number)".utf8))) != nil { number += 1 }
    try move(path, to: folder.appending(name + Array("\(number)".utf8)))
  }

  /// Removes everything that was set aside of a file, when it is erased.
  func eraseDamaged(_ path: PathBytes) throws(LibraryError) {
    guard let folder = damagedFolder(of: path.folder) else { return }
    let start = path.name + Array(".".utf8)
    var isRemoved = false
    for name in try StoreFiles.names(in: folder) where name.starts(with: start) {
      if try StoreFiles.remove(folder.appending(name)) { isRemoved = true }
    }
    guard isRemoved else { return }
    try StoreFiles.sync(folder)
    _ = try? FileSystem.removeEmptyFolder(folder)
  }

  /// Removes everything that was set aside of a folder and its subfolders, when its owner is erased.
  func eraseAllDamaged(in folder: PathBytes) throws(LibraryError) {
    guard let aside = damagedFolder(of: folder) else { return }
    for name in try StoreFiles.names(in: aside) {
      let inside = aside.appending(name)
      for file in try StoreFiles.names(in: inside) { try StoreFiles.remove(inside.appending(file)) }
      _ = try? FileSystem.removeEmptyFolder(inside)
    }
    _ = try? FileSystem.removeEmptyFolder(aside)
  }

  private func damagedFolder(of folder: PathBytes) -> PathBytes? {
    guard folder.isInside(base), folder != base else { return nil }
    return base.appending("damaged".utf8).appending(folder.bytes[(base.bytes.count + 1)...])
  }

  private func move(_ from: PathBytes, to: PathBytes) throws(LibraryError) {
    try StoreFiles.makeFolder(to.folder)
    try StoreFiles.move(from, to: to)
    try StoreFiles.sync(to.folder)
    try StoreFiles.sync(from.folder)
  }
}

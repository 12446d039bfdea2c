internal import FileSupport

/// Where a repair moves what it takes out of a store, instead of removing it: `orphans` for whole renditions that no file has, `damaged` for bytes that are
/// not those that belong there. Beside the store, so that moving is renaming.
struct SetAsideFiles {
  /// The folder that holds the folder of the store.
  let base: PathBytes

  /// Renditions that no file has.
  var orphans: DirectoryStore { DirectoryStore(folder: base.appending("orphans".utf8)) }

  /// Moves a rendition that no file has.
  func moveOrphan(_ address: ContentDigest, from store: DirectoryStore) throws(LibraryError) {
    guard let from = store.path(of: address), let to = orphans.path(of: address) else { return }
    try move(from, to: to)
  }

  /// Moves a file that is damaged; none there is as good. Each time it gets another number.
  func moveDamaged(_ path: PathBytes) throws(LibraryError) {
    guard StoreFiles.size(path) != nil, let folder = damagedFolder(of: path.folder) else { return }
    let name = path.name + Array(".".utf8)
    var number = 1
    while StoreFiles.size(folder.appending(name + Array("\(number)".utf8))) != nil { number += 1 }
    try move(path, to: folder.appending(name + Array("\(number)".utf8)))
  }

  /// Removes what was set aside of a file: when it is erased.
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

  /// Removes what was set aside of a folder and of those in it: when its owner is erased.
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

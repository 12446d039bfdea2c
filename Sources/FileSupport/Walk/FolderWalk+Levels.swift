internal import MediaModel

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

// How a walk enters and leaves folders. Few of them are open at a time, so it returns by `..`, or again from the root.
extension FolderWalk {
  /// A folder between the root and the current folder, inclusive.
  struct Level {
    let identity: FileIdentity
    /// Nil when the handle was closed to stay below the limit.
    var handle: FolderHandle?
    var folders = FolderListing()
    var position = 0
    let pathLength: Int
    let ignoreFiles: Int
  }

  /// Descends to a folder without visiting anything on the way.
  mutating func descend(from root: FolderHandle, to below: [UInt8]) {
    pass(root)
    let names = below.split(separator: Self.slash)
    for (number, name) in names.enumerated() {
      if number < names.count - 1 { enterFolder(name, isPassed: true) } else { enterFolder(name) }
      guard levels.count == number + 2 else {
        levels = []
        return
      }
    }
  }

  mutating func enterFolder(_ name: ArraySlice<UInt8>, isPassed: Bool = false) {
    guard filter.takes(name: name), takes(name, isFolder: true) else { return }
    guard let above = levels.last?.handle else { return }
    append(name)
    do throws(FileError) {
      let folder = try above.folder(name)
      if staysOnFileSystem, folder.identity.device != levels.first?.identity.device {
        skipped.otherFileSystems += 1
      } else if filter.closed.contains(folder.identity) {
        skipped.ignored += 1
        skipped.closed += 1
      } else if entered.contains(folder.identity) {
        waiting.append(.problem(Problem(path: path, isFolder: true, failure: .loop)))
      } else if isPassed {
        pass(folder)
      } else {
        enter(folder)
      }
    } catch {
      report(error, isFolder: true)
    }
  }

  /// Descends through the folder at ``path`` to one below it.
  private mutating func pass(_ folder: FolderHandle) {
    push(folder)
    readIgnoreFile(in: folder)
  }

  /// Enters the folder at ``path`` and reads its names.
  mutating func enter(_ folder: FolderHandle) {
    willRead?(path, folder)
    push(folder)
    let listing = FolderListing(folder)
    self.listing = listing
    position = 0
    waiting.append(.entered(Folder(path: path, handle: folder, listing: listing)))
    if let failure = listing.failure { report(failure, isFolder: true) }
    if listing.contains(IgnoreFile.name[...]) { readIgnoreFile(in: folder) }
  }

  private mutating func push(_ folder: FolderHandle) {
    levels.append(
      Level(identity: folder.identity, handle: folder, pathLength: path.count, ignoreFiles: ignoreFiles.count))
    entered.insert(folder.identity)
    // The root stays open: every other folder can be reached from there.
    let closed = levels.count - 1 - Self.maxHandles
    if closed > 0 { levels[closed].handle = nil }
  }

  private mutating func readIgnoreFile(in folder: FolderHandle) {
    do throws(IgnoreFile.Failure) {
      guard let file = try IgnoreFile.read(in: folder) else { return }
      let start = path.count < rootLength ? 0 : path.count + 1 - rootLength
      if !file.isEmpty { ignoreFiles.append((start, file)) }
    } catch {
      let failure = MediaFailure.ignoreFile(error)
      waiting.append(
        .problem(Problem(path: path + [Self.slash] + IgnoreFile.name, isFolder: false, failure: failure)))
    }
  }

  /// Returns to the folder above.
  mutating func leave() {
    let left = levels.removeLast()
    entered.remove(left.identity)
    ignoreFiles.removeSubrange(left.ignoreFiles...)
    guard let last = levels.indices.last, levels[last].handle == nil else { return }
    if let above = left.handle?.parent(), above.identity == levels[last].identity {
      levels[last].handle = above
    } else if let found = foundAgain() {
      levels[last].handle = found
    } else {
      // The folder was moved out of the tree, with those of its folders that were not visited yet.
      path.removeSubrange(levels[last].pathLength...)
      levels[last].position = levels[last].folders.count
      report(FileError(code: ENOENT), isFolder: true)
      levels[last].handle = left.handle
    }
  }

  /// Opens the current folder again from the root; nil if a folder on the way is another one now.
  private func foundAgain() -> FolderHandle? {
    guard var folder = levels.first?.handle else { return nil }
    for (above, level) in zip(levels, levels.dropFirst()) {
      let start = path[above.pathLength - 1] == Self.slash ? above.pathLength : above.pathLength + 1
      guard let next = try? folder.folder(path[start..<level.pathLength]), next.identity == level.identity else {
        return nil
      }
      folder = next
    }
    return folder
  }
}

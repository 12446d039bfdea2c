internal import FileSupport
internal import Glibc
internal import MediaModel

/// Goes through a folder, depth first, in the byte order of the names.
///
/// What is not a regular file is never opened. Links to folders are not followed, so that the walk ends and stays below its root;
/// links to files are, where the file lies below the root too. Holds the names of the folders it is in, not of the tree.
struct DirectoryWalk {
  /// What was passed over, to be told at the end: nothing is lost silently.
  struct LeftOut: Equatable, Sendable {
    /// Pipes, sockets and devices.
    var special = 0
    /// Links to folders, out of the root, or to nothing.
    var links = 0
    /// Times that the output folder was met.
    var outputFolder = 0
  }

  /// A file, or a folder that cannot be read.
  struct Found {
    let path: PathBytes
    /// The folders between root and file.
    let folders: [UInt8]
    var failure: MediaFailure?
  }

  private(set) var leftOut = LeftOut()
  private let root: PathBytes
  private let includesHidden: Bool
  private let excluded: FileIdentity?
  private var levels: [Level] = []
  private var found: Found?
  /// The root's own path without links; found when the first link is met.
  private var realRoot: [UInt8]?

  /// A folder that is being gone through.
  private struct Level {
    let path: PathBytes
    let folders: [UInt8]
    var listing: DirectoryListing
  }

  /// - Parameters:
  ///   - root: A folder. Named by the user, so it is walked even if it is hidden, or a link.
  ///   - excluded: A folder that is passed over: the images we write are no inputs.
  init(root: PathBytes, includesHidden: Bool, excluded: FileIdentity? = nil) {
    self.root = root
    self.includesHidden = includesHidden
    self.excluded = excluded
    enter(root, folders: [], isRoot: true)
  }

  /// The next file, or unreadable folder; nil when all has been seen.
  mutating func next() -> Found? {
    while true {
      if let found {
        self.found = nil
        return found
      }
      guard let last = levels.indices.last else { return nil }
      guard let (name, kind) = levels[last].listing.next() else {
        levels.removeLast()
        continue
      }
      if !includesHidden, name.first == UInt8(ascii: ".") { continue }
      let folders = levels[last].folders
      let path = levels[last].path.appending(name)
      switch kind {
      case .file: return Found(path: path, folders: folders)
      case .folder: enter(path, folders: folders.isEmpty ? Array(name) : folders + [PathBytes.slash] + name)
      case .link where leadsToFileInside(path): return Found(path: path, folders: folders)
      case .link: leftOut.links += 1
      case .special: leftOut.special += 1
      }
    }
  }

  private mutating func enter(_ path: PathBytes, folders: [UInt8], isRoot: Bool = false) {
    switch DirectoryListing.read(path) {
    case .failure(let failure): found = Found(path: path, folders: folders, failure: failure)
    case .success(let listing):
      if !isRoot, let excluded, listing.identity == excluded {
        leftOut.outputFolder += 1
        return
      }
      // What was read before an error is gone through; the error is told first.
      if let failure = listing.failure { found = Found(path: path, folders: folders, failure: failure) }
      levels.append(Level(path: path, folders: folders, listing: listing))
    }
  }

  private mutating func leadsToFileInside(_ link: PathBytes) -> Bool {
    var status = stat()
    guard link.withCString({ stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG,
      let target = Self.realPath(link), let root = realRoot ?? Self.realPath(root)
    else { return false }
    realRoot = root
    return root == [PathBytes.slash] || target.starts(with: root + [PathBytes.slash])
  }

  private static func realPath(_ path: PathBytes) -> [UInt8]? {
    path.withCString { path in
      guard let real = realpath(path, nil) else { return nil }
      defer { free(real) }
      return Array(UnsafeRawBufferPointer(start: real, count: strlen(real)))
    }
  }
}

internal import MediaModel

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Walks a folder: its files in the order of their names' bytes, then its folders, each in the same way.
///
/// Links are followed only as ``FolderWalk/Filter/links`` states. A folder that contains itself through a mount is not
/// entered again, so the walk ends. Memory holds the names of one folder, and the folder names of the levels above it. At
/// most `maxHandles` folders are open. A path may be longer than the system accepts, because each folder is opened from
/// the one above it.
public struct FolderWalk: Sendable {
  /// Number of folders that the walk holds open; handles that a caller keeps are not counted.
  static let maxHandles = 32

  /// Number of entries skipped so far, by reason.
  public internal(set) var skipped = Skipped()

  let filter: Filter
  let staysOnFileSystem: Bool
  let willRead: (@Sendable (_ path: [UInt8], _ folder: FolderHandle) -> Void)?
  var path: [UInt8]
  let rootLength: Int
  var levels: [Level] = []
  var entered: Set<FileIdentity> = []
  var ignoreFiles: [(start: Int, file: IgnoreFile)] = []
  /// The names of the folder that was entered last, while its files are visited.
  var listing: FolderListing?
  var position = 0
  /// The root's path without links; resolved when the first link is followed.
  private var realRoot: PathBytes?
  var waiting: [Event] = []
  private let part: Part

  /// The part of the tree that is walked. Patterns of the folders above it apply too.
  public enum Part: Hashable, Sendable {
    /// The whole tree.
    case all
    /// One folder, by its path from the root without a slash at either end, alone or with all its descendants.
    case folder([UInt8], isDeep: Bool)
  }

  /// - Parameters:
  ///   - root: A folder. Walked even if it is hidden or a link, because a person named it.
  ///   - filter: The entries to visit below the root.
  ///   - part: The part of the tree to visit.
  ///   - staysOnFileSystem: Whether folders on which another file system is mounted are skipped.
  public init(
    root: PathBytes, part: Part = .all, filter: Filter = Filter(), staysOnFileSystem: Bool = false
  ) {
    self.init(root: root.bytes, part: part, filter: filter, staysOnFileSystem: staysOnFileSystem)
  }

  /// The same walk, with a callback.
  /// - Parameter willRead: Called with each folder before its names are read. A watch that starts there misses no change.
  package init(
    root: [UInt8], part: Part = .all, filter: Filter = Filter(), staysOnFileSystem: Bool = false,
    willRead: (@Sendable (_ path: [UInt8], _ folder: FolderHandle) -> Void)? = nil
  ) {
    self.part = part
    self.filter = filter
    self.staysOnFileSystem = staysOnFileSystem
    self.willRead = willRead
    path = root
    while path.count > 1, path.last == Self.slash { path.removeLast() }
    rootLength = path.last == Self.slash ? path.count : path.count + 1
    do throws(FileError) {
      let folder = try FolderHandle.open(path)
      if case .folder(let below, _) = part, !below.isEmpty { descend(from: folder, to: below) } else { enter(folder) }
    } catch {
      report(error, isFolder: true)
    }
  }

  /// The next event; nil at the end.
  public mutating func next() -> Event? {
    while true {
      if !waiting.isEmpty { return waiting.removeFirst() }
      if let file = nextFile() { return .file(file) }
      if !waiting.isEmpty { continue }
      if let listing, let last = levels.indices.last {
        if part.isDeep { levels[last].folders = listing.folders }
        self.listing = nil
        return .filesEnded
      }
      guard let last = levels.indices.last else { return nil }
      path.removeSubrange(levels[last].pathLength...)
      if levels[last].position < levels[last].folders.count {
        let name = levels[last].folders[levels[last].position].name
        levels[last].position += 1
        enterFolder(name)
      } else {
        leave()
      }
    }
  }

  private mutating func nextFile() -> File? {
    guard let listing, let folder = levels.last?.handle else { return nil }
    while position < listing.count, waiting.isEmpty {
      let index = position
      position += 1
      let (name, kind) = listing[index]
      guard kind != .folder, filter.takes(name: name) else { continue }
      if kind == .special {
        skipped.special += 1
        continue
      }
      if kind == .link {
        if let status = statusBehindLink(index, name, in: folder), takes(name, isFolder: false) {
          return File(name: name, status: status)
        }
        continue
      }
      guard takes(name, isFolder: false) else { continue }
      do throws(FileError) {
        let status = try listing.status(index, in: folder)
        if status.kind == .file { return File(name: name, status: status) }
        // Something else has replaced the file since the folder was read.
        report(FileError(code: ENOENT), name, isFolder: false)
      } catch {
        report(error, name, isFolder: false)
      }
    }
    return nil
  }

  /// The status of the regular file below the root to which a link leads; nil for any other link, which is counted.
  private mutating func statusBehindLink(
    _ index: Int, _ name: ArraySlice<UInt8>, in folder: FolderHandle
  ) -> FileStatus? {
    let length = path.count
    append(name)
    let link = PathBytes(path)
    path.removeSubrange(length...)
    if filter.links == .followedToFiles,
      let status = try? listing?.status(index, in: folder, followsLinks: true), status.kind == .file,
      let target = try? FileSystem.realPath(link), let root = realRoot ?? (try? FileSystem.realPath(root))
    {
      realRoot = root
      if target != root, target.isInside(root) { return status }
    }
    skipped.links += 1
    return nil
  }

  /// The root without trailing slashes.
  private var root: PathBytes { PathBytes(path[..<max(1, rootLength - 1)]) }

  /// The part of a path of this walk below the root, without a slash at either end; empty for the root.
  package func pathFromRoot(_ path: [UInt8]) -> [UInt8] { Array(path.dropFirst(rootLength)) }

  /// Whether the patterns accept a name in the folder at ``path``.
  mutating func takes(_ name: ArraySlice<UInt8>, isFolder: Bool) -> Bool {
    guard !ignoreFiles.isEmpty || !filter.excluding.isEmpty || !isFolder && !filter.including.isEmpty else {
      return true
    }
    let length = path.count
    append(name)
    defer { path.removeSubrange(length...) }
    let isTaken = filter.takes(path[rootLength...], isFolder: isFolder, files: ignoreFiles)
    if !isTaken { skipped.ignored += 1 }
    return isTaken
  }

  mutating func append(_ name: ArraySlice<UInt8>) {
    if path.last != Self.slash { path.append(Self.slash) }
    path += name
  }

  /// Reports a problem with the folder at ``path``, or with a name in it.
  mutating func report(_ error: FileError, _ name: ArraySlice<UInt8>? = nil, isFolder: Bool) {
    let length = path.count
    if let name { append(name) }
    let failure = isFolder ? MediaFailure.readingFolder(error) : .opening(error, followsLinks: false)
    waiting.append(.problem(Problem(path: path, isFolder: isFolder, failure: failure)))
    path.removeSubrange(length...)
  }

  static let slash = UInt8(ascii: "/")
}

extension FolderWalk.Part {
  fileprivate var isDeep: Bool {
    if case .folder(_, let isDeep) = self { isDeep } else { true }
  }
}

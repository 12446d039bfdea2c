public import MediaModel

extension FolderWalk {
  /// What a walk reports, one at a time and in the order of the walk.
  public enum Event: Sendable {
    /// A folder was entered. Its files follow in the order of their names' bytes, then its folders.
    case entered(Folder)
    /// A file in the folder that was entered last.
    case file(File)
    /// The folder that was entered last has no more files.
    case filesEnded
    /// A file or folder that cannot be read. The walk continues.
    case problem(Problem)
  }

  /// A folder that a walk entered.
  public struct Folder: Sendable {
    /// The root as it was given, with the path below it.
    public let path: [UInt8]
    /// The open folder, for the lifetime of this value.
    package let handle: FolderHandle
    let listing: FolderListing

    /// Whether all names were read.
    public var isComplete: Bool { listing.failure == nil }

    /// Whether the folder has a file with this name, matched by the filter or not. False for a folder or a link of that name.
    public func containsFile(_ name: ArraySlice<UInt8>) -> Bool { listing.kind(of: name) == .file }

    /// Whether the folder has a subfolder with this name, matched by the filter or not.
    public func containsFolder(_ name: ArraySlice<UInt8>) -> Bool { listing.kind(of: name) == .folder }

    /// Calls `body` with the name of each subfolder in order, matched by the filter or not.
    public func eachFolder(_ body: (ArraySlice<UInt8>) -> Void) {
      for index in 0..<listing.count where listing[index].kind == .folder { body(listing[index].name) }
    }
  }

  /// A file that a walk found.
  public struct File: Sendable {
    /// The file's name in its folder, as bytes.
    public let name: ArraySlice<UInt8>
    /// The file's status when the walk found it.
    public let status: FileStatus
  }

  /// A file or folder that a walk cannot read.
  public struct Problem: Sendable {
    /// The path of the file or folder.
    public let path: [UInt8]
    /// Whether it is a folder, whose content is then not visited.
    public let isFolder: Bool
    /// The reason; `notFound` if the file vanished after its folder was read.
    public let failure: MediaFailure

    /// A problem with this file or folder.
    public init(path: [UInt8], isFolder: Bool, failure: MediaFailure) {
      (self.path, self.isFolder, self.failure) = (path, isFolder, failure)
    }
  }

  /// Numbers of entries that a walk skipped, by reason.
  public struct Skipped: Hashable, Sendable {
    /// Pipes, sockets and devices.
    public var special = 0
    /// Symbolic links that were not followed.
    public var links = 0
    /// Folders on another file system.
    public var otherFileSystems = 0
    /// Files and folders that a pattern excluded; the content of such a folder is not counted.
    public var ignored = 0
    /// Folders in ``FolderWalk/Filter/closed``; ``ignored`` includes them.
    public var closed = 0

    /// No entries.
    public init() {}

    /// Adds the numbers of another walk.
    public static func += (left: inout Skipped, right: Skipped) {
      left.special += right.special
      left.links += right.links
      left.otherFileSystems += right.otherFileSystems
      left.ignored += right.ignored
      left.closed += right.closed
    }
  }
}

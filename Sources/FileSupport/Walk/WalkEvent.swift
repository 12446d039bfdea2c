public import MediaModel

/// What a walk comes upon.
public enum WalkEvent: Sendable {
  /// A folder, of which the files come next, by the bytes of their names, then those of the folders in it.
  case entered(WalkedFolder)
  /// A file in the folder that was entered last.
  case file(WalkedFile)
  /// There are no more files in the folder that was entered last.
  case filesEnded
  /// Something that cannot be walked or looked at. The walk goes on beside it.
  case problem(WalkProblem)
}

/// A folder on a walk.
public struct WalkedFolder: Sendable {
  /// The root as it was given, and what lies below it.
  public let path: [UInt8]
  /// The folder, for as long as this value lives.
  package let handle: FolderHandle
  let listing: FolderListing

  /// Whether all its names were read.
  public var isComplete: Bool { listing.failure == nil }

  /// Whether there is a file of that name in it, be it taken by the walk or not. A folder or a link that has taken its place is none.
  public func containsFile(_ name: ArraySlice<UInt8>) -> Bool { listing.kind(of: name) == .file }

  /// Whether there is a folder of that name in it, be it taken by the walk or not.
  public func containsFolder(_ name: ArraySlice<UInt8>) -> Bool { listing.kind(of: name) == .folder }

  /// Calls `body` with the name of each folder in it, in their order, taken by the walk or not.
  public func eachFolder(_ body: (ArraySlice<UInt8>) -> Void) {
    for index in 0..<listing.count where listing[index].kind == .folder { body(listing[index].name) }
  }
}

/// A file on a walk.
public struct WalkedFile: Sendable {
  /// Its name in the folder, as bytes.
  public let name: ArraySlice<UInt8>
  /// Its state when the walk came by.
  public let status: FileStatus
}

/// What a walk cannot do.
public struct WalkProblem: Sendable {
  /// Which file or folder.
  public let path: [UInt8]
  /// Whether it is a folder, so that what lies in it is not seen.
  public let isFolder: Bool
  /// Why: `notFound` for what has vanished since its folder was read.
  public let failure: MediaFailure

  /// A problem of that file or folder.
  public init(path: [UInt8], isFolder: Bool, failure: MediaFailure) {
    (self.path, self.isFolder, self.failure) = (path, isFolder, failure)
  }
}

/// What a walk passes over without a word, counted: nothing is lost silently.
public struct PassedOver: Hashable, Sendable {
  /// Pipes, sockets and devices.
  public var special = 0
  /// Symbolic links that were not followed.
  public var links = 0
  /// Folders on another file system.
  public var otherFileSystems = 0
  /// Files and folders that a pattern left out; what lies in such a folder is not counted.
  public var ignored = 0
  /// Folders of ``WalkFilter/closed`` that were met; ``ignored`` has them too.
  public var closed = 0

  /// Nothing so far.
  public init() {}

  /// Adds what another walk has passed over.
  public static func += (left: inout PassedOver, right: PassedOver) {
    left.special += right.special
    left.links += right.links
    left.otherFileSystems += right.otherFileSystems
    left.ignored += right.ignored
    left.closed += right.closed
  }
}

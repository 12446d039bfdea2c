package import MediaModel

/// What a walk comes upon.
package enum WalkEvent: Sendable {
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
package struct WalkedFolder: Sendable {
  /// The root as it was given, and what lies below it.
  package let path: [UInt8]
  /// The folder, for as long as this value lives.
  package let handle: FolderHandle
  let listing: FolderListing

  /// Whether all its names were read.
  package var isComplete: Bool { listing.failure == nil }

  /// Whether there is a file of that name in it, be it taken by the walk or not. A folder or a link that has taken its place is none.
  package func containsFile(_ name: ArraySlice<UInt8>) -> Bool { listing.kind(of: name) == .file }

  /// Whether there is a folder of that name in it, be it taken by the walk or not.
  package func containsFolder(_ name: ArraySlice<UInt8>) -> Bool { listing.kind(of: name) == .folder }

  /// Calls `body` with the name of each folder in it, in their order, taken by the walk or not.
  package func eachFolder(_ body: (ArraySlice<UInt8>) -> Void) {
    for index in 0..<listing.count where listing[index].kind == .folder { body(listing[index].name) }
  }
}

/// A file on a walk.
package struct WalkedFile: Sendable {
  /// Its name in the folder, as bytes.
  package let name: ArraySlice<UInt8>
  /// Its state when the walk came by.
  package let status: FileStatus
}

/// What a walk cannot do.
package struct WalkProblem: Sendable {
  /// Which file or folder.
  package let path: [UInt8]
  /// Whether it is a folder, so that what lies in it is not seen.
  package let isFolder: Bool
  /// Why: `notFound` for what has vanished since its folder was read.
  package let failure: MediaFailure

  /// A problem of that file or folder.
  package init(path: [UInt8], isFolder: Bool, failure: MediaFailure) {
    (self.path, self.isFolder, self.failure) = (path, isFolder, failure)
  }
}

/// What a walk passes over without a word, counted: nothing is lost silently.
package struct PassedOver: Hashable, Sendable {
  /// Pipes, sockets and devices.
  package var special = 0
  /// Symbolic links.
  package var links = 0
  /// Folders on another file system.
  package var otherFileSystems = 0
  /// Files and folders that a pattern left out; what lies in such a folder is not counted.
  package var ignored = 0

  package init() {}

  package static func += (left: inout PassedOver, right: PassedOver) {
    left.special += right.special
    left.links += right.links
    left.otherFileSystems += right.otherFileSystems
    left.ignored += right.ignored
  }
}

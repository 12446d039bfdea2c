package import FileSupport
package import MediaModel

/// A step of a scan, in the order in which steps are taken and recorded.
package enum ScanStep: Sendable {
  /// A file must be examined.
  case examine(ScanTarget)
  /// Files have the stamp that the catalogue has, and need nothing.
  case unchanged(UnchangedFiles)
  /// A file was moved, is back or has vanished: recorded without an examination.
  case note(CatalogueChange, Notice)
  /// A file or folder cannot be read.
  case problem(FolderWalk.Problem)
  /// All steps of a folder were returned. Recorded after them, if all of them succeeded.
  case folderDone(PathBytes, fingerprint: UInt64)
}

/// The result for a file that need not be examined.
package struct Notice: Sendable {
  /// What the scan found.
  package enum Kind: String, Sendable { case moved, linked, returned, vanished }

  package let kind: Kind
  /// The current path; the last one of a vanished file.
  package let path: PathBytes
  /// The previous path of a moved file; the known path of a linked one.
  package var other: PathBytes?
  /// Size in bytes; 0 of a vanished file.
  package var bytes = 0
}

/// How many files in a row are unchanged, with the sum of their sizes.
package struct UnchangedFiles: Sendable {
  package var count = 0
  package var bytes = 0
  /// Their paths; empty if not requested.
  package var paths: [PathBytes] = []

  /// Adds files. The sizes of a few sparse files can exceed the range of an Int.
  mutating func add(_ more: Int = 1, bytes: Int) {
    count += more
    let (sum, isTooLarge) = self.bytes.addingReportingOverflow(bytes)
    self.bytes = isTooLarge ? .max : sum
  }
}

/// A file to examine.
package struct ScanTarget: Sendable {
  /// The reasons to examine a file.
  package enum Reason: String, Sendable {
    /// The catalogue has no such file.
    case new
    /// It is another file than the known one, or was written since.
    case changed
    /// It failed, and is tried again.
    case retried
    /// It is known, but lacks something that is requested.
    case completed
    /// It looks unchanged, and is read again to compare its digest.
    case rechecked
  }

  /// The state in which the walk found it.
  package var stamp: FileStamp
  /// The folder of the file; nil if it must be opened by its path.
  package var folder: FolderHandle?
  package let reason: Reason
  /// What the file already has, if it is unchanged.
  package var recipe = ScanRecipe()
  /// Whether the renditions that it had are made in another way now.
  package var isOutdated = false
  /// Whether only its facts are wanted: it was renamed, and has everything else. There is no event for that.
  package var wantsFactsAlone = false

  /// A file that a walk found.
  package init(stamp: FileStamp, folder: FolderHandle?, reason: Reason, recipe: ScanRecipe = ScanRecipe()) {
    (self.stamp, self.folder, self.reason, self.recipe) = (stamp, folder, reason, recipe)
  }

  /// Opens the file for reading.
  /// - Returns: The descriptor, which the caller closes; -1 with `errno` set.
  package func open() -> CInt {
    if let folder { return folder.openFile(stamp.path.name[...]) }
    guard let above = try? FolderHandle.open(stamp.path.folder.bytes) else { return -1 }
    return above.openFile(stamp.path.name[...])
  }
}

/// The failed files that are tried again although they are unchanged.
package struct RetryRule: Sendable {
  /// Failures with these codes.
  package var codes: Set<MediaFailure.Code> = []
  /// Failures of other engines than this one; nil while the engine is not known.
  package var engine: String?

  package init() {}

  /// Temporary failures: the file may exist or be readable a moment later without any sign of a change.
  package static let passing: Set<MediaFailure.Code> = [
    .notFound, .accessDenied, .unreadable, .cancelled, .busy, .unavailable,
  ]

  func allows(_ known: KnownFile) -> Bool {
    guard let code = known.failure else { return true }
    return codes.contains(code) || Self.passing.contains(code) || engine.map { $0 != known.engine } ?? false
  }
}

package import FileSupport
package import MediaModel

/// What a scan comes to, in the order in which it is to be done and noted.
package enum ScanStep: Sendable {
  /// A file has to be looked into.
  case examine(ScanTarget)
  /// Files are as they were.
  case unchanged(UnchangedFiles)
  /// A file is elsewhere, back or gone: to be noted, with nothing to look into.
  case note(CatalogueChange, Notice)
  /// Something cannot be walked.
  case problem(WalkProblem)
  /// All of a folder has been told. To be noted after it, if all of it could be.
  case folderDone(PathBytes, fingerprint: UInt64)
}

/// What became of a file that is not looked into.
package struct Notice: Sendable {
  /// What happened to it.
  package enum Kind: String, Sendable { case moved, linked, returned, vanished }

  package let kind: Kind
  /// Where it is, or was.
  package let path: PathBytes
  /// Where else it was, or is.
  package var other: PathBytes?
  /// Bytes; 0 for what has vanished.
  package var bytes = 0
}

/// Some files that a scan leaves as they are.
package struct UnchangedFiles: Sendable {
  package var count = 0
  package var bytes = 0
  /// Where they are; none when nobody asked.
  package var paths: [PathBytes] = []

  /// Counts more of them. A few files with holes have more bytes than a number holds.
  mutating func add(_ more: Int = 1, bytes: Int) {
    count += more
    let (sum, isTooLarge) = self.bytes.addingReportingOverflow(bytes)
    self.bytes = isTooLarge ? .max : sum
  }
}

/// A file to look into.
package struct ScanTarget: Sendable {
  /// Why.
  package enum Reason: String, Sendable {
    /// It is not known.
    case new
    /// It is another one than the known, or was written since.
    case changed
    /// It failed, and is tried again.
    case retried
    /// It is known, but not with all that is asked for.
    case completed
  }

  /// What the walk saw of it.
  package var stamp: FileStamp
  /// The folder that it lies in; nil for one that is found by its path again.
  package var folder: FolderHandle?
  package let reason: Reason
  /// What it had before, if it is otherwise unchanged.
  package var recipe = ScanRecipe()

  /// A file that a walk saw.
  package init(stamp: FileStamp, folder: FolderHandle?, reason: Reason, recipe: ScanRecipe = ScanRecipe()) {
    (self.stamp, self.folder, self.reason, self.recipe) = (stamp, folder, reason, recipe)
  }

  /// Opens it for reading.
  /// - Returns: The descriptor, which is the caller's; -1 with `errno`.
  package func open() -> CInt {
    if let folder { return folder.openFile(stamp.path.name[...]) }
    guard let above = try? FolderHandle.open(stamp.path.folder.bytes) else { return -1 }
    return above.openFile(stamp.path.name[...])
  }
}

/// Which of the failed files are tried again although they are as they were.
package struct RetryRule: Sendable {
  /// Those of these codes.
  package var codes: Set<MediaFailure.Code> = []
  /// Those that another engine failed with; nil while it is not known which engine this is.
  package var engine: String?

  package init() {}

  /// What the file cannot help: it may be there, or readable, a moment later, and nothing about it shows that.
  package static let passing: Set<MediaFailure.Code> = [
    .notFound, .accessDenied, .unreadable, .cancelled, .busy, .unavailable,
  ]

  func allows(_ known: KnownFile) -> Bool {
    guard let code = known.failure else { return true }
    return codes.contains(code) || Self.passing.contains(code) || engine.map { $0 != known.engine } ?? false
  }
}

public import FileSupport
internal import MediaLibrary
public import MediaModel

/// An event of a scan.
public enum ScanEvent: Sendable {
  /// What became of a file. Comes when the catalogue has it: whoever reads it can count on that, whatever happens next.
  case file(ScannedFile)
  /// A file or folder that cannot be walked. The scan goes on beside it.
  case problem(ScanProblem)
  /// How far the scan is, now and then (``ScanOptions/progressInterval``).
  case progress(ScanProgress)
  /// All was scanned once, and from here on come the files that change (``ScanOptions/watch``).
  case watching(WatchedFolders)
  /// The end: all that was counted. The last event of every scan that throws nothing.
  /// - isComplete: False for a scan that was stopped before it had seen all; the next one goes on from there.
  case finished(ScanTotals, isComplete: Bool)
}

/// A file or folder that cannot be walked.
public struct ScanProblem: Hashable, Sendable {
  /// Which.
  public var path: PathBytes
  /// Whether it is a folder, so that what lies in it is not seen.
  public var isFolder: Bool
  /// Why.
  public var failure: MediaFailure

  init(_ problem: WalkProblem) {
    (path, isFolder, failure) = (PathBytes(problem.path), problem.isFolder, problem.failure)
  }
}

/// What a watch watches.
public struct WatchedFolders: Hashable, Sendable {
  /// Folders in which changes are seen as they happen.
  public var watched: Int
  /// Folders that cannot be watched, for there are more than the system allows a user. While there are any, all is scanned once a minute.
  public var unwatched: Int
  /// How many the system allows, `fs.inotify.max_user_watches`; nil where it does not say.
  public var limit: Int?
}

public import FileSupport
internal import MediaLibrary
public import MediaModel

extension MediaScan {
  /// What a scan reports while it runs.
  public enum Event: Sendable {
    /// The result for one file. Sent after the catalogue has committed it, so it survives a crash.
    case file(File)
    /// A file or folder that cannot be walked. The scan continues.
    case problem(Problem)
    /// The progress of the scan, every ``MediaScanner/Options/progressInterval``.
    case progress(MediaScan.Progress)
    /// Everything was scanned once; the events of files that change follow (``MediaScanner/Options/watch``).
    case watching(WatchedFolders)
    /// The last event of a scan that throws no error, with its totals.
    /// - isComplete: False if the scan was stopped early; the next one continues from there.
    case finished(MediaScan.Totals, isComplete: Bool)
  }
}

extension MediaScan.Event {
  /// A file or folder that cannot be walked.
  public struct Problem: Hashable, Sendable {
    /// The path of the file or folder.
    public var path: PathBytes
    /// Whether it is a folder, whose content was then not scanned.
    public var isFolder: Bool
    /// Why it cannot be walked, such as missing permission.
    public var failure: MediaFailure

    init(_ problem: FolderWalk.Problem) {
      (path, isFolder, failure) = (PathBytes(problem.path), problem.isFolder, problem.failure)
    }
  }

  /// The folders that a watch observes.
  public struct WatchedFolders: Hashable, Sendable {
    /// Number of folders that are watched: changes in them are scanned as they happen.
    public var watched: Int
    /// Number of folders above the system's limit. While there are any, everything is scanned once a minute.
    public var unwatched: Int
    /// The limit per user, `fs.inotify.max_user_watches`; nil if it cannot be read.
    public var limit: Int?
  }
}

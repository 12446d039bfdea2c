public import FileSupport
public import MediaLibrary
public import MediaModel

extension MediaScan.Event {
  /// The result of a scan for one file.
  public struct File: Sendable {
    /// What the scan found about a file.
    public enum State: String, Sendable, CaseIterable {
      /// A new file; it was examined.
      case new
      /// Another file at a known path, or one written since the last scan; it was examined.
      case changed
      /// A file that had failed; it was examined again.
      case retried
      /// A known file without all renditions or the digest that were requested; it was examined for these.
      case completed
      /// A known file at another path. Its facts and labels stay.
      case moved
      /// Another name or a copy of a known file, with the same facts.
      case linked
      /// A file that had vanished and is back unchanged.
      case returned
      /// An unchanged file (``MediaScanner/Options/reportsUnchanged``).
      case unchanged
      /// A file that no longer exists; or a folder, with all files in it.
      case vanished
    }

    /// The path; of a vanished file, its last path.
    public var path: PathBytes
    /// What the scan found.
    public var state: State
    /// The previous path of a moved file; the known file of which a linked file is a copy.
    public var other: PathBytes?
    /// The file's state before it was read, or as the walk found it; nil of a vanished file.
    public var stamp: FileStamp?
    /// The facts; nil if the file was not examined or could not be opened.
    public var info: MediaInfo?
    /// The SHA-256 of the content, if it was requested.
    public var digest: ContentDigest?
    /// The renditions that were stored.
    public var renditions: [StoredRendition] = []
    /// The placeholder to show until an image is loaded.
    public var placeholder: Placeholder?
    /// Why the file failed in this scan. Facts that were found are present too.
    public var failure: MediaFailure?
    /// Seconds from opening the file to its last image; 0 if it was not examined.
    public var seconds = 0.0

    init(path: PathBytes, state: State) { (self.path, self.state) = (path, state) }

    init(_ outcome: ScanOutcome) {
      (path, state, stamp) = (outcome.stamp.path, outcome.state, outcome.stamp)
      (info, digest, renditions) = (outcome.info, outcome.digest, outcome.renditions)
      (placeholder, failure, seconds) = (outcome.placeholder, outcome.error, outcome.seconds)
      if let same = outcome.same, state == .moved || state == .linked { other = same.stamp.path }
    }

    init(_ notice: Notice, _ change: CatalogueChange) {
      (path, state, other) = (notice.path, State(notice.kind), notice.other)
      switch change {
      case .moved(_, let stamp), .linked(_, let stamp): self.stamp = stamp
      default: break
      }
    }

    /// A file that a dry run would examine.
    init(planned target: ScanTarget) { (path, state, stamp) = (target.stamp.path, State(target.reason), target.stamp) }
  }
}

extension MediaScan.Event.File.State {
  init(_ reason: ScanTarget.Reason) {
    self =
      switch reason {
      case .new: .new
      case .changed: .changed
      case .retried: .retried
      case .completed: .completed
      case .rechecked: .changed
      }
  }

  init(_ kind: Notice.Kind) {
    self =
      switch kind {
      case .moved: .moved
      case .linked: .linked
      case .returned: .returned
      case .vanished: .vanished
      }
  }
}

public import FileSupport
public import MediaLibrary
public import MediaModel

/// What became of one file in a scan.
public struct ScannedFile: Sendable {
  /// What happened to it.
  public enum State: String, Sendable, CaseIterable {
    /// It was not known, and was looked into.
    case new
    /// It is another one than the known, or was written since, and was looked into.
    case changed
    /// It had failed, and was looked into again.
    case retried
    /// It was known, but not with all that is asked for, and was looked into for the rest.
    case completed
    /// It is known, and was elsewhere before. What is known of it stays.
    case moved
    /// It is another name, or a copy, of a known file, and has its facts.
    case linked
    /// It had vanished, and is back as it was.
    case returned
    /// It is as it was (``ScanOptions/reportsUnchanged``).
    case unchanged
    /// It is not there any more; or a folder is not, with all that lay in it.
    case vanished
  }

  /// Where it is; of one that has vanished, where it was.
  public var path: PathBytes
  /// What happened to it.
  public var state: State
  /// Where it was before, of one that was moved; the file that it is another name or a copy of, of one that is linked.
  public var other: PathBytes?
  /// The file as it was before it was read, or as the walk saw it; nil where there was nothing to look at.
  public var stamp: FileStamp?
  /// Its facts. nil of one that was not looked into, or could not be opened.
  public var info: MediaInfo?
  /// The SHA-256 of its bytes, when it was asked for.
  public var digest: ContentDigest?
  /// What was made and put into the store.
  public var renditions: [StoredRendition] = []
  /// What to show before an image has arrived.
  public var placeholder: Placeholder?
  /// Why it failed this time. Whatever facts were found stand beside it.
  public var failure: MediaFailure?
  /// From its opening to the last of its images; 0 of one that was not looked into.
  public var seconds = 0.0

  init(path: PathBytes, state: State) { (self.path, self.state) = (path, state) }

  init(_ outcome: ScanOutcome) {
    (path, state, stamp) = (outcome.stamp.path, outcome.state, outcome.stamp)
    (info, digest, renditions) = (outcome.info, outcome.digest, outcome.renditions)
    (placeholder, failure, seconds) = (outcome.placeholder, outcome.error, outcome.seconds)
    if let same = outcome.same, state != State(outcome.target.reason) { other = same.stamp.path }
  }

  init(_ notice: Notice, _ change: CatalogueChange) {
    (path, state, other) = (notice.path, State(notice.kind), notice.other)
    switch change {
    case .moved(_, let stamp), .linked(_, let stamp): self.stamp = stamp
    default: break
    }
  }

  /// A file that would be looked into.
  init(planned target: ScanTarget) { (path, state, stamp) = (target.stamp.path, State(target.reason), target.stamp) }
}

extension ScannedFile.State {
  init(_ reason: ScanTarget.Reason) {
    self =
      switch reason {
      case .new: .new
      case .changed: .changed
      case .retried: .retried
      case .completed: .completed
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

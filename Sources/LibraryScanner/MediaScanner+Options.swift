internal import FileSupport
public import MediaEngine
internal import MediaLibrary
public import MediaModel

extension MediaScanner {
  /// Which files a scan takes, and what it makes of each.
  public struct Options: Sendable {
    // MARK: What is made

    /// Renditions to make and store, by the names of `RenditionRequest.named`. Default none. A file that lacks one of them is completed.
    public var renditions: Set<String> = []
    /// Whether to compute the SHA-256 of each file, by which copies are recognised and not decoded again. Default false.
    public var digest = false
    /// Whether files that look unchanged are read again and compared with the stored digest, which finds changes that left size and time as they
    /// were, and damage. Needs ``digest`` and a library. Default false.
    public var rechecks = false
    /// Codes of failures to try again. Default none. Temporary failures (`accessDenied`, `unreadable` …) and failures of other versions of the
    /// decoders are always tried again.
    public var retry: Set<MediaFailure.Code> = []

    /// Whether to quarantine files that look like a blocked image (`Moderation.blockImages`), unless a moderator has decided about them. Only files of which the scan makes images,
    /// or whose content is known, are compared. Needs a library. Default false.
    public var quarantinesSimilar = false

    // MARK: Which files

    /// Patterns of the files to scan. Default none: all files.
    public var include: [Pattern] = []
    /// Patterns of files and folders to skip, in addition to those of each folder's `.mediaignore`. Default none.
    public var exclude: [Pattern] = []
    /// Whether to scan names that begin with a dot. Default false.
    public var hidden = false
    /// Whether to skip folders on which another file system is mounted. Default false.
    public var staysOnFileSystem = false

    // MARK: How it runs

    /// Whether the newest files come first, by their last write. The 65,536 newest of the files to examine come before all others. Costs one more
    /// walk. Default false.
    public var newestFirst = false
    /// Whether to continue after everything was scanned, and scan folders again when they change. The scan then ends only when it is stopped.
    /// Default false.
    public var watch = false
    /// Whether to report only what would be done, without opening or storing anything. Default false.
    public var isDryRun = false
    /// Whether a scan that has changed the catalogue ends with a snapshot of it in the copy of the library, if that was opened with one. Takes time
    /// and space proportional to the catalogue; the last three snapshots are kept, and earlier ones that hold more. A watch makes one after the first
    /// scan and one at its end. Default true.
    public var backsUp = true
    /// Number of files examined at once. Default nil: the number of workers of the engine.
    public var jobs: Int?
    /// Priority of the scan's jobs in the engine. Default `MediaEngine.Priority.batch`, after jobs for which a person waits.
    public var priority = MediaEngine.Priority.batch

    /// The trust domain of the files: pass the owner of the folders. No worker serves two domains. Default nil: that of the engine,
    /// `MediaEngine.Configuration.domain`.
    public var domain: MediaEngine.TrustDomain?

    // MARK: What is reported

    /// Whether to send an event for each unchanged file. Default false: unchanged files are only counted.
    public var reportsUnchanged = false
    /// Interval of ``MediaScan/Event/progress(_:)``; a slow reader gets only the latest. Default one second; nil for none.
    public var progressInterval: Duration? = .seconds(1)
    /// Whether to count all files ahead in one more walk, so that progress has an end (``MediaScan/Progress/expected``). Default false.
    public var countsAhead = false
    /// Maximum number of events that wait for the reader, at least 1; the scan waits when it is reached. Default 512.
    ///
    /// One transaction has at most half as many changes, and at most this many files are examined ahead. If the reader stops, some four times this
    /// number of files are held in memory.
    public var maxPendingEvents = 512

    /// Called before each step of a scan, for tests.
    package var willTakeStep: (@Sendable () -> Void)?
    /// Called when the scan begins to wait for its reader, for tests. Must return at once.
    package var willWaitForReader: (@Sendable () -> Void)?
    /// Called when the threads of a scan have ended, for tests.
    package var didEnd: (@Sendable () -> Void)?

    /// The default options.
    public init() {}
  }
}

extension MediaScanner.Options {
  /// A pattern of files and folders with the syntax of a `.gitignore` line: `*.jpg`, `/Raw`, `**/cache/`, `!keep.jpg`.
  public struct Pattern: Hashable, Sendable {
    let pattern: FolderWalk.IgnoreFile.Pattern

    /// Parses a line; nil for a comment or an empty line.
    public init?(_ line: String) { self.init(bytes: line.utf8) }

    /// Parses a line of bytes, which need not be UTF-8, because paths need not be.
    public init?(bytes line: some Collection<UInt8>) {
      guard let pattern = FolderWalk.IgnoreFile.Pattern(line: line) else { return nil }
      self.pattern = pattern
    }
  }
}

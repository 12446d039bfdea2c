internal import FileSupport
public import MediaEngine
internal import MediaLibrary
public import MediaModel

/// What a scan makes of each file, and which files it takes.
public struct ScanOptions: Sendable {
  // MARK: What is made

  /// Thumbnails to make and keep, by the names of `RenditionRequest.named`. Default none. A file that lacks one of them is completed.
  public var renditions: Set<String> = []
  /// Whether all of each file is read for its SHA-256: a copy is then known for what it is, and not decoded again. Default false.
  public var digest = false
  /// Failed files that are tried again although nothing shows that they would succeed, by their codes. Default none. What may pass by itself
  /// (`accessDenied`, `unreadable` …), and what other versions of the decoders failed with, is always tried again.
  public var retry: Set<MediaFailure.Code> = []

  // MARK: Which files

  /// Only files that one of these describes. Default none: all files.
  public var include: [ScanPattern] = []
  /// Files and folders that are left out. Default none. The patterns of a `.mediaignore` hold beside these, for its folder and those in it.
  public var exclude: [ScanPattern] = []
  /// Whether names that begin with a dot are taken. Default false.
  public var hidden = false
  /// Whether folders on which another file system is mounted are left out. Default false.
  public var staysOnFileSystem = false

  // MARK: How it runs

  /// Whether the newest files come first, by their last write: the 65,536 newest of those that have to be looked into, then the others in the usual
  /// order. Costs one more walk. Default false.
  public var newestFirst = false
  /// Whether the scan goes on when all is scanned, and keeps the library in step with the folders. It then ends only when it is stopped. Default
  /// false.
  public var watch = false
  /// Whether it only says what it would do: nothing is opened, nothing kept. Default false.
  public var isDryRun = false
  /// Files that are looked into at once. Default nil: as many as the engine works on at once.
  public var jobs: Int?
  /// How its jobs stand beside those of others in the same engine. Default ``MediaEngine/MediaEngine.Priority/batch``: behind what a person waits for.
  public var priority = MediaEngine.Priority.batch

  // MARK: What is told

  /// Whether there is an event for each unchanged file. Default false: they are counted, and a rescan of a million files has no event for each.
  public var reportsUnchanged = false
  /// How often there is a ``ScanEvent/progress(_:)``; a reader who is slower gets the last one. Default one second; nil for never.
  public var progressInterval: Duration? = .seconds(1)
  /// Whether all files are counted ahead by one more walk, so that progress has an end (``ScanProgress/expected``). Default false.
  public var countsAhead = false
  /// Events that are kept and not yet taken, 1…. When there are as many, the scan waits for its reader. Default 512.
  ///
  /// Up to half as many changes are made in one transaction, and as many files as this are looked into ahead. So of a reader who stops, some
  /// four times this number of files are held in memory.
  public var maxPendingEvents = 512

  /// Called before each step of a scan is looked for: for tests.
  package var willTakeStep: (@Sendable () -> Void)?

  /// The defaults.
  public init() {}
}

/// A pattern of files and folders, as a line of `.gitignore`: `*.jpg`, `/Raw`, `**/cache/`, `!keep.jpg`.
public struct ScanPattern: Hashable, Sendable {
  let pattern: IgnorePattern

  /// A pattern; nil when the line describes nothing: a comment or an empty line.
  public init?(_ line: String) { self.init(bytes: line.utf8) }

  /// The same of a line that need not be UTF-8, as paths need not be.
  public init?(bytes line: some Collection<UInt8>) {
    guard let pattern = IgnorePattern(line: line) else { return nil }
    self.pattern = pattern
  }
}

public import FileSupport
internal import MediaLibrary
public import MediaModel

extension MediaScan {
  /// Numbers of files and bytes of a scan, by result. Of fixed size, independent of the number of files.
  public struct Totals: Sendable {
    /// A number of files, and the sum of their sizes.
    public struct Count: Hashable, Sendable {
      /// Number of files.
      public internal(set) var files = 0
      /// Sum of the sizes in bytes; at most `Int.max`.
      public internal(set) var bytes = 0

      package init() {}

      package mutating func add(files more: Int = 1, bytes moreBytes: Int) {
        files += more
        // The sizes of a few sparse files can exceed the range of an Int.
        let (sum, isTooLarge) = bytes.addingReportingOverflow(moreBytes)
        bytes = isTooLarge ? .max : sum
      }
    }

    /// A file that took long to scan.
    public struct SlowFile: Hashable, Sendable {
      /// Where the file was when it was scanned.
      public let path: PathBytes
      /// Seconds from opening the file to its last image.
      public let seconds: Double
    }

    /// Numbers of entries that a walk skipped, by reason.
    public struct Skipped: Hashable, Sendable {
      /// Pipes, sockets and devices.
      public internal(set) var special = 0
      /// Symbolic links.
      public internal(set) var links = 0
      /// Folders on another file system.
      public internal(set) var otherFileSystems = 0
      /// Files and folders that a pattern excluded; the content of such a folder is not counted.
      public internal(set) var ignored = 0
    }

    /// Number of files in ``slow``.
    package static let slowest = 5

    /// All files that were found.
    public private(set) var all = Count()
    /// Files that were opened and examined.
    public private(set) var examined = Count()
    /// All files, by result.
    public private(set) var states: [Event.File.State: Count] = [:]
    /// Examined files, by kind.
    public private(set) var kinds: [MediaKind: Count] = [:]
    /// Files that failed in this scan, by code.
    public private(set) var failures: [MediaFailure.Code: Int] = [:]
    /// The files that took longest, the slowest first.
    public private(set) var slow: [SlowFile] = []

    /// Entries that the walk skipped.
    public private(set) var skipped = Skipped()

    package init() {}

    /// The number of failed files.
    public var failed: Int { failures.values.reduce(0, +) }

    /// The number of files whose rows the scan has changed.
    var changed: Int { states.reduce(0) { $1.key == .unchanged ? $0 : $0 + $1.value.files } }

    package mutating func add(_ outcome: ScanOutcome) {
      let bytes = Int(clamping: outcome.stamp.size)
      all.add(bytes: bytes)
      examined.add(bytes: bytes)
      states[outcome.state, default: Count()].add(bytes: bytes)
      if let info = outcome.info { kinds[info.kind, default: Count()].add(bytes: bytes) }
      if let error = outcome.error { failures[error.code, default: 0] += 1 }
      guard slow.count < Self.slowest || outcome.seconds > slow.last?.seconds ?? 0 else { return }
      slow.append(SlowFile(path: outcome.stamp.path, seconds: outcome.seconds))
      slow.sort { $0.seconds > $1.seconds }
      if slow.count > Self.slowest { slow.removeLast() }
    }

    mutating func add(_ unchanged: UnchangedFiles) {
      all.add(files: unchanged.count, bytes: unchanged.bytes)
      states[.unchanged, default: Count()].add(files: unchanged.count, bytes: unchanged.bytes)
    }

    mutating func add(_ notice: Notice) {
      if notice.kind != .vanished { all.add(bytes: notice.bytes) }
      states[.init(notice.kind), default: Count()].add(bytes: notice.bytes)
    }

    mutating func add(_ problem: FolderWalk.Problem) { failures[problem.failure.code, default: 0] += 1 }

    /// Counts a file that a dry run would examine.
    mutating func add(planned target: ScanTarget) {
      let bytes = Int(clamping: target.stamp.size)
      all.add(bytes: bytes)
      states[.init(target.reason), default: Count()].add(bytes: bytes)
    }

    mutating func add(_ skipped: FolderWalk.Skipped) {
      self.skipped.special += skipped.special
      self.skipped.links += skipped.links
      self.skipped.otherFileSystems += skipped.otherFileSystems
      self.skipped.ignored += skipped.ignored
    }
  }
}

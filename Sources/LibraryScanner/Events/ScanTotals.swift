public import FileSupport
internal import MediaLibrary
public import MediaModel

/// What a scan has seen and done, counted as it goes: of fixed size, however many files there are.
public struct ScanTotals: Sendable {
  /// Files, and their bytes together.
  public struct Count: Hashable, Sendable {
    /// Files.
    public internal(set) var files = 0
    /// Bytes; at most `Int.max`.
    public internal(set) var bytes = 0

    package init() {}

    package mutating func add(files more: Int = 1, bytes moreBytes: Int) {
      files += more
      // A few files with holes have more bytes than a number holds.
      let (sum, isTooLarge) = bytes.addingReportingOverflow(moreBytes)
      bytes = isTooLarge ? .max : sum
    }
  }

  /// A file that took long.
  public struct SlowFile: Hashable, Sendable {
    /// Where it is.
    public let path: PathBytes
    /// From its opening to the last of its images.
    public let seconds: Double
  }

  /// What a walk passes over, counted: nothing is lost silently.
  public struct LeftOut: Hashable, Sendable {
    /// Pipes, sockets and devices.
    public internal(set) var special = 0
    /// Symbolic links.
    public internal(set) var links = 0
    /// Folders on another file system.
    public internal(set) var otherFileSystems = 0
    /// Files and folders that a pattern left out; what lies in such a folder is not counted.
    public internal(set) var ignored = 0
  }

  /// How many slow files are remembered.
  package static let slowest = 5

  /// All files that were seen.
  public private(set) var all = Count()
  /// Those that were looked into.
  public private(set) var examined = Count()
  /// By what became of them.
  public private(set) var states: [ScannedFile.State: Count] = [:]
  /// Those that were looked into, by kind.
  public private(set) var kinds: [MediaKind: Count] = [:]
  /// Those that failed this time, by code.
  public private(set) var failures: [MediaFailure.Code: Int] = [:]
  /// Those that took longest, the slowest first.
  public private(set) var slow: [SlowFile] = []

  /// What was passed over.
  public private(set) var leftOut = LeftOut()

  package init() {}

  /// Failures of all codes.
  public var failed: Int { failures.values.reduce(0, +) }

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

  mutating func add(_ problem: WalkProblem) { failures[problem.failure.code, default: 0] += 1 }

  /// A file that would be looked into.
  mutating func add(planned target: ScanTarget) {
    let bytes = Int(clamping: target.stamp.size)
    all.add(bytes: bytes)
    states[.init(target.reason), default: Count()].add(bytes: bytes)
  }

  mutating func add(_ passedOver: PassedOver) {
    leftOut.special += passedOver.special
    leftOut.links += passedOver.links
    leftOut.otherFileSystems += passedOver.otherFileSystems
    leftOut.ignored += passedOver.ignored
  }
}

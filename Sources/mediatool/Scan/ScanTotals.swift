internal import FileSupport
internal import MediaLibrary
internal import MediaModel

/// What a scan has seen and done, counted as it goes: of fixed size, however many files there are.
struct ScanTotals: Sendable {
  /// Files, and their bytes together.
  struct Count: Sendable {
    var files = 0
    var bytes = 0

    mutating func add(files more: Int = 1, bytes moreBytes: Int) {
      files += more
      // A few files with holes have more bytes than a number holds.
      let (sum, isTooLarge) = bytes.addingReportingOverflow(moreBytes)
      bytes = isTooLarge ? .max : sum
    }
  }

  /// A file that took long.
  struct Slow: Sendable {
    let path: PathBytes
    let seconds: Double
  }

  /// How many slow files are remembered.
  static let slowest = 5

  /// All files that were seen.
  private(set) var all = Count()
  /// Those that were looked into.
  private(set) var examined = Count()
  /// By what became of them, in the words of the JSON.
  private(set) var states: [String: Count] = [:]
  /// Those that were looked into, by kind.
  private(set) var kinds: [MediaKind: Count] = [:]
  /// Those that failed this time, by code.
  private(set) var failures: [MediaFailure.Code: Int] = [:]
  /// Those that took longest, the slowest first.
  private(set) var slow: [Slow] = []

  /// Failures of all codes.
  var failed: Int { failures.values.reduce(0, +) }

  mutating func add(_ outcome: ScanOutcome) {
    let bytes = Int(clamping: outcome.stamp.size)
    all.add(bytes: bytes)
    examined.add(bytes: bytes)
    states[outcome.state, default: Count()].add(bytes: bytes)
    if let info = outcome.info { kinds[info.kind, default: Count()].add(bytes: bytes) }
    if let error = outcome.error { failures[error.code, default: 0] += 1 }
    guard slow.count < Self.slowest || outcome.seconds > slow.last?.seconds ?? 0 else { return }
    slow.append(Slow(path: outcome.stamp.path, seconds: outcome.seconds))
    slow.sort { $0.seconds > $1.seconds }
    if slow.count > Self.slowest { slow.removeLast() }
  }

  mutating func add(_ unchanged: UnchangedFiles) {
    all.add(files: unchanged.count, bytes: unchanged.bytes)
    states["unchanged", default: Count()].add(files: unchanged.count, bytes: unchanged.bytes)
  }

  mutating func add(_ notice: Notice) {
    if notice.kind != .vanished { all.add(bytes: notice.bytes) }
    states[notice.kind.rawValue, default: Count()].add(bytes: notice.bytes)
  }

  mutating func add(_ problem: WalkProblem) { failures[problem.failure.code, default: 0] += 1 }

  /// A file that would be looked into.
  mutating func add(planned target: ScanTarget) {
    let bytes = Int(clamping: target.stamp.size)
    all.add(bytes: bytes)
    states[target.reason.rawValue, default: Count()].add(bytes: bytes)
  }
}

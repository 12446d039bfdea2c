extension Moderation {
  /// What a malware scanner found in a file content.
  public struct Verdict: Hashable, Sendable {
    /// The state of a file content.
    public enum State: String, Sendable, Codable, CaseIterable, NumberedCase {
      /// It is to be scanned.
      case pending
      /// The scanner looked at all of it and found nothing.
      case clean
      /// The scanner found malware. Every file with the content is quarantined.
      case infected
      /// The scanner did not look at all of it. A moderator may accept it (``Verdict/isAccepted``).
      case unscannable

      /// The number in the catalogue; never changes.
      var number: Int64 {
        switch self {
        case .pending: 0
        case .clean: 1
        case .infected: 2
        case .unscannable: 3
        }
      }
    }

    /// The SHA-256 of what was scanned: the verdict holds for all files that have it.
    public var content: ContentDigest
    /// What the scanner found in the content.
    public var state: State
    /// The name of the malware, or why the content is unscannable; nil in other states.
    public var detail: String?
    /// The scanner with its version; nil if it did not answer.
    public var engine: String?
    /// The version of its signatures; nil if it has none.
    public var signatures: Int?
    /// When the state was set, in seconds since 1970.
    public var time: Int
    /// When it is to be scanned again, in seconds since 1970; nil if only newer signatures are a reason.
    public var due: Int?
    /// Number of scans without a result since the last one that had one.
    public var attempts: Int
    /// Whether a moderator accepted the content because no scanner could look at it (``Moderation/accept(_:reason:by:at:)``).
    public internal(set) var isAccepted = false

    /// Whether it lets others see the content where they see only what is clean.
    public var isClean: Bool { state == .clean || state == .unscannable && isAccepted }

    /// A verdict. ``Moderation/record(_:at:)`` sets ``attempts``, keeps ``isAccepted`` and, for scans without a result, ``due``.
    public init(
      _ content: ContentDigest, _ state: State, detail: String? = nil, engine: String? = nil, signatures: Int? = nil,
      at time: Int, due: Int? = nil
    ) {
      (self.content, self.state, self.detail) = (content, state, detail)
      (self.engine, self.signatures, self.time, self.due, attempts) = (engine, signatures, time, due, 0)
    }

    /// The time after so many scans without a result until the next one, in seconds: a minute, then twice as long each time, at most a day.
    static func pause(after attempts: Int) -> Int { min(longestPause, 60 << min(max(attempts - 1, 0), 11)) }

    /// Seconds until the next scan, at most.
    static let longestPause = 86_400
  }

  /// A file content to scan, with a file that has it.
  public struct Candidate: Hashable, Sendable {
    /// The SHA-256 of what is to be scanned.
    public var content: ContentDigest
    /// One of the files that have this content.
    public var file: FileID
    /// The file's state on disk when it was examined: a file that has changed since has another content.
    public var stamp: FileStamp
  }

  /// A page of file contents to scan.
  public struct CandidatePage: Hashable, Sendable {
    /// The file contents.
    public var candidates: [Candidate] = []
    /// Number of file contents whose rows are damaged: they are not in ``candidates``. ``Library/repair(_:)`` repairs them.
    public var damaged = 0
    /// The content after which the next page begins; nil on the last page.
    public var next: ContentDigest?
  }

  // MARK: Verdicts

  /// The verdict of a file content; nil if no scanner was asked.
  public func verdict(of content: ContentDigest) throws(LibraryError) -> Verdict? { try database.verdict(of: content) }

  /// Records a verdict. A file content in which malware is found is quarantined with all its files; one in which none is found any more is shown again.
  ///
  /// A scan without a result (`unscannable` for `scannerError` or `timedOut`) is due again after a minute, then after twice as long each time, up to a day, unless the
  /// verdict has a ``Verdict/due`` of its own. It changes no verdict of an earlier scan that had a result: a scanner that is away hides nothing that was clean, and shows
  /// nothing that was infected. An infected content stays infected until a scan that is not
  /// older, with signatures that are not older, finds it clean.
  /// - Parameters:
  ///   - verdict: The verdict. Its time orders verdicts; it may be that of the beginning of the scan.
  ///   - now: The time of recording, in seconds since 1970: moments that are shown again changed at this time. By default, that of the verdict; it is not before that.
  /// - Returns: Whether a file has this content. If not, nothing is recorded: a verdict is erased with the last file.
  @discardableResult
  public func record(_ verdict: Verdict, at now: Int? = nil) throws(LibraryError) -> Bool {
    try database.record(verdict, at: now ?? verdict.time)
  }

  /// File contents that are to be scanned by a time, those that have waited longest first.
  public func due(by time: Int, limit: Int) throws(LibraryError) -> [Candidate] {
    try database.dueScans(by: time, limit: limit)
  }

  /// Number of files whose contents are to be scanned at some time and were not found clean.
  package func waitingFiles() throws(LibraryError) -> Int { try database.waitingFiles() }

  /// File contents without a verdict, or with one that is due or was given with older signatures, in the order of their digests. Reads all file contents after one.
  /// - Parameters:
  ///   - content: The ``CandidatePage/next`` of the page before; nil for the first page.
  ///   - time: What is due by this time is included, and what is due more than a day later: the clock was set back since.
  ///   - signatures: The current version of the signatures; nil if versions do not matter.
  ///   - all: Whether to include file contents whatever their verdict is.
  public func unscanned(
    after content: ContentDigest?, by time: Int, signatures: Int?, all: Bool = false, limit: Int
  ) throws(LibraryError) -> CandidatePage {
    try database.unscanned(after: content, by: time, signatures: signatures, all: all, limit: limit)
  }
}

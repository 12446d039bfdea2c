internal import AttachmentPolicy
internal import Glibc
internal import MediaModel
internal import PhotoTray

/// Finds the newest photos and videos among files (docs/decisions/0031).
///
/// The order is by capture time, which stands inside a file, else by file time. To be exact without reading everything: no file holds a
/// picture that was taken after the file last changed on this disk (`st_ctime`, which nobody can set back). A capture time more than a day
/// later, which allows for time zones, is a camera's wrong clock and does not count. So files are probed in the order of their last change,
/// and once fifty are known none is opened that changed more than a day before the oldest of them was taken.
struct RecentFiles: Sendable {
  /// A file, by what its directory says.
  struct Candidate: Sendable {
    let input: Input
    let identity: FileIdentity
    /// Seconds since 1970 of the last write.
    let modified: Int
    /// Seconds since 1970 of the last change of any kind, never before ``modified``.
    let changed: Int

    /// The file at the input's path, links followed; else the system's error number.
    static func found(_ input: Input) -> Result<Candidate, SystemCallError> {
      var status = stat()
      guard input.path.withCString({ stat($0, &status) }) == 0 else { return .failure(SystemCallError(code: errno)) }
      return .success(
        Candidate(
          // Without what belongs to outputs: there may be a million of them.
          input: Input(path: input.path, content: .file), identity: FileIdentity(status),
          modified: status.st_mtim.tv_sec,
          changed: max(status.st_ctim.tv_sec, status.st_mtim.tv_sec)))
    }

    /// The latest time that can count for it.
    var latest: Int { changed.addingReportingOverflow(RecentFiles.slack).partialValue }

    /// The time that counts: when it was taken, else when it was written.
    func time(of info: MediaInfo) -> Int {
      guard let taken = info.takenAt?.secondsSince1970, taken <= latest else { return modified }
      return taken
    }
  }

  struct SystemCallError: Error { let code: CInt }

  /// A photo or video that was found.
  struct Entry: Sendable {
    let candidate: Candidate
    let info: MediaInfo
    let time: Int

    /// Its name in the tray: the path; of one that is not UTF-8 the bytes are in it too, so that no two are the same.
    let asset: AssetID

    fileprivate init(candidate: Candidate, info: MediaInfo) {
      (self.candidate, self.info) = (candidate, info)
      time = candidate.time(of: info)
      let path = candidate.input.path
      let bytes = path.isUTF8 ? "" : "\0" + path.bytes.map { String($0, radix: 16) }.joined(separator: " ")
      asset = AssetID(path.text + bytes)
    }

    /// The same order as in the tray.
    func precedes(_ other: Entry) -> Bool { (time, asset) > (other.time, other.asset) }
  }

  /// A day: local times of zones lie at most 14 hours ahead of UTC.
  static let slack = 86_400

  /// The candidates, the latest change first.
  private let candidates: [Candidate]

  /// - Parameter candidates: In any order; a file that is reached by two paths counts once.
  init(_ candidates: [Candidate]) {
    var seen: Set<FileIdentity> = []
    self.candidates = candidates.filter { seen.insert($0.identity).inserted }.sorted { $0.changed > $1.changed }
  }

  /// The newest `count`, the newest first.
  func newest(_ count: Int, batch: Batch, engine: FileEngine) throws -> [Entry] {
    let state = Guarded((next: 0, oldest: Int?.none))
    let candidates = candidates
    var newest: [Entry] = []
    try batch.each(
      next: {
        state.withLock { state in
          guard state.next < candidates.count else { return nil }
          let candidate = candidates[state.next]
          if let oldest = state.oldest, candidate.latest < oldest { return nil }
          state.next += 1
          return candidate
        }
      },
      path: \.input.path,
      work: { Self.entry(of: $0, engine: engine) }
    ) { _, entry in
      // Most are older than all of the newest, and seen to be so at once.
      guard let entry, newest.count < count || newest.last.map(entry.precedes) == true else { return }
      let place = newest.firstIndex { entry.precedes($0) } ?? newest.endIndex
      newest.insert(entry, at: place)
      if newest.count > count { newest.removeLast() }
      if newest.count == count, let last = newest.last { state.withLock { [time = last.time] in $0.oldest = time } }
    }
    return newest
  }

  /// What a file is; nil when it is neither a picture nor a video.
  private static func entry(of candidate: Candidate, engine: FileEngine) -> Entry? {
    let info = engine.info(of: candidate.input)
    return info.kind == .image || info.kind == .video ? Entry(candidate: candidate, info: info) : nil
  }
}

internal import AttachmentPolicy
internal import FileSupport
internal import MediaEngine
internal import MediaModel
internal import PhotoTray

/// Finds the newest photos and videos among files (docs/decisions/0031).
///
/// The order is by capture time, which is stored inside a file, or else by file time. Not all files need to be read, because no file contains an
/// image taken after the file's last change on this disk (`st_ctime`, which no program can set back). A capture time more than a day later is a
/// camera's wrong clock, and ignored; the day allows for time zones. So files are probed in the order of their last change. Once fifty are known,
/// files changed more than a day before the oldest of them was taken need not be opened.
struct RecentFiles: Sendable {
  /// A file with its status.
  struct Candidate: Sendable {
    let input: Input
    let identity: FileIdentity
    /// Time of the last write, in seconds since 1970.
    let modified: Int
    /// Time of the last change of any kind in seconds since 1970, never before ``modified``.
    let changed: Int

    /// The latest possible time of the file.
    var latest: Int {
      let (sum, overflow) = changed.addingReportingOverflow(RecentFiles.slack)
      return overflow ? .max : sum
    }

    /// The time that orders the file: the capture time, or else the last write.
    func time(of info: MediaInfo) -> Int {
      guard let taken = info.takenAt?.secondsSince1970, taken <= latest else { return modified }
      return taken
    }
  }

  /// A photo or video that was found.
  struct Entry: Sendable {
    let candidate: Candidate
    var info: MediaInfo
    let time: Int

    /// Its asset id: the path. If that is not UTF-8, the bytes are included, so that all ids differ.
    let asset: AssetID

    init(candidate: Candidate, info: MediaInfo) {
      (self.candidate, self.info) = (candidate, info)
      time = candidate.time(of: info)
      let path = candidate.input.path
      let bytes = path.isUTF8 ? "" : "\0" + path.bytes.map { String($0, radix: 16) }.joined(separator: " ")
      asset = AssetID(path.text + bytes)
    }

    /// Whether it comes before another in the tray.
    func precedes(_ other: Entry) -> Bool { (time, asset) > (other.time, other.asset) }
  }

  /// A day, because time zones are at most 14 hours ahead of UTC.
  static let slack = 86_400

  /// Maximum number of files.
  let count: Int
  /// The newest files so far, in order.
  private(set) var newest: [Entry] = []
  /// Files that were not probed yet, the latest change first.
  private var candidates: ArraySlice<Candidate>

  /// - Parameter candidates: In any order; a file with two paths counts once.
  init(_ candidates: [Candidate], count: Int) {
    self.count = count
    var seen: Set<FileIdentity> = []
    self.candidates =
      candidates.filter { seen.insert($0.identity).inserted }.sorted { $0.changed > $1.changed }[...]
  }

  /// The next file to probe; nil if no other can be among the newest, whatever the pending results are.
  mutating func next() -> Candidate? {
    guard let candidate = candidates.first else { return nil }
    if newest.count == count, let oldest = newest.last, candidate.latest < oldest.time { return nil }
    return candidates.removeFirst()
  }

  /// Records the facts of a probed file. Skips anything but images and videos.
  mutating func note(_ info: MediaInfo, of candidate: Candidate) {
    guard info.kind == .image || info.kind == .video else { return }
    let entry = Entry(candidate: candidate, info: info)
    // Most are older than all of the newest.
    guard newest.count < count || newest.last.map(entry.precedes) == true else { return }
    newest.insert(entry, at: newest.firstIndex { entry.precedes($0) } ?? newest.endIndex)
    if newest.count > count { newest.removeLast() }
  }

  /// The newest of all candidates.
  static func newest(
    _ count: Int, of candidates: [Candidate], batch: Batch, engine: FileEngine
  ) throws -> [Entry] {
    let search = Locked(RecentFiles(candidates, count: count))
    try batch.each(
      next: { search.withLock { $0.next() } }, path: \.input.path,
      work: { candidate throws(Fault) in try engine.info(of: candidate.input) },
      deliver: { candidate, info in search.withLock { $0.note(info, of: candidate) } })
    return search.withLock { $0.newest }
  }
}

extension RecentFiles.Candidate {
  /// The file at the input's path, links followed.
  init(_ input: Input) throws(FileError) {
    let status = try FileStatus(at: input.path)
    self.init(
      // Without the data for outputs, because there may be a million candidates.
      input: Input(path: input.path, content: .file), identity: status.identity,
      modified: FileStatus.seconds(ofNanoseconds: status.modified),
      changed: FileStatus.seconds(ofNanoseconds: max(status.changed, status.modified)))
  }
}

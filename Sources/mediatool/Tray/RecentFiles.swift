internal import AttachmentPolicy
internal import FileSupport
internal import MediaEngine
internal import MediaModel
internal import PhotoTray

/// Finds the newest photos and videos among files (docs/decisions/0031).
///
/// The order is by capture time, which stands inside a file, else by file time. To be exact without reading everything: no file holds a
/// image that was taken after the file last changed on this disk (`st_ctime`, which nobody can set back). A capture time more than a day
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

    /// The latest time that can count for it.
    var latest: Int {
      let (sum, overflow) = changed.addingReportingOverflow(RecentFiles.slack)
      return overflow ? .max : sum
    }

    /// The time that counts: when it was taken, else when it was written.
    func time(of info: MediaInfo) -> Int {
      guard let taken = info.takenAt?.secondsSince1970, taken <= latest else { return modified }
      return taken
    }
  }

  /// A photo or video that was found.
  struct Entry: Sendable {
    let candidate: Candidate
    let info: MediaInfo
    let time: Int

    /// Its name in the tray: the path; of one that is not UTF-8 the bytes are in it too, so that no two are the same.
    let asset: AssetID

    init(candidate: Candidate, info: MediaInfo) {
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

  /// How many are wanted.
  let count: Int
  /// The newest so far, the newest first.
  private(set) var newest: [Entry] = []
  /// Those that were not asked for yet, the latest change first.
  private var candidates: ArraySlice<Candidate>

  /// - Parameter candidates: In any order; a file that is reached by two paths counts once.
  init(_ candidates: [Candidate], count: Int) {
    self.count = count
    var seen: Set<FileIdentity> = []
    self.candidates =
      candidates.filter { seen.insert($0.identity).inserted }.sorted { $0.changed > $1.changed }[...]
  }

  /// The next file to be opened; nil when no other can be among the newest, whatever the answers still to come.
  mutating func next() -> Candidate? {
    guard let candidate = candidates.first else { return nil }
    if newest.count == count, let oldest = newest.last, candidate.latest < oldest.time { return nil }
    return candidates.removeFirst()
  }

  /// What a file is that was asked for. Anything but an image or a video is passed over.
  mutating func note(_ info: MediaInfo, of candidate: Candidate) {
    guard info.kind == .image || info.kind == .video else { return }
    let entry = Entry(candidate: candidate, info: info)
    // Most are older than all of the newest, and seen to be so at once.
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
      // Without what belongs to outputs: there may be a million of them.
      input: Input(path: input.path, content: .file), identity: status.identity,
      modified: FileStatus.seconds(ofNanoseconds: status.modified),
      changed: FileStatus.seconds(ofNanoseconds: max(status.changed, status.modified)))
  }
}

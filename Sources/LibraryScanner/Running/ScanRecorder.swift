internal import FileSupport
internal import Glibc
internal import MediaEngine
internal import MediaLibrary
internal import MediaModel

/// Writes results to the catalogue in batches, and sends each event after its commit.
final class ScanRecorder: Sendable {
  private struct State {
    var totals = MediaScan.Totals()
    var changes: [CatalogueChange] = []
    var events: [MediaScan.Event] = []
    /// Folders with files that the next scan must examine again.
    var unfinished: Set<PathBytes> = []
    /// Files that this scan has found at another path by their content.
    var moved: Set<FileID> = []
    /// The error of the last write on the ticker's thread, thrown by the next call on the scan's.
    var failure: MediaScanner.Failure?
  }

  /// Maximum number of changes in one transaction, and of events sent together.
  let batch: Int
  private let library: Library?
  private let engine: LazyEngine
  private let recipe: ScanRecipe
  private let reportsUnchanged: Bool
  private let quarantinesSimilar: Bool
  private let buffer: EventBuffer
  private let state = Locked(State())

  /// - Parameters:
  ///   - library: nil for a scan without a library.
  ///   - maxPendingEvents: Maximum number of events that wait for the reader.
  ///   - quarantinesSimilar: Whether files that look like a blocked image are quarantined. Default false.
  init(
    library: Library?, engine: LazyEngine, recipe: ScanRecipe, reportsUnchanged: Bool, buffer: EventBuffer,
    maxPendingEvents: Int, quarantinesSimilar: Bool = false
  ) {
    (self.library, self.engine, self.recipe, self.buffer) = (library, engine, recipe, buffer)
    (self.reportsUnchanged, self.quarantinesSimilar) = (reportsUnchanged, quarantinesSimilar)
    batch = max(1, maxPendingEvents / 2)
  }

  /// The totals so far.
  var totals: MediaScan.Totals { state.withLock { $0.totals } }

  /// Starts a pass. The moves of the previous one are in the catalogue now.
  func begin() { state.withLock { $0.moved = [] } }

  /// Records a step, with the outcome if a file was examined.
  func note(_ step: ScanStep, _ outcome: ScanOutcome?) throws(MediaScanner.Failure) {
    try state.withLock { state throws(MediaScanner.Failure) in
      if let failure = state.failure { throw failure }
      switch (step, outcome) {
      case (.examine(let target), nil):
        state.totals.add(planned: target)
        state.events.append(.file(MediaScan.Event.File(planned: target)))
      case (.examine, let outcome?): try note(outcome, in: &state)
      case (.unchanged(let files), _):
        state.totals.add(files)
        for path in files.paths { state.events.append(.file(MediaScan.Event.File(path: path, state: .unchanged))) }
      case (.note(.vanished(let id), _), _) where state.moved.contains(id):
        // The file was already reported as moved from this path.
        break
      case (.note(let change, let notice), _):
        state.totals.add(notice)
        if library != nil { state.changes.append(change) }
        state.events.append(.file(MediaScan.Event.File(notice, change)))
      case (.problem(let problem), _):
        state.totals.add(problem)
        state.events.append(.problem(MediaScan.Event.Problem(problem)))
      case (.folderDone(let path, _), _) where state.unfinished.remove(path) != nil: break
      case (.folderDone(let path, let fingerprint), _):
        if library != nil { state.changes.append(.folderDone(path, fingerprint: fingerprint)) }
      }
      if library == nil || state.changes.count >= batch || state.events.count >= batch {
        try flush(&state)
      }
    }
  }

  /// Records that everything was scanned once, and which folders are watched.
  func note(_ folders: MediaScan.Event.WatchedFolders) throws(MediaScanner.Failure) {
    state.withLock { $0.events.append(.watching(folders)) }
    try flush()
  }

  /// Records the entries that a scan of everything skipped.
  func note(_ skipped: FolderWalk.Skipped) { state.withLock { $0.totals.add(skipped) } }

  /// Commits and sends what is pending. A second thread calls it at intervals, so that nothing waits for a slow file.
  func tick() {
    state.withLock { state in
      guard state.failure == nil else { return }
      do throws(MediaScanner.Failure) { try flush(&state) } catch { state.failure = error }
    }
  }

  /// Commits and sends what is pending.
  func flush() throws(MediaScanner.Failure) {
    try state.withLock { state throws(MediaScanner.Failure) in
      if let failure = state.failure { throw failure }
      try flush(&state)
    }
  }

  private func note(_ outcome: ScanOutcome, in state: inout State) throws(MediaScanner.Failure) {
    var outcome = outcome
    if outcome.target.wantsFactsAlone {
      // The move was reported, and a file that cannot be read now stays what it was.
      guard outcome.error == nil, let info = outcome.info, library != nil else { return }
      state.changes.append(.mismatch(outcome.stamp.path, info.mismatch))
      return
    }
    // Of two copies of a vanished file, the first is the moved file and the second a copy.
    if let same = outcome.same, !same.stamp.isThere { outcome.isMoved = state.moved.insert(same.id).inserted }
    state.totals.add(outcome)
    if !outcome.isFinal { state.unfinished.insert(outcome.stamp.path.folder) }
    let isUnchanged = outcome.state == .unchanged
    if library != nil, !isUnchanged { state.changes += try changes(for: outcome) }
    if !isUnchanged || reportsUnchanged { state.events.append(.file(MediaScan.Event.File(outcome))) }
  }

  private func changes(for outcome: ScanOutcome) throws(MediaScanner.Failure) -> [CatalogueChange] {
    // The file vanished after it was listed. If it was known, the next scan records that.
    if outcome.error?.code == .notFound { return [] }
    if let same = outcome.same, outcome.isKnown {
      guard let digest = outcome.digest else { return [] }
      return [
        .recognized(outcome.stamp, digest, from: outcome.isMoved ? same.id : nil),
        .mismatch(outcome.stamp.path, outcome.info?.mismatch),
      ]
    }
    var move: [CatalogueChange] = []
    if let same = outcome.same, outcome.isMoved, let digest = outcome.digest {
      move = [.recognized(outcome.stamp, digest, from: same.id)]
    }
    let engine = try engine.startedVersion()
    if let failure = outcome.error {
      return move + [.failed(outcome.stamp, failure, info: outcome.info, engine: engine, recipe: recipe.words)]
    }
    // One that lacks its images is completed by the next scan that finds it shown.
    let made = outcome.isHidden ? ScanRecipe(digests: recipe.digests) : recipe
    let result = FileResult(
      info: outcome.info ?? MediaInfo(type: .octetStream, bytes: 0), digest: outcome.digest,
      placeholder: outcome.placeholder, renditions: outcome.renditions, engine: engine,
      recipe: made.union(outcome.target.recipe).words)
    return move + [.done(outcome.stamp, result)]
  }

  /// Quarantines those of the files that look like a blocked image. A moment after they were added: an image that looks alike is no reason to hold a scan.
  private func hideSimilar(_ changes: [CatalogueChange], in library: Library) throws(LibraryError) {
    for change in changes {
      let path: PathBytes
      switch change {
      case .done(let stamp, _), .recognized(let stamp, _, _): path = stamp.path
      default: continue
      }
      guard let file = try library.catalogue.file(at: path) else { continue }
      try library.moderation.quarantineIfSimilar(file, at: Int(time(nil)))
    }
  }

  private func flush(_ state: inout State) throws(MediaScanner.Failure) {
    if let library, !state.changes.isEmpty {
      do throws(LibraryError) {
        try library.scanIndex.apply(state.changes)
        if quarantinesSimilar { try hideSimilar(state.changes, in: library) }
      } catch {
        throw .library(error)
      }
      state.changes.removeAll(keepingCapacity: true)
    }
    guard !state.events.isEmpty else { return }
    // Waits for a slow reader; the scan waits too.
    buffer.send(state.events)
    state.events = []
  }
}

internal import FileSupport
internal import MediaEngine
internal import MediaLibrary
internal import MediaModel

/// Keeps what a scan finds, in batches, and tells each event when what it says is kept: who reads it can count on it, whatever happens next.
final class ScanRecorder: Sendable {
  private struct State {
    var totals = ScanTotals()
    var changes: [CatalogueChange] = []
    var events: [ScanEvent] = []
    /// Folders with files that are to be looked into once more next time.
    var unfinished: Set<PathBytes> = []
    /// Files that were known again by their content in this scan, and are elsewhere now.
    var moved: Set<FileID> = []
    /// Why the last write of another thread than the scan's failed.
    var failure: ScanError?
  }

  /// Changes in one transaction, and events that are told together, at most.
  let batch: Int
  private let library: Library?
  private let engine: LazyEngine
  private let recipe: ScanRecipe
  private let buffer: EventBuffer
  private let state = Locked(State())

  /// - Parameters:
  ///   - library: nil for a scan that keeps nothing.
  ///   - maxPendingEvents: Events that wait for the reader, at most.
  init(library: Library?, engine: LazyEngine, recipe: ScanRecipe, buffer: EventBuffer, maxPendingEvents: Int) {
    (self.library, self.engine, self.recipe, self.buffer) = (library, engine, recipe, buffer)
    batch = max(1, maxPendingEvents / 2)
  }

  /// What was done so far.
  var totals: ScanTotals { state.withLock { $0.totals } }

  /// A scan begins: what the one before knew of files that were elsewhere is in the catalogue now.
  func begin() { state.withLock { $0.moved = [] } }

  /// Notes a step, with what came of it where there was something to look into.
  func note(_ step: ScanStep, _ outcome: ScanOutcome?) throws(ScanError) {
    try state.withLock { state throws(ScanError) in
      if let failure = state.failure { throw failure }
      switch (step, outcome) {
      case (.examine(let target), nil):
        state.totals.add(planned: target)
        state.events.append(.file(ScannedFile(planned: target)))
      case (.examine, let outcome?): try note(outcome, in: &state)
      case (.unchanged(let files), _):
        state.totals.add(files)
        for path in files.paths { state.events.append(.file(ScannedFile(path: path, state: .unchanged))) }
      case (.note(.vanished(let id), _), _) where state.moved.contains(id):
        // From where it was it has gone, and that was said.
        break
      case (.note(let change, let notice), _):
        state.totals.add(notice)
        if library != nil { state.changes.append(change) }
        state.events.append(.file(ScannedFile(notice, change)))
      case (.problem(let problem), _):
        state.totals.add(problem)
        state.events.append(.problem(ScanProblem(problem)))
      case (.folderDone(let path, _), _) where state.unfinished.remove(path) != nil: break
      case (.folderDone(let path, let fingerprint), _):
        if library != nil { state.changes.append(.folderDone(path, fingerprint: fingerprint)) }
      }
      if library == nil || state.changes.count >= batch || state.events.count >= batch {
        try flush(&state)
      }
    }
  }

  /// All was scanned once, and these folders are watched from here on.
  func note(_ folders: WatchedFolders) throws(ScanError) {
    state.withLock { $0.events.append(.watching(folders)) }
    try flush()
  }

  /// What was passed over by a scan of everything.
  func note(_ passedOver: PassedOver) { state.withLock { $0.totals.add(passedOver) } }

  /// Keeps and tells what there is. Called now and then by another thread, so that nothing waits for a slow file.
  func tick() {
    state.withLock { state in
      guard state.failure == nil else { return }
      do throws(ScanError) { try flush(&state) } catch { state.failure = error }
    }
  }

  /// Keeps and tells what there is.
  func flush() throws(ScanError) {
    try state.withLock { state throws(ScanError) in
      if let failure = state.failure { throw failure }
      try flush(&state)
    }
  }

  private func note(_ outcome: ScanOutcome, in state: inout State) throws(ScanError) {
    var outcome = outcome
    // Of two copies of a file that has gone one is the file, and the other a copy.
    if let same = outcome.same, !same.stamp.isThere { outcome.isMoved = state.moved.insert(same.id).inserted }
    state.totals.add(outcome)
    if !outcome.isFinal { state.unfinished.insert(outcome.stamp.path.folder) }
    if library != nil { state.changes += try changes(for: outcome) }
    state.events.append(.file(ScannedFile(outcome)))
  }

  private func changes(for outcome: ScanOutcome) throws(ScanError) -> [CatalogueChange] {
    // It went away after it was listed: the next scan notes that, should it be known.
    if outcome.error?.code == .notFound { return [] }
    if let same = outcome.same, outcome.isKnown {
      return outcome.digest.map { [.recognized(outcome.stamp, $0, from: outcome.isMoved ? same.id : nil)] } ?? []
    }
    var move: [CatalogueChange] = []
    if let same = outcome.same, outcome.isMoved, let digest = outcome.digest {
      move = [.recognized(outcome.stamp, digest, from: same.id)]
    }
    let engine = try engine.startedVersion()
    if let failure = outcome.error {
      return move + [.failed(outcome.stamp, failure, info: outcome.info, engine: engine, recipe: recipe.words)]
    }
    let result = FileResult(
      info: outcome.info ?? MediaInfo(type: .octetStream, bytes: 0), digest: outcome.digest,
      placeholder: outcome.placeholder, renditions: outcome.renditions, engine: engine,
      recipe: recipe.union(outcome.target.recipe).words)
    return move + [.done(outcome.stamp, result)]
  }

  private func flush(_ state: inout State) throws(ScanError) {
    if let library, !state.changes.isEmpty {
      do throws(LibraryError) { try library.scanIndex.apply(state.changes) } catch { throw .library(error) }
      state.changes.removeAll(keepingCapacity: true)
    }
    guard !state.events.isEmpty else { return }
    // Waits for a slow reader, and with it the scan.
    buffer.send(state.events)
    state.events = []
  }
}

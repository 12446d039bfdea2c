internal import FileSupport
internal import Foundation
internal import MediaEngine
internal import MediaLibrary
internal import MediaModel

/// Keeps what a scan finds, in batches, and says each line when what it tells is kept: who reads a line can count on it, whatever happens next.
final class ScanRecorder: Sendable {
  private struct State {
    var totals = ScanTotals()
    var changes: [CatalogueChange] = []
    var lines: [String] = []
    /// Folders with files that are to be looked into once more next time.
    var unfinished: Set<PathBytes> = []
    /// Files that were known again by their content in this scan, and are elsewhere now.
    var moved: Set<FileID> = []
    /// Why the last write of another thread than the scan's failed.
    var failure: (any Error)?
  }

  /// Changes in one transaction.
  static let batch = 256

  private let library: Library?
  private let engine: LazyEngine
  private let recipe: ScanRecipe
  /// Whether lines are wanted.
  private let tells: Bool
  private let progress: ScanProgress
  private let writer = ResultWriter()
  private let state = Locked(State())

  init(library: Library?, engine: LazyEngine, recipe: ScanRecipe, tells: Bool, progress: ScanProgress) {
    (self.library, self.engine, self.recipe, self.tells) = (library, engine, recipe, tells)
    self.progress = progress
  }

  /// What was done so far.
  var totals: ScanTotals { state.withLock { $0.totals } }

  /// A scan begins: what the one before knew of files that were elsewhere is in the catalogue now.
  func begin() { state.withLock { $0.moved = [] } }

  /// Notes a step, with what came of it where there was something to look into.
  func note(_ step: ScanStep, _ outcome: ScanOutcome?) throws {
    try state.withLock { state in
      if let failure = state.failure { throw failure }
      switch (step, outcome) {
      case (.examine(let target), nil):
        state.totals.add(planned: target)
        if tells { try state.lines.append(JSONLine.text(Self.planned(target))) }
      case (.examine, let outcome?): try note(outcome, in: &state)
      case (.unchanged(let files), _):
        state.totals.add(files)
        if tells { for path in files.paths { try state.lines.append(ScanRecord.unchanged(path)) } }
      case (.note(.vanished(let id), _), _) where state.moved.contains(id):
        // From where it was it has gone, and that was said.
        break
      case (.note(let change, let notice), _):
        state.totals.add(notice)
        if library != nil { state.changes.append(change) }
        if tells { try state.lines.append(JSONLine.text(ScanRecord(notice))) }
      case (.problem(let problem), _):
        state.totals.add(problem)
        if tells {
          try state.lines.append(JSONLine.text(ScanRecord(problem)))
        } else {
          progress.end()
          Diagnostics.say("\(DisplayText.visible(PathBytes(problem.path))): \(problem.failure.message)")
        }
      case (.folderDone(let path, _), _) where state.unfinished.remove(path) != nil: break
      case (.folderDone(let path, let fingerprint), _):
        if library != nil { state.changes.append(.folderDone(path, fingerprint: fingerprint)) }
      }
      progress.update(state.totals)
      if library == nil || state.changes.count >= Self.batch || state.lines.count >= Self.batch {
        try flush(&state)
      }
    }
  }

  /// Writes what there is. Called now and then by another thread, so that nothing waits for a slow file.
  func tick() {
    state.withLock { state in
      guard state.failure == nil else { return }
      do { try flush(&state) } catch { state.failure = error }
    }
  }

  /// Writes what there is.
  func flush() throws {
    try state.withLock { state in
      if let failure = state.failure { throw failure }
      try flush(&state)
    }
  }

  private func note(_ outcome: ScanOutcome, in state: inout State) throws {
    var outcome = outcome
    // Of two copies of a file that has gone one is the file, and the other a copy.
    if let same = outcome.same, !same.stamp.isThere { outcome.isMoved = state.moved.insert(same.id).inserted }
    state.totals.add(outcome)
    if !outcome.isFinal { state.unfinished.insert(outcome.stamp.path.folder) }
    if library != nil { state.changes += try changes(for: outcome) }
    if tells { try state.lines.append(JSONLine.text(ScanRecord(outcome, keeps: library != nil))) }
  }

  private func changes(for outcome: ScanOutcome) throws -> [CatalogueChange] {
    // It went away after it was listed: the next scan notes that, should it be known.
    if outcome.error?.code == .notFound { return [] }
    if let same = outcome.same, outcome.isKnown {
      return outcome.digest.map { [.recognized(outcome.stamp, $0, from: outcome.isMoved ? same.id : nil)] } ?? []
    }
    var move: [CatalogueChange] = []
    if let same = outcome.same, outcome.isMoved, let digest = outcome.digest {
      move = [.recognized(outcome.stamp, digest, from: same.id)]
    }
    let engine = try engine.version()
    if let failure = outcome.error {
      return move + [.failed(outcome.stamp, failure, info: outcome.info, engine: engine, recipe: recipe.words)]
    }
    let result = FileResult(
      info: outcome.info ?? MediaInfo(type: .octetStream, bytes: 0), digest: outcome.digest,
      placeholder: outcome.placeholder, renditions: outcome.renditions, engine: engine,
      recipe: recipe.union(outcome.target.recipe).words)
    return move + [.done(outcome.stamp, result)]
  }

  private func flush(_ state: inout State) throws {
    if let library, !state.changes.isEmpty {
      do throws(LibraryError) { try library.scanIndex.apply(state.changes) } catch { throw error.fault }
      state.changes.removeAll(keepingCapacity: true)
    }
    guard !state.lines.isEmpty else { return }
    try writer.write(lines: state.lines)
    state.lines.removeAll(keepingCapacity: true)
  }

  private static func planned(_ target: ScanTarget) -> ScanRecord {
    var record = ScanRecord(path: target.stamp.path)
    record.state = target.reason.rawValue
    return record
  }
}

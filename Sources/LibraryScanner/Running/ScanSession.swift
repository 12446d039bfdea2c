internal import FileSupport
internal import Foundation
internal import Glibc
internal import MediaEngine
internal import MediaLibrary
internal import MediaModel

/// Runs a scan from its options to its last event, on the scan's thread.
struct ScanSession: Sendable {
  let scan: MediaScan
  let events: EventBuffer
  let stop: StopSignal

  private var options: MediaScanner.Options { scan.options }
  private var library: Library? { scan.scanner.library }

  /// Interval in milliseconds after which pending results are committed, so that nothing waits for a slow file.
  private static let pause = 100

  /// Runs the scan and ends its events.
  func run() {
    defer { options.didEnd?() }
    // The scan's other threads end with it.
    defer { stop.request() }
    do {
      let (totals, isComplete) = try library?.whileScanning { try runToEnd() } ?? runToEnd()
      events.finish(.success(.finished(totals, isComplete: isComplete)))
    } catch {
      events.finish(.failure(MediaScanner.Failure(error)))
    }
  }

  private func runToEnd() throws -> (MediaScan.Totals, isComplete: Bool) {
    try options.check(keeps: library != nil)
    let named = ScanRoots(scan.roots, isAbsolute: library != nil)
    let engine = scan.scanner.engine
    let progress = ProgressReporter(interval: options.progressInterval, buffer: events)
    let recorder = ScanRecorder(
      library: options.isDryRun ? nil : library, engine: engine, recipe: options.recipe,
      reportsUnchanged: options.reportsUnchanged, buffer: events,
      maxPendingEvents: options.maxPendingEvents, quarantinesSimilar: options.quarantinesSimilar)
    let watcher = try options.watch ? makeWatcher() : nil
    var settings = options.settings(library: library)
    if let watcher { settings.willRead = { watcher.add($0, $1) } }
    let examiner = FileExaminer(
      engine: engine, recipe: options.recipe, library: library, domain: options.domain, priority: options.priority)
    let job = ScanJob(
      stop: stop, roots: named.roots, settings: settings, library: library, engine: engine, examiner: examiner,
      recorder: recorder, progress: progress, newestFirst: options.newestFirst, isDry: options.isDryRun,
      jobs: max(1, options.jobs ?? scan.scanner.jobs), willTakeStep: options.willTakeStep)
    for (path, code) in named.missing {
      let failure = MediaFailure(
        .notFound, "The folder does not exist; check its name, and whether its disk is mounted.",
        detail: String(cString: strerror(code)))
      try recorder.note(.problem(FolderWalk.Problem(path: path.bytes, isFolder: true, failure: failure)), nil)
    }
    let ticker = Ticker(milliseconds: Self.pause) {
      recorder.tick()
      progress.tick { recorder.totals }
    }
    defer { ticker.stop() }
    recorder.note(try scanAll(job))
    let isComplete = !stop.isRequested
    var scanned = recorder.totals
    if isComplete { try backUp(isChanged: scanned.changed > 0) }
    if let watcher, isComplete {
      try WatchLoop(job: job, watcher: watcher).run()
      let changed = scanned.changed
      scanned = recorder.totals
      try backUp(isChanged: scanned.changed > changed)
    }
    return (scanned, isComplete)
  }

  /// Writes a snapshot of the catalogue into the copy of the library, and before it the originals that the copy lacks: an app, or a service without a copy,
  /// has stored them.
  private func backUp(isChanged: Bool) throws(LibraryError) {
    guard options.backsUp, !options.isDryRun else { return }
    try library?.copyMissingOriginals { stop.isRequested }
    try library?.backUp(afterScanWithChanges: isChanged)
  }

  /// Scans everything once.
  private func scanAll(_ job: ScanJob) throws -> FolderWalk.Skipped {
    guard let library, !options.isDryRun else {
      countAhead(job)
      return try job.run()
    }
    let time = { Int(Date.now.timeIntervalSince1970) }
    let run = try library.scanIndex.beginScan(of: job.roots, at: time())
    countAhead(job)
    let skipped = try job.run()
    if !stop.isRequested { try library.scanIndex.finishScan(run, at: time()) }
    return skipped
  }

  /// Counts the files on a separate thread, so that progress has an end.
  private func countAhead(_ job: ScanJob) {
    guard options.countsAhead else { return }
    var settings = job.settings
    settings.willRead = nil
    let (roots, stop, progress) = (job.roots, stop, job.progress)
    Thread.detachNewThread { [settings] in
      var count = MediaScan.Totals.Count()
      for root in roots {
        var walk = FolderWalk(
          root: root.bytes, filter: settings.filter, staysOnFileSystem: settings.staysOnFileSystem)
        while !stop.isRequested, let event = walk.next() {
          guard case .file(let file) = event else { continue }
          count.add(bytes: file.status.bytes)
          if count.files % 1_024 == 0 { progress.counted(count, isAll: false) }
        }
      }
      progress.counted(count, isAll: true)
    }
  }

  private func makeWatcher() throws(MediaScanner.Failure) -> FolderWatcher {
    do throws(FolderWatcher.Failure) { return try FolderWatcher() } catch { throw .system(error.message) }
  }
}

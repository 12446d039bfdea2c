internal import FileSupport
internal import MediaEngine
internal import MediaLibrary

/// Keeps a library up to date after a scan: scans folders again once changes in them have settled.
struct WatchLoop {
  let job: ScanJob
  let watcher: FolderWatcher

  /// Maximum delay of the scan of a folder that changes all the time.
  private static let longest = Duration.seconds(2)
  /// Milliseconds without a change after which a burst is over.
  private static let quiet = 200
  /// Time without a write after which an open file counts as complete. A later write makes another scan of it.
  private static let settled = Duration.seconds(2)
  /// Milliseconds between scans of everything while some folders cannot be watched.
  private static let unwatched = 60_000

  /// Runs until a stop is requested.
  func run() throws {
    var waiting = FolderWatcher.Changes()
    var since = ContinuousClock.now
    var busy: [PathBytes: ContinuousClock.Instant] = [:]
    job.progress.enter(.watching)
    try job.recorder.note(
      MediaScan.Event.WatchedFolders(
        watched: watcher.watchedFolders, unwatched: watcher.unwatchedFolders, limit: FolderWatcher.limit))
    while true {
      let isIdle = waiting.isEmpty && busy.isEmpty
      let patience = isIdle ? (watcher.unwatchedFolders > 0 ? Self.unwatched : nil) : Self.quiet
      var new = watcher.changes(within: patience, stop: job.stop.descriptor)
      if job.stop.isRequested { return }
      let now = ContinuousClock.now
      if new.isEmpty, isIdle { new.isOverflow = true }
      if waiting.isEmpty { since = now }
      for path in new.written { busy[path] = now }
      for path in new.closed { busy[path] = nil }
      waiting.formUnion(new)
      if !new.isEmpty, !new.isOverflow, since.duration(to: now) < Self.longest { continue }
      for (path, last) in busy where last.duration(to: now) >= Self.settled {
        busy[path] = nil
        waiting.folders.insert(path.folder)
      }
      guard !waiting.isEmpty else { continue }
      try scan(waiting, busy: Set(busy.keys))
      waiting = FolderWatcher.Changes()
    }
  }

  private func scan(_ changes: FolderWatcher.Changes, busy: Set<PathBytes>) throws {
    var settings = job.settings
    settings.retry = RetryRule()
    settings.isBusy = { busy.contains($0) }
    settings.passesMissing = true
    // Unchanged files are not reported.
    settings.namesUnchanged = false
    guard !changes.isOverflow else {
      _ = try job.run(parts: job.roots.map { ScanSource.Part(root: $0) }, settings: settings)
      return
    }
    let trees = changes.trees.filter { tree in !changes.trees.contains { $0 != tree && tree.isInside($0) } }
    let folders = changes.folders.filter { folder in !trees.contains { folder.isInside($0) } }
    let parts =
      folders.sorted().compactMap { job.part(of: $0, isDeep: false) }
      + trees.sorted().compactMap { job.part(of: $0, isDeep: true) }
    _ = try job.run(parts: parts, settings: settings)
  }
}

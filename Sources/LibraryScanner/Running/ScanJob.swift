internal import FileSupport
internal import MediaEngine
internal import MediaLibrary
internal import MediaModel

/// One pass over all folders, and the passes of a watch over some of them.
struct ScanJob {
  let stop: StopSignal
  let roots: [PathBytes]
  var settings: ScanSource.Settings
  let library: Library?
  let engine: LazyEngine
  let examiner: FileExaminer
  let recorder: ScanRecorder
  let progress: ProgressReporter
  let newestFirst: Bool
  /// Whether it only reports what it would do.
  let isDry: Bool
  /// Number of files examined at once.
  let jobs: Int
  /// Called before each step.
  let willTakeStep: (@Sendable () -> Void)?

  /// Scans everything.
  /// - Returns: The entries that were skipped.
  func run() throws -> FolderWalk.Skipped {
    recorder.begin()
    progress.enter(.scanning)
    // If files failed before, the decoders' version decides whether they are tried again.
    let mayRetry = try library.map { try failedForDecoders($0) } ?? false
    let knownVersion = mayRetry && !isDry ? engine.knownVersion : nil
    if mayRetry, !isDry, knownVersion == nil { engine.prepare() }
    var settings = settings
    if let library { settings.compared = try foldersToRetry(library) }
    var sources = ScanSource(roots.map { ScanSource.Part(root: $0) }, settings: settings, catalogue: library?.scanIndex)
    if newestFirst {
      let newest = try newest(settings)
      try work(newest.map { .examine(ScanTarget(stamp: $0, folder: nil, reason: .new)) })
      if library == nil { sources.omitted = Set(newest) }
    }
    var skipped = try work(&sources)
    if mayRetry, !isDry, !stop.isRequested, let library {
      progress.enter(.retrying)
      skipped += try retryOfAnotherEngine(knownVersion, library, settings)
    }
    return skipped
  }

  /// Scans parts of the folders again, for a watch.
  func run(parts: [ScanSource.Part], settings: ScanSource.Settings) throws -> FolderWalk.Skipped {
    recorder.begin()
    var source = ScanSource(parts, settings: settings, catalogue: library?.scanIndex)
    return try work(&source)
  }

  // MARK: Retries

  /// Whether a file in these folders failed that other decoders might read, and that is not tried again anyway.
  private func failedForDecoders(_ library: Library) throws(MediaScanner.Failure) -> Bool {
    var isFound = false
    try eachFailure(of: nil, in: library) { file in
      guard let code = file.failure?.code, part(of: file.stamp.path.folder) != nil else { return true }
      isFound = !RetryRule.passing.contains(code) && !settings.retry.codes.contains(code)
      return !isFound
    }
    return isFound
  }

  /// The folders with failures of the requested codes.
  private func foldersToRetry(_ library: Library) throws(MediaScanner.Failure) -> Set<PathBytes> {
    var folders: Set<PathBytes> = []
    for code in settings.retry.codes {
      try eachFailure(of: code, in: library) {
        folders.insert($0.stamp.path.folder)
        return true
      }
    }
    return folders
  }

  /// Examines files again that failed with other versions of the decoders.
  /// - Parameter knownVersion: The present version; nil if only the engine knows it.
  private func retryOfAnotherEngine(
    _ knownVersion: String?, _ library: Library, _ settings: ScanSource.Settings
  ) throws -> FolderWalk.Skipped {
    let version = if let knownVersion { knownVersion } else { try engine.startedVersion() }
    var folders: Set<PathBytes> = []
    try eachFailure(of: nil, in: library) {
      if $0.engine != version { folders.insert($0.stamp.path.folder) }
      return true
    }
    let parts = folders.sorted().compactMap(part)
    guard !parts.isEmpty else { return FolderWalk.Skipped() }
    var settings = settings
    settings.retry.engine = version
    settings.compared = folders
    settings.namesUnchanged = false
    return try run(parts: parts, settings: settings)
  }

  /// - Parameter body: Returns whether to continue.
  private func eachFailure(
    of code: MediaFailure.Code?, in library: Library, _ body: (CatalogueFile) -> Bool
  ) throws(MediaScanner.Failure) {
    do throws(LibraryError) {
      var after: CatalogueFile.Cursor?
      repeat {
        let page = try library.catalogue.failures(code: code, after: after, limit: 1_000)
        for file in page.files where !body(file) { return }
        after = page.next
      } while after != nil
    } catch {
      throw .library(error)
    }
  }

  /// A folder as a part of the root that contains it; nil if no root does.
  func part(of folder: PathBytes) -> ScanSource.Part? { part(of: folder, isDeep: false) }

  func part(of folder: PathBytes, isDeep: Bool) -> ScanSource.Part? {
    guard let root = roots.first(where: { folder.isInside($0) }) else { return nil }
    let below = folder.bytes.dropFirst(root.bytes.count).drop { $0 == UInt8(ascii: "/") }
    return ScanSource.Part(root: root, part: .folder(Array(below), isDeep: isDeep))
  }

  // MARK: Working

  private func newest(_ settings: ScanSource.Settings) throws(MediaScanner.Failure) -> [FileStamp] {
    var settings = settings
    settings.namesUnchanged = false
    settings.willRead = nil
    var source = ScanSource(roots.map { ScanSource.Part(root: $0) }, settings: settings, catalogue: library?.scanIndex)
    progress.enter(.ordering)
    defer { progress.enter(.scanning) }
    var newest = NewestFirst()
    do throws(LibraryError) {
      while !stop.isRequested, let step = try source.next() {
        if case .examine(let target) = step, target.stamp.path.bytes.count < 4_000 { newest.insert(target.stamp) }
      }
    } catch {
      throw .library(error)
    }
    return newest.sorted
  }

  private func work(_ source: inout ScanSource) throws -> FolderWalk.Skipped {
    let steps = Locked(source)
    try work {
      do throws(LibraryError) { return try steps.withLock { source throws(LibraryError) in try source.next() } } catch {
        throw MediaScanner.Failure.library(error)
      }
    }
    return steps.withLock { $0.skipped }
  }

  private func work(_ steps: [ScanStep]) throws {
    let rest = Locked(steps[...])
    try work { rest.withLock { $0.popFirst() } }
  }

  private func work(next: @escaping @Sendable () throws -> ScanStep?) throws {
    // A file is stored and synced while the next ones are decoded; the engine limits how many are decoded at once.
    let workers = OrderedWorkers(
      jobs: examiner.recipe.renditions.isEmpty ? jobs : 2 * jobs,
      // Large enough that no worker waits while a batch is written.
      window: 2 * recorder.batch)
    let (examiner, isDry, willTakeStep) = (examiner, isDry, willTakeStep)
    let next = { @Sendable () throws in
      willTakeStep?()
      return try next()
    }
    // Finished files are committed, whatever ended the scan.
    defer { try? recorder.flush() }
    try workers.run(stop: stop, next: next) { step -> Result<ScanOutcome?, MediaScanner.Failure> in
      guard !isDry, case .examine(let target) = step else { return .success(nil) }
      do throws(MediaScanner.Failure) { return .success(try examiner.examine(target)) } catch { return .failure(error) }
    } deliver: { step, result in
      try recorder.note(step, result.get())
    }
    try recorder.flush()
  }
}

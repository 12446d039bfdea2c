internal import ArgumentParser
internal import FileSupport
internal import Foundation
internal import Glibc
internal import MediaEngine
internal import MediaLibrary
internal import MediaModel

/// `mediatool scan`: what is in these folders, kept in a library.
struct Scan: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scan",
    abstract: "Scan folders into a library that can be queried without reading the files.",
    discussion: """
      Stores the metadata of every file in the library (--library, or the user's own), and thumbnails with --renditions. Only new and \
      changed files are decoded; moved and renamed files are recognised. A scan that was interrupted, killed or ran out of disk \
      space continues where it stopped. A file that failed is tried again when it or the decoders change, or with --retry.

      Patterns have the syntax of .gitignore: `*.jpg`, `/Raw`, `**/cache/`, `!keep.jpg`. A .mediaignore file applies to its folder and \
      everything below. Symbolic links are not followed.

      With --json, a line per file is printed as soon as the file is stored. With --json and without --library nothing is stored: the \
      metadata of every file is printed to standard output only.

      EXAMPLES
        mediatool scan ~/Photos
        mediatool scan ~/Photos --renditions grid,message --newest-first
        mediatool scan /srv/media --library /var/lib/media --watch
        mediatool scan /srv/media --json --include "*.mov" |
          jq 'select(.duration > 60)'
        mediatool scan --failures
        mediatool scan ~/Photos --retry timedOut --retry decoderCrashed

      EXIT STATUS
        0    everything was scanned, or --watch was interrupted
        1    some files failed, or some folders cannot be read
        64   the command line is invalid
        70   the library or results cannot be written, no worker can be started,
             or the disk is full
        130  interrupted by Ctrl-C or SIGTERM; the next scan continues
      """)

  @Argument(help: ArgumentHelp("Folders to scan.", valueName: "dir"), completion: .directory)
  var arguments: [PathArguments] = []

  @OptionGroup var libraryOptions: LibraryOptions
  @OptionGroup var second: CopyOptions

  @Option(help: ArgumentHelp("Include only files that match this pattern. Repeatable.", valueName: "pattern"))
  var include: [PatternArgument] = []

  @Option(
    help: ArgumentHelp(
      "Exclude files and folders that match this pattern. Repeatable.", valueName: "pattern"))
  var exclude: [PatternArgument] = []

  @Flag(help: "Include hidden files and folders in walks.")
  var hidden = false

  @Flag(help: "Stay on the file system of each named folder.")
  var oneFileSystem = false

  @Option(
    help: ArgumentHelp(
      "Make and store these thumbnails, separated by commas: \(RenditionRequest.named.map(\.name).joined(separator: ", ")). (default: none)",
      valueName: "names"),
    transform: RenditionNames.parse)
  var renditions: RenditionNames?

  @Flag(help: "Make no thumbnails, overriding --renditions.")
  var noRenditions = false

  @Flag(
    help: "Store the SHA-256 of each file, so that copies are recognised and not decoded again; reads the whole file.")
  var digest = false

  @Flag(help: "Start with the \(NewestFirst.capacity) most recently modified of the files to decode.")
  var newestFirst = false

  @Flag(help: "Print what would be done, and do nothing.")
  var dryRun = false

  @Flag(help: "Keep running after the scan, and update the library when files change.")
  var watch = false

  @Option(help: ArgumentHelp("Try files that failed with this code again. Repeatable.", valueName: "code"))
  var retry: [String] = []

  @Flag(help: "List the files that failed, and scan nothing.")
  var failures = false

  @OptionGroup var running: RunOptions

  /// Whether nothing is kept.
  private var isFilter: Bool { running.json && libraryOptions.library == nil && !failures }

  func validate() throws {
    let folders = arguments.flatMap(\.paths)
    if folders.isEmpty, !failures { throw ValidationError("Missing input: name the folders to scan.") }
    if folders.contains(where: { $0.hasNUL || $0.bytes.isEmpty }) {
      throw ValidationError("A folder name is empty or contains a NUL byte.")
    }
    if failures, !folders.isEmpty {
      throw ValidationError("--failures lists files of the library and cannot be combined with folders.")
    }
    if isFilter {
      let useless = [
        (watch, "--watch"), (dryRun, "--dry-run"), (second.copy != nil, "--copy"), (!retry.isEmpty, "--retry"),
        (renditions != nil, "--renditions"),
      ]
      if let option = useless.first(where: \.0)?.1 {
        throw ValidationError("\(option) needs a library; with --json, name one with --library.")
      }
    }
    if watch, dryRun { throw ValidationError("--watch and --dry-run cannot be used together.") }
    if let code = retry.first(where: { $0.isEmpty || !$0.allSatisfy { $0.isASCII && $0.isLetter } }) {
      throw ValidationError("'\(code)' is not a failure code; --failures lists the codes that occur.")
    }
  }

  func run() throws {
    if failures {
      return try FailureList(location: try libraryOptions.location(), showsTable: running.showsTable).run()
    }
    let batch = try Batch(running)
    Self.raiseDescriptorLimit()
    let library = try isFilter ? nil : libraryOptions.open(for: .writing, options: second.options)
    let named = ScanRoots(arguments.flatMap(\.paths), isAbsolute: library != nil)
    let recipe = ScanRecipe(renditions: noRenditions ? [] : renditions?.names ?? [], digests: digest)
    let progress = ScanProgress(isWanted: Terminal.isTerminal(2) && (running.showsTable || !Terminal.isTerminal(1)))
    let (jobs, weaker) = (running.workers, running.isolation.allowWeakerIsolation)
    let engine = LazyEngine { () throws(Fault) in
      try Decoders.engine(running: jobs, allowsWeakerIsolation: weaker)
    }
    let recorder = ScanRecorder(
      library: dryRun ? nil : library, engine: engine, recipe: recipe, tells: !running.showsTable, progress: progress)
    let watcher = try watch ? Self.makeWatcher() : nil
    var settings = settings(recipe, library: library)
    if let watcher { settings.willRead = { watcher.add($0, $1) } }
    let job = ScanJob(
      batch: batch, roots: named.roots, settings: settings, library: library, engine: engine,
      examiner: FileExaminer(engine: engine, recipe: recipe, library: library), recorder: recorder, progress: progress,
      newestFirst: newestFirst, isDry: dryRun)
    for (path, code) in named.missing {
      let failure = MediaFailure(.notFound, "The folder does not exist.", detail: String(cString: strerror(code)))
      try recorder.note(.problem(WalkProblem(path: path.bytes, isFolder: true, failure: failure)), nil)
    }

    let ticker = Ticker(milliseconds: 100) {
      recorder.tick()
      progress.show()
    }
    do {
      defer {
        ticker.stop()
        progress.end()
      }
      let passedOver = try scan(job, progress: progress)
      progress.end()
      if let watcher, !batch.stop.isRequested {
        try WatchLoop(job: job, watcher: watcher).run()
        // It has no other end.
        return
      }
      batch.tell(passedOver)
    } catch is ResultWriter.Closed {
      progress.end()
      Batch.endLikeAnyOtherWriter()
    }
    try close(recorder.totals, seconds: progress.seconds, batch: batch)
  }

  private func scan(_ job: ScanJob, progress: ScanProgress) throws -> PassedOver {
    guard let library = job.library, !dryRun else {
      countAhead(job, progress)
      return try job.run()
    }
    let time = { Int(Date.now.timeIntervalSince1970) }
    do {
      let run = try library.scanIndex.beginScan(of: job.roots, at: time())
      countAhead(job, progress)
      let passedOver = try job.run()
      if !job.batch.stop.isRequested { try library.scanIndex.finishScan(run, at: time()) }
      return passedOver
    } catch let error as LibraryError {
      throw error.fault
    }
  }

  /// Counts the files on a thread of its own, so that the bar has an end: only where somebody looks at it.
  private func countAhead(_ job: ScanJob, _ progress: ScanProgress) {
    guard Terminal.isTerminal(2), !watch else { return }
    var settings = job.settings
    settings.willRead = nil
    let (roots, stop) = (job.roots, job.batch.stop)
    Thread.detachNewThread { [settings] in
      var count = ScanTotals.Count()
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

  private func close(_ totals: ScanTotals, seconds: Double, batch: Batch) throws {
    if running.showsTable {
      do { try ResultWriter().write(lines: ScanSummary(totals: totals, seconds: seconds).lines) } catch is ResultWriter
        .Closed
      {
        Batch.endLikeAnyOtherWriter()
      }
    }
    if batch.stop.signal != nil {
      Diagnostics.say(
        "interrupted after \(ScanSummary.count(totals.all.files, "file")); the next scan continues from there")
      throw ExitCode(ExitStatus.interrupted.rawValue)
    }
    if totals.failed > 0 { throw ExitCode(ExitStatus.someFailed.rawValue) }
  }

  private static func makeWatcher() throws(Fault) -> FolderWatcher {
    do throws(FolderWatcher.Failure) { return try FolderWatcher() } catch { throw Fault(.software, error.message) }
  }

  private func settings(_ recipe: ScanRecipe, library: Library?) -> ScanSource.Settings {
    var settings = ScanSource.Settings()
    settings.filter.hidden = hidden
    settings.filter.including = IgnoreFile(patterns: include.map(\.pattern))
    settings.filter.excluding = IgnoreFile(patterns: exclude.map(\.pattern))
    if let library {
      for folder in [library.location.data, library.location.cache] + (library.options.copy.map { [$0] } ?? []) {
        if let handle = try? FolderHandle.open(folder.bytes) { settings.filter.closed.insert(handle.identity) }
      }
    }
    settings.staysOnFileSystem = oneFileSystem
    settings.recipe = recipe
    settings.retry.codes = Set(retry.map { MediaFailure.Code(rawValue: $0) })
    settings.namesUnchanged = !running.showsTable
    return settings
  }

  /// Every file that is waited for may hold its folder open; the usual 1,024 would do for few of 256 jobs.
  private static func raiseDescriptorLimit() {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard getrlimit(resource, &limit) == 0 else { return }
    limit.rlim_cur = min(limit.rlim_max, 65_536)
    setrlimit(resource, &limit)
  }
}

/// `--renditions`: named sizes with commas between them.
struct RenditionNames: CheckedArgument {
  let names: Set<String>

  init?(argument: String) {
    let names = argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard names.allSatisfy({ RenditionRequest.named($0) != nil }) else { return nil }
    self.names = Set(names)
  }

  static var allowed: String {
    "names separated by commas, out of \(RenditionRequest.named.map(\.name).joined(separator: ", "))"
  }
}

/// A pattern as `.gitignore` has them.
struct PatternArgument: ExpressibleByArgument {
  let pattern: IgnorePattern

  init?(argument: String) {
    guard let pattern = IgnorePattern(line: RawArguments.bytes(of: argument)) else { return nil }
    self.pattern = pattern
  }
}

extension Batch {
  /// What a scan has passed over.
  func tell(_ passedOver: PassedOver) {
    for (count, what) in [
      (passedOver.special, "pipes, sockets or devices"), (passedOver.links, "symbolic links"),
      (passedOver.otherFileSystems, "folders on other file systems"),
      (passedOver.ignored, "files and folders excluded by patterns"),
    ] where count > 0 {
      Diagnostics.say("skipped \(what): \(count)")
    }
  }
}

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
    abstract: "Scan folders into a library that answers at once, and costs nothing to scan again.",
    discussion: """
      Finds the facts of every file, and its thumbnails with --renditions, and keeps them in the library: --library, else the \
      user's own. Only what is new or changed is looked into; what was moved or renamed is known again. A scan that was stopped, \
      killed or ran out of disk goes on where it was. A file that failed is not tried again until it or the decoders change, or \
      --retry names its code.

      Patterns are those of .gitignore: `*.jpg`, `/Raw`, `**/cache/`, `!keep.jpg`. A file .mediaignore holds for its folder and those in it. \
      Links are not followed.

      With --json one line a file is written as soon as what it says is kept. With --json and without --library nothing is kept at all: \
      the facts of every file go to standard output, and that is all.

      EXAMPLES
        mediatool scan ~/Photos
        mediatool scan ~/Photos --renditions grid,message --newest-first
        mediatool scan /srv/media --library /var/lib/media --watch
        mediatool scan /srv/media --json --include "*.mov" | jq 'select(.duration > 60)'
        mediatool scan --failures
        mediatool scan ~/Photos --retry timedOut --retry decoderCrashed

      EXIT STATUS
        0    everything was scanned
        1    some files failed this time, or folders could not be walked
        64   the command line is wrong
        70   the library or the results cannot be written, or the disk is full
        130  stopped by Ctrl-C or SIGTERM; the next scan goes on from there. A watch ends that way with 0
      """)

  @Argument(help: ArgumentHelp("Folders to scan.", valueName: "dir"), completion: .directory)
  var arguments: [PathArguments] = []

  @OptionGroup var libraryOptions: LibraryOptions
  @OptionGroup var second: CopyOptions

  @Option(help: ArgumentHelp("Only files that this pattern describes. Repeat it for several.", valueName: "pattern"))
  var include: [PatternArgument] = []

  @Option(
    help: ArgumentHelp(
      "Leave out files and folders that this pattern describes. Repeat it for several.", valueName: "pattern"))
  var exclude: [PatternArgument] = []

  @Flag(help: "Walk hidden files and folders too.")
  var hidden = false

  @Flag(help: "Stay on the file system of each folder that was named.")
  var oneFileSystem = false

  @Option(
    help: ArgumentHelp(
      "thumbnails to make and keep: \(RenditionRequest.named.map(\.name).joined(separator: ", ")); a list with commas. (default: none)",
      valueName: "names"),
    transform: RenditionNames.parse)
  var renditions: RenditionNames?

  @Flag(help: "No thumbnails, whatever was said before.")
  var noRenditions = false

  @Flag(help: "Read all of each file for its SHA-256: a copy is then known for what it is, and not decoded again.")
  var digest = false

  @Flag(help: "Begin with the \(NewestFirst.capacity) newest of the files to look into, by their last write.")
  var newestFirst = false

  @Flag(help: "Say what would be done, and do nothing.")
  var dryRun = false

  @Flag(help: "Go on when all is scanned, and keep the library in step with the folders.")
  var watch = false

  @Option(help: ArgumentHelp("Try files again that failed with this code. Repeat it for several.", valueName: "code"))
  var retry: [String] = []

  @Flag(help: "List the files that failed, and scan nothing.")
  var failures = false

  @OptionGroup var running: RunOptions

  /// Whether nothing is kept.
  private var isFilter: Bool { running.json && libraryOptions.library == nil && !failures }

  func validate() throws {
    let folders = arguments.flatMap(\.paths)
    if folders.isEmpty, !failures { throw ValidationError("No folders. Name the folders to scan.") }
    if folders.contains(where: { $0.hasNUL || $0.bytes.isEmpty }) {
      throw ValidationError("No path is empty or holds a NUL.")
    }
    if failures, !folders.isEmpty {
      throw ValidationError("--failures lists what is in the library; it takes no folders.")
    }
    if isFilter {
      let useless = [
        (watch, "--watch"), (dryRun, "--dry-run"), (second.copy != nil, "--copy"), (!retry.isEmpty, "--retry"),
        (renditions != nil, "--renditions"),
      ]
      if let option = useless.first(where: \.0)?.1 {
        throw ValidationError("\(option) is about a library; with --json, name it with --library.")
      }
    }
    if watch, dryRun { throw ValidationError("--watch and --dry-run cannot both be given.") }
    if let code = retry.first(where: { $0.isEmpty || !$0.allSatisfy { $0.isASCII && $0.isLetter } }) {
      throw ValidationError("'\(code)' is no code of a failure; --failures shows those that there are.")
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
      let failure = MediaFailure(.notFound, "There is no such folder.", detail: String(cString: strerror(code)))
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
      let run = try library.catalogue.beginScan(of: job.roots, at: time())
      countAhead(job, progress)
      let passedOver = try job.run()
      if !job.batch.stop.isRequested { try library.catalogue.finishScan(run, at: time()) }
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
      Diagnostics.say("stopped after \(ScanSummary.count(totals.all.files, "file")); the next scan goes on from there")
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
    "names with commas between them, of \(RenditionRequest.named.map(\.name).joined(separator: ", "))"
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
      (passedOver.ignored, "files and folders by patterns"),
    ] where count > 0 {
      Diagnostics.say("left out \(what): \(count)")
    }
  }
}

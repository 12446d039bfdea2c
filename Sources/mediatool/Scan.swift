internal import ArgumentParser
internal import FileSupport
internal import Foundation
internal import Glibc
internal import LibraryScanner
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
    let (jobs, weaker) = (running.workers, running.isolation.allowWeakerIsolation)
    let engine = LazyEngine { () throws(MediaEngine.StartFailure) in
      try Decoders.start(running: jobs, allowsWeakerIsolation: weaker)
    }
    let roots = arguments.flatMap(\.paths).map { PathBytes($0.bytes) }
    let scan = MediaScanner(library: library, engine: engine, jobs: jobs).scan(roots, options: options)
    let began = ContinuousClock.now
    let output = try say(scan, keeps: library != nil, stop: batch.stop)
    // A watch has no other end than a signal.
    guard !output.isWatching, let totals = output.totals else { return }
    batch.tell(totals.leftOut)
    try close(totals, seconds: began.duration(to: .now) / .seconds(1), batch: batch)
  }

  /// Says what a scan tells, until its end.
  private func say(_ scan: MediaScan, keeps: Bool, stop: StopSignal) throws -> ScanOutput {
    let line = ScanProgressLine(isWanted: Terminal.isTerminal(2) && (running.showsTable || !Terminal.isTerminal(1)))
    let begun = ScanOutput(keeps: keeps, showsTable: running.showsTable, line: line)
    let result = Waiting.result(stop: stop) { () async -> (ScanOutput, (any Error)?) in
      var output = begun
      defer { output.line.end() }
      do {
        for try await events in scan.batches { try output.take(events) }
        return (output, nil)
      } catch {
        return (output, error)
      }
    }
    switch result.1 {
    case nil: return result.0
    case is ResultWriter.Closed: Batch.endLikeAnyOtherWriter()
    case let error as ScanError: throw error.fault
    case let error?: throw error
    }
  }

  private var options: ScanOptions {
    var options = ScanOptions()
    options.renditions = noRenditions ? [] : renditions?.names ?? []
    options.digest = digest
    options.retry = Set(retry.map { MediaFailure.Code(rawValue: $0) })
    options.include = include.map(\.pattern)
    options.exclude = exclude.map(\.pattern)
    options.hidden = hidden
    options.staysOnFileSystem = oneFileSystem
    options.newestFirst = newestFirst
    options.watch = watch
    options.isDryRun = dryRun
    options.reportsUnchanged = !running.showsTable
    options.progressInterval = Terminal.isTerminal(2) ? .milliseconds(100) : nil
    options.countsAhead = Terminal.isTerminal(2) && !watch
    return options
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
  let pattern: ScanPattern

  init?(argument: String) {
    guard let pattern = ScanPattern(bytes: RawArguments.bytes(of: argument)) else { return nil }
    self.pattern = pattern
  }
}

extension ScanError {
  /// What ends the run.
  var fault: Fault {
    switch self {
    case .library(let error): error.fault
    case .engine, .system: Fault(.software, description)
    case .invalidOptions(let message): Fault(.usage, message)
    }
  }
}

extension Batch {
  /// What a scan has passed over.
  func tell(_ passedOver: ScanTotals.LeftOut) {
    for (count, what) in [
      (passedOver.special, "pipes, sockets or devices"), (passedOver.links, "symbolic links"),
      (passedOver.otherFileSystems, "folders on other file systems"),
      (passedOver.ignored, "files and folders by patterns"),
    ] where count > 0 {
      Diagnostics.say("left out \(what): \(count)")
    }
  }
}

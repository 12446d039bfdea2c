internal import ArgumentParser
internal import FileSupport
internal import Foundation
internal import Glibc
internal import LibraryScanner
internal import MediaEngine
internal import MediaLibrary
internal import MediaModel

/// `mediatool scan`: scans folders into a library.
struct Scan: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scan",
    abstract: "Scan folders into a library, for use by find, locations, tray and apps.",
    discussion: """
      Stores the facts of every file, as `probe` prints them, in the library (the --library folder, or the user's own library), and thumbnails with \
      --renditions. Only new and changed files are decoded; moved and renamed files are recognised. A scan that was interrupted or \
      killed, or that ran out of disk space, continues where it stopped. A file that failed is tried again when it or the decoders \
      change, or with --retry.

      Patterns have the syntax of .gitignore: `*.jpg`, `/Raw`, `**/cache/`, `!keep.jpg`. A .mediaignore file applies to its folder and \
      everything below. Symbolic links are not followed.

      The first scan creates the library. Its catalogue is an SQLite database; if the catalogue is missing and other files of the library \
      exist, the scan fails, and `mediatool verify --rebuild` makes a new catalogue. If the library already has a copy, a --copy \
      folder that is missing or empty is an error: its disk may not be mounted.

      On a terminal, a summary is printed; otherwise one JSON object per file, as soon as the file is stored. Results are always stored, \
      whatever the output format, except with --no-library, which prints the facts and stores nothing.

      EXAMPLES
        mediatool scan ~/Photos
        mediatool scan ~/Photos --renditions grid,message --newest-first
        mediatool scan /srv/media --library /var/lib/media --watch
        mediatool scan /srv/media --no-library --include "*.mov" |
          jq 'select(.duration > 60)'
        mediatool scan --failures
        mediatool scan ~/Photos --retry timedOut --retry decoderCrashed

      EXIT STATUS
        0    everything was scanned; with --watch, also when interrupted
             after the first scan
        1    some files failed, or some folders cannot be read
        64   the command line is invalid, the catalogue of the library is missing,
             or --copy is not the copy of this library
        70   the library or results cannot be written, no worker can be started,
             or the disk is full
        130  interrupted by Ctrl-C or SIGTERM; the next scan continues
      """)

  @Argument(help: ArgumentHelp("Folders to scan.", valueName: "dir"), completion: .directory)
  var arguments: [PathArguments] = []

  @OptionGroup var libraryOptions: LibraryOptions

  @Flag(help: "Store nothing; print the facts of every file.")
  var noLibrary = false

  @OptionGroup var second: CopyOptions<CopyForScan>

  @Option(
    help: ArgumentHelp(
      "Scan only files that match this pattern; --exclude and .mediaignore still apply. Repeatable.",
      valueName: "pattern"))
  var include: [PatternArgument] = []

  @Option(
    help: ArgumentHelp(
      "Exclude files and folders that match this pattern. Repeatable.", valueName: "pattern"))
  var exclude: [PatternArgument] = []

  @Flag(help: "Include hidden files and folders inside the named folders.")
  var hidden = false

  @Flag(help: "Stay on the file system of each named folder.")
  var oneFileSystem = false

  @Option(
    help: ArgumentHelp(
      """
      Make and store thumbnails of these sizes, separated by commas: \(RenditionRequest.named.map(\.argumentHelp).joined(separator: ", ")). \
      Unchanged files that lack one are decoded again. (default: none)
      """,
      valueName: "names"),
    completion: .list(RenditionNames.names), transform: RenditionNames.parse)
  var renditions: RenditionNames?

  @Flag(help: "Make no thumbnails; overrides an earlier --renditions, for example from an alias.")
  var noRenditions = false

  @Flag(
    help:
      "Store the SHA-256 of each file, so that duplicates are recognised and decoded only once; reads every file completely."
  )
  var digest = false

  @Flag(
    help:
      "Read unchanged files again and compare their SHA-256, to find changes that did not alter size or modification time; needs --digest."
  )
  var recheck = false

  @Flag(
    help:
      "Quarantine files that look like an image blocked with `moderate block-image`, unless a moderator has released or protected them. Files are compared when --renditions makes a thumbnail of them."
  )
  var quarantineSimilar = false

  @Flag(
    help:
      "Decode the \(NewestFirst.capacity.grouped) most recently modified files first, then the others by name."
  )
  var newestFirst = false

  @Flag(help: "Print what a scan would do, without decoding or storing anything.")
  var dryRun = false

  @Flag(help: "Keep running after the scan, and update the library when files change.")
  var watch = false

  @Option(
    help: ArgumentHelp(
      "Try files that failed with this code, such as timedOut, again; --failures lists the codes. Repeatable.",
      valueName: "code"))
  var retry: [String] = []

  @Flag(help: "List the files that failed in earlier scans; do not scan.")
  var failures = false

  @OptionGroup var running: RunOptions

  func validate() throws {
    let folders = arguments.flatMap(\.paths)
    if folders.isEmpty, !failures { throw ValidationError("Missing input: name the folders to scan.") }
    if folders.contains(where: { $0.hasNUL || $0.bytes.isEmpty }) {
      throw ValidationError("A folder name is empty or contains a NUL byte.")
    }
    if failures, !folders.isEmpty {
      throw ValidationError("--failures lists files of the library and cannot be combined with folders.")
    }
    if noLibrary {
      let useless = [
        (libraryOptions.library != nil, "--library"), (watch, "--watch"), (dryRun, "--dry-run"),
        (second.copy != nil, "--copy"), (!retry.isEmpty, "--retry"), (renditions != nil, "--renditions"),
        (failures, "--failures"), (recheck, "--recheck"), (quarantineSimilar, "--quarantine-similar"),
      ]
      if let option = useless.first(where: \.0)?.1 {
        throw ValidationError("\(option) needs a library and cannot be combined with --no-library.")
      }
    }
    if recheck, !digest { throw ValidationError("--recheck needs --digest.") }
    if watch, dryRun { throw ValidationError("--watch and --dry-run cannot be combined.") }
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
    let roots = arguments.flatMap(\.paths).map { PathBytes($0.bytes) }
    let library = try noLibrary ? nil : library(for: roots)
    let (jobs, weaker) = (running.workers, running.isolation.allowWeakerIsolation)
    let engine = Decoders.lazy(
      running: jobs, allowsWeakerIsolation: weaker,
      remembering: library?.location.data.appending("decoders.txt".utf8))
    let scan = MediaScanner(library: library, engine: engine, jobs: jobs).scan(roots, options: options)
    let began = ContinuousClock.now
    let output = try say(scan, keeps: library != nil, stop: batch.stop)
    // A watch ends only by a signal.
    guard !output.isWatching, let totals = output.totals else { return }
    batch.report(totals.skipped)
    try close(totals, seconds: began.duration(to: .now) / .seconds(1), batch: batch)
  }

  /// The library to scan into. A name without a folder creates none: it may be misspelled. A watch waits for the folder.
  private func library(for roots: [PathBytes]) throws(Fault) -> Library {
    guard !watch, let root = roots.first, roots.allSatisfy({ FileIdentity(ofFolder: $0) == nil }) else {
      return try libraryOptions.open(for: .creating, options: second.options)
    }
    let location = try libraryOptions.location()
    do throws(LibraryError) { return try Library.open(at: location, for: .writing, options: second.options) } catch {
      guard error.code == .notFound else { throw error.fault }
      throw Fault(
        .someFailed,
        """
        \(DisplayText.visible(root)) is not a folder, so no library was created; check its name, and whether its disk is mounted
        """)
    }
  }

  /// Prints the events of a scan until its end.
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
    case let error as MediaScanner.Failure: throw error.fault
    case let error?: throw error
    }
  }

  private var options: MediaScanner.Options {
    var options = MediaScanner.Options()
    options.renditions = noRenditions ? [] : renditions?.asked ?? []
    options.digest = digest
    options.rechecks = recheck
    options.quarantinesSimilar = quarantineSimilar
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

  private func close(_ totals: MediaScan.Totals, seconds: Double, batch: Batch) throws {
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

  /// Every queued file may keep its folder open; the usual limit of 1,024 descriptors is too low for 256 jobs.
  private static func raiseDescriptorLimit() {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard getrlimit(resource, &limit) == 0 else { return }
    limit.rlim_cur = min(limit.rlim_max, 65_536)
    setrlimit(resource, &limit)
  }
}

extension MediaScanner.Failure {
  /// The fault that ends the run.
  var fault: Fault {
    switch self {
    case .library(let error): error.fault
    case .engine, .system: Fault(.software, description)
    case .invalidOptions(let message): Fault(.usage, message)
    }
  }
}

extension Batch {
  /// Reports the entries that a scan has skipped.
  func report(_ skipped: MediaScan.Totals.Skipped) {
    for (count, what) in [
      (skipped.special, "pipes, sockets or devices"), (skipped.links, "symbolic links"),
      (skipped.otherFileSystems, "folders on other file systems"),
      (skipped.ignored, "files and folders excluded by patterns"),
    ] where count > 0 {
      Diagnostics.note("skipped \(what): \(count)")
    }
  }
}

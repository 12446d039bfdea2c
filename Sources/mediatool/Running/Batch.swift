internal import ArgumentParser
internal import FileSupport
internal import Glibc
internal import MediaEngine
internal import MediaEngineProtocol
internal import MediaModel

/// Runs a command over its inputs: workers, results in order, progress, and the exit status.
struct Batch {
  /// The result of a command for one input.
  struct Row: Sendable {
    /// Lines for standard output, without line ends.
    var lines: [String]
    /// Why the input counts as failed in the exit status; nil where it does not.
    var failure: MediaFailure?
  }

  let options: RunOptions
  let stop: StopSignal

  /// Prepares the process. Called once, before any thread is started.
  init(_ options: RunOptions) throws(Fault) {
    try Decoders.takeIn(options)
    self.options = options
    // A closed pipe is then an error of write, and the files in progress are finished.
    signal(SIGPIPE, SIG_IGN)
    stop = try StopSignal.make()
    stop.watchSignals()
    RemoteReaders.cancel(with: stop)
    let decoders =
      options.inProcess ? "in this process" : "in up to \(RefusalSentence.counted(options.workers, "worker"))"
    Diagnostics.explain("version \(Version.project), decoding \(decoders)")
  }

  /// The engine for the inputs. Call it after ``init(_:)``, which sets the signal mask of its threads.
  /// - Parameters:
  ///   - areMany: Whether many files are expected whatever the inputs say.
  ///   - libraries: What workers load at first, if the inputs seem to be images.
  func engine(
    for inputs: InputOptions, areMany: Bool = false, libraries: WorkerLibraries = .all
  ) throws(Fault) -> MediaEngine {
    do throws(MediaEngine.StartFailure) {
      return try startEngine(for: inputs, areMany: areMany, libraries: libraries)
    } catch {
      throw Fault(.software, error.description)
    }
  }

  /// Starts the engine for the inputs, and throws its own error.
  func startEngine(
    for inputs: InputOptions, areMany: Bool = false, libraries: WorkerLibraries = .all
  ) throws(MediaEngine.StartFailure) -> MediaEngine {
    try Decoders.start(
      running: options.workers, startsAhead: areMany || inputs.mayBeMany,
      allowsWeakerIsolation: options.isolation.allowWeakerIsolation,
      libraries: inputs.libraries(unlessOthersAreNeeded: libraries))
  }

  /// The engine for a command that may find everything in a library.
  func fileEngine(for inputs: InputOptions, library: LibraryReader?) throws(Fault) -> FileEngine {
    guard let library else { return FileEngine(engine: try engine(for: inputs), stop: stop) }
    let batch = self
    return FileEngine(
      engine: LazyEngine { () throws(MediaEngine.StartFailure) in try batch.startEngine(for: inputs) }, stop: stop,
      library: library)
  }

  /// Processes all inputs and prints the results.
  ///
  /// - Parameters:
  ///   - heading: The line above a table, which comes again when the terminal has another width.
  ///   - threads: Default: one per job.
  ///   - stream: How it presents itself to an engine.
  /// - Throws: `ExitCode` unless everything was done, or a ``Fault``.
  func run(
    _ source: consuming sending InputSource, heading: (() -> String)?, threads: Int? = nil, stream: Stream = Stream(),
    work: @escaping @Sendable (Input) -> Result<Row, Fault>
  ) throws {
    let began = ContinuousClock.now
    let monitor = RunMonitor(stream, stop: stop)
    let inputs = Locked(source)
    let writer = ResultWriter()
    var progress = Progress(isShown: Terminal.isTerminal(STDERR_FILENO) && !Terminal.isTerminal(STDOUT_FILENO))
    var (done, failed) = (0, 0)
    var last: PathBytes?
    defer { progress.end() }

    do {
      var width: Int?
      let next: @Sendable () throws -> Input? = { try inputs.withLock { source throws(Fault) in try source.next() } }
      func deliver(_ input: Input, _ result: Result<Row, Fault>) throws {
        let row = try result.get()
        if let heading, width != Terminal.width(STDOUT_FILENO) {
          width = Terminal.width(STDOUT_FILENO)
          try writer.write(line: heading())
        }
        try writer.write(lines: row.lines)
        done += 1
        if let failure = row.failure {
          failed += 1
          if Diagnostics.namesFailures {
            progress.end()
            Diagnostics.fail(input.path, failure)
          }
        }
        last = input.path
        progress.count(failed: row.failure != nil, path: input.path)
        monitor.count(done: done, failed: failed)
      }
      let jobs = threads ?? options.workers
      let isTable = options.showsTable
      let work: @Sendable (Input) -> Result<Row, Fault> = { input in
        // In a table it is a row like others.
        (isTable ? nil : Self.row(refusing: input)) ?? work(input)
      }
      if stream.isUnordered {
        try UnorderedWorkers(jobs: jobs).run(stop: stop, next: next, work: work, deliver: deliver)
      } else {
        try OrderedWorkers(jobs: jobs).run(stop: stop, next: next, work: work, deliver: deliver)
      }
      if stream.hasTrailer, stop.signal == nil {
        let seconds = Double(began.duration(to: .now) / .milliseconds(1)).rounded() / 1_000
        let counts = Trailer.Counts(inputs: done, failed: failed, seconds: seconds)
        try writer.write(line: try JSONLine.text(Trailer(end: counts)))
      }
    } catch is ResultWriter.Closed {
      progress.end()
      Self.endLikeAnyOtherWriter()
    }

    progress.end()
    report(skipped: inputs.withLock { $0.skipped })
    if stop.signal != nil {
      let place =
        last.map { "after file \(done), \(DisplayText.visible($0))" } ?? "before the first file was finished"
      Diagnostics.say("interrupted \(place)")
      throw ExitCode(ExitStatus.interrupted.rawValue)
    }
    let counts = "\(RefusalSentence.counted(done, "file")), \(failed) failed"
    if options.showsTable { Diagnostics.note(counts) } else { Diagnostics.explain(counts) }
    if failed > 0, !stream.isResultsOnly { throw ExitCode(ExitStatus.someFailed.rawValue) }
  }

  /// Reports the entries that walks have skipped.
  func report(skipped: FolderWalk.Skipped) {
    if skipped.special > 0 { Diagnostics.note("skipped pipes, sockets or devices: \(skipped.special)") }
    if skipped.links > 0 {
      Diagnostics.note(
        "skipped symbolic links that are broken, point to folders, or point outside the named folder: \(skipped.links)")
    }
    let ignored = skipped.ignored - skipped.closed
    if ignored > 0 { Diagnostics.note("skipped files and folders excluded by patterns: \(ignored)") }
    if skipped.closed > 0 { Diagnostics.note("skipped the output folder") }
  }

  /// Ends the process by SIGPIPE after the reader has closed the pipe, so that a shell sees the usual status 141.
  static func endLikeAnyOtherWriter() -> Never {
    signal(SIGPIPE, SIG_DFL)
    raise(SIGPIPE)
    _exit(128 + SIGPIPE)
  }
}

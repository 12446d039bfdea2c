internal import ArgumentParser
internal import FileSupport
internal import Glibc
internal import MediaEngine

/// Runs a verb over its inputs: workers, results in order, progress, and how it all ends.
struct Batch {
  /// What a verb made of one input.
  struct Row: Sendable {
    /// Lines for standard output, without their ends.
    var lines: [String]
    /// Whether the input counts as failed in the exit status.
    var failed: Bool
  }

  let options: RunOptions
  let stop: StopSignal

  /// Prepares the process. Called once, before any thread is made.
  init(_ options: RunOptions) throws(Fault) {
    try Decoders.takeIn(options)
    self.options = options
    Self.occupyStandardDescriptors()
    // A closed pipe is then told by write, and the files under way come to their end.
    signal(SIGPIPE, SIG_IGN)
    stop = try StopSignal.make()
    stop.watchSignals()
  }

  /// The engine for the inputs. After ``init(_:)``, which says which signals its threads get.
  func engine(for inputs: InputOptions) throws(Fault) -> MediaEngine {
    do throws(MediaEngine.StartFailure) { return try startEngine(for: inputs) } catch {
      throw Fault(.software, error.description)
    }
  }

  /// The same, with the engine's own reason when there is none.
  func startEngine(for inputs: InputOptions) throws(MediaEngine.StartFailure) -> MediaEngine {
    try Decoders.start(
      running: options.workers, startsAhead: inputs.mayBeMany,
      allowsWeakerIsolation: options.isolation.allowWeakerIsolation)
  }

  /// The same for the verbs that may find in a library all that they need.
  func fileEngine(for inputs: InputOptions, library: LibraryReader?) throws(Fault) -> FileEngine {
    guard let library else { return FileEngine(engine: try engine(for: inputs), stop: stop) }
    let batch = self
    return FileEngine(
      engine: LazyEngine { () throws(MediaEngine.StartFailure) in try batch.startEngine(for: inputs) }, stop: stop,
      library: library)
  }

  /// Works on every input and shows what came out.
  ///
  /// - Parameters:
  ///   - heading: The line above a table.
  ///   - threads: By default one a job.
  /// - Throws: `ExitCode` unless everything was done, or a ``Fault``.
  func run(
    _ source: consuming sending InputSource, heading: String?, threads: Int? = nil,
    work: @escaping @Sendable (Input) -> Result<Row, Fault>
  ) throws {
    let inputs = Locked(source)
    let writer = ResultWriter()
    var progress = Progress(isShown: Terminal.isTerminal(STDERR_FILENO) && !Terminal.isTerminal(STDOUT_FILENO))
    var (done, failed) = (0, 0)
    var last: PathBytes?
    defer { progress.end() }

    do {
      if let heading { try writer.write(line: heading) }
      try OrderedWorkers(jobs: threads ?? options.workers).run(
        stop: stop, next: { try inputs.withLock { source throws(Fault) in try source.next() } }, work: work
      ) { input, result in
        let row = try result.get()
        for line in row.lines { try writer.write(line: line) }
        done += 1
        if row.failed { failed += 1 }
        last = input.path
        progress.count(failed: row.failed, path: input.path)
      }
    } catch is ResultWriter.Closed {
      progress.end()
      Self.endLikeAnyOtherWriter()
    }

    progress.end()
    tell(leftOut: inputs.withLock { $0.leftOut })
    if stop.signal != nil {
      let place =
        last.map { "after \(DisplayText.visible($0)), file \(done)" } ?? "before the first file was finished"
      Diagnostics.say("interrupted \(place)")
      throw ExitCode(ExitStatus.interrupted.rawValue)
    }
    if options.showsTable { Diagnostics.say("\(done) \(done == 1 ? "file" : "files"), \(failed) failed") }
    if failed > 0 { throw ExitCode(ExitStatus.someFailed.rawValue) }
  }

  /// What the walks of inputs have passed over.
  func tell(leftOut: PassedOver) {
    if leftOut.special > 0 { Diagnostics.say("skipped pipes, sockets or devices: \(leftOut.special)") }
    if leftOut.links > 0 {
      Diagnostics.say(
        "skipped symbolic links that are broken, point to folders, or leave the named folder: \(leftOut.links)")
    }
    let ignored = leftOut.ignored - leftOut.closed
    if ignored > 0 { Diagnostics.say("skipped files and folders excluded by patterns: \(ignored)") }
    if leftOut.closed > 0 { Diagnostics.say("skipped the output folder") }
  }

  /// The reader of our results has gone. Dies of the signal that it would have sent, so that a shell sees the usual 141.
  static func endLikeAnyOtherWriter() -> Never {
    signal(SIGPIPE, SIG_DFL)
    raise(SIGPIPE)
    _exit(128 + SIGPIPE)
  }

  /// Were one of the three closed, the next file opened would take its number, and results be written into it. Opened the wrong
  /// way round, so that using them fails as if they were closed.
  private static func occupyStandardDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}

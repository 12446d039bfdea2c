internal import FileSupport
internal import Glibc
internal import MediaEngine
internal import MediaEngineProtocol

/// The decoders of the command: workers, or this process.
enum Decoders {
  /// The decoders linked into this process; nil in `mediatool` itself.
  static let ofThisProcess = Locked<(any MediaJobExecutor)?>(nil)

  /// With `--in-process`, replaces this process by the program with linked decoders, with the same arguments. Called before a thread is started or a
  /// signal is watched.
  static func takeIn(_ options: RunOptions) throws(Fault) {
    guard options.inProcess, ofThisProcess.withLock({ $0 == nil }) else { return }
    do throws(MediaEngine.StartFailure) {
      let program = try MediaEngine.Configuration().workerPath
      execv(program, CommandLine.unsafeArgv)
      throw MediaEngine.StartFailure("cannot run \(program): \(String(cString: strerror(errno)))")
    } catch {
      throw Fault(.software, error.description)
    }
  }

  /// The worker that was started while the arguments were parsed.
  private static let earlyWorker = Locked<EarlyWorker?>(nil)

  /// Starts a worker while the arguments are parsed, which takes as long as its own start, where they seem to ask for the facts or the thumbnails
  /// of a file: people, editors and `xargs` start the command once a file. Where the guess was wrong, the worker ends without a job.
  /// - Parameter arguments: What was typed after the command's name.
  static func startEarly(for arguments: [String]) {
    let usual: [String: WorkerLibraries] = ["probe": .facts, "thumbnail": .images]
    guard ofThisProcess.withLock({ $0 == nil }), let verb = arguments.first, let usual = usual[verb],
      let file = arguments.dropFirst().last, !file.hasPrefix("-"), !file.contains("://"),
      !arguments.contains(where: decodesElsewhere.contains)
    else { return }
    var configuration = MediaEngine.Configuration()
    configuration.libraries = .guessed(by: PathBytes(RawArguments.bytes(of: file)), unlessOthersAreNeeded: usual)
    let worker = EarlyWorker(configuration)
    earlyWorker.withLock { $0 = worker }
  }

  /// Options with which this process starts no worker, or perhaps none.
  private static let decodesElsewhere: Set<String> = ["--in-process", "--help", "-h", "--dry-run", "--library"]

  /// Creates an engine for a number of concurrent files.
  /// - Parameters:
  ///   - startsAhead: Whether all workers will be needed.
  ///   - allowsWeakerIsolation: Whether it starts on a kernel without isolation.
  ///   - libraries: What workers load at first. With less than all, the engine does not know its version.
  static func engine(
    running: Int, startsAhead: Bool = false, allowsWeakerIsolation: Bool = false, libraries: WorkerLibraries = .all
  ) throws(Fault) -> MediaEngine {
    do throws(MediaEngine.StartFailure) {
      return try start(
        running: running, startsAhead: startsAhead, allowsWeakerIsolation: allowsWeakerIsolation, libraries: libraries)
    } catch {
      throw Fault(.software, error.description)
    }
  }

  /// An engine that starts when it is first needed, and whose version is known without a start while the decoders are those of an earlier one.
  /// - Parameter file: Where the version is kept; nil for none.
  static func lazy(running: Int, allowsWeakerIsolation: Bool, remembering file: PathBytes?) -> LazyEngine {
    let isHere = ofThisProcess.withLock { $0 != nil }
    guard let file, !isHere, let program = try? MediaEngine.Configuration().workerPath else {
      return LazyEngine { () throws(MediaEngine.StartFailure) in
        try start(running: running, allowsWeakerIsolation: allowsWeakerIsolation)
      }
    }
    return LazyEngine {
      let known = DecoderFingerprint(reading: file)
      return known.flatMap { $0.isCurrent(program: program) ? $0.version : nil }
    } start: { () throws(MediaEngine.StartFailure) in
      let begun = DecoderFingerprint.now()
      let engine = try start(running: running, allowsWeakerIsolation: allowsWeakerIsolation)
      // Without it, the next scan starts a worker to ask.
      try? DecoderFingerprint(engine.description, program: program, begun: begun)?.write(to: file)
      return engine
    }
  }

  /// Creates an engine, and throws its own error.
  static func start(
    running: Int, startsAhead: Bool = false, allowsWeakerIsolation: Bool = false, libraries: WorkerLibraries = .all
  ) throws(MediaEngine.StartFailure) -> MediaEngine {
    var configuration = MediaEngine.Configuration()
    configuration.kind = .workers(count: running)
    if let decoders = ofThisProcess.withLock({ $0 }) {
      configuration.kind = .inProcess(decoders, threads: running)
    }
    configuration.startsAhead = startsAhead
    // No reserve: a worker that dies is replaced on demand, so a run over intact files starts none in vain.
    configuration.spares = 0
    configuration.allowsWeakerIsolation = allowsWeakerIsolation
    configuration.libraries = libraries
    // A worker that does not fit ends with this reference.
    configuration.earlyWorker = earlyWorker.withLock { worker in
      defer { worker = nil }
      return worker
    }
    return try MediaEngine.startBlocking(configuration)
  }
}

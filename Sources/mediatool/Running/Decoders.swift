internal import Glibc
internal import MediaEngine
internal import MediaEngineProtocol

/// Who decodes for the command: workers, or this process.
enum Decoders {
  /// The decoders that are linked into this process; nil in `mediatool` itself.
  static let ofThisProcess = Locked<(any MediaJobExecutor)?>(nil)

  /// With `--in-process`, this process becomes the program that has the decoders in it, with the same arguments. Called before there
  /// is a thread or a signal is watched.
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

  /// An engine for so many files at once.
  /// - Parameters:
  ///   - startsAhead: Whether all workers are surely needed.
  ///   - allowsWeakerIsolation: Whether it works where the kernel does not isolate.
  static func engine(
    running: Int, startsAhead: Bool = false, allowsWeakerIsolation: Bool = false
  ) throws(Fault) -> MediaEngine {
    do throws(MediaEngine.StartFailure) {
      return try start(running: running, startsAhead: startsAhead, allowsWeakerIsolation: allowsWeakerIsolation)
    } catch {
      throw Fault(.software, error.description)
    }
  }

  /// The same, with the engine's own reason when there is none.
  static func start(
    running: Int, startsAhead: Bool = false, allowsWeakerIsolation: Bool = false
  ) throws(MediaEngine.StartFailure) -> MediaEngine {
    var configuration = MediaEngine.Configuration()
    configuration.kind = .workers(count: running)
    if let decoders = ofThisProcess.withLock({ $0 }) {
      configuration.kind = .inProcess(decoders, threads: running)
    }
    configuration.startsAhead = startsAhead
    // A worker that dies is replaced then: a run over good files does not pay for one that it never needs.
    configuration.spares = 0
    configuration.allowsWeakerIsolation = allowsWeakerIsolation
    return try MediaEngine.startBlocking(configuration)
  }
}

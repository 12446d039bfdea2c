internal import Foundation
public import Logging
package import MediaEngineProtocol
public import Metrics

extension MediaEngine {
  /// Where decoders run: in workers, or in this process with the library MediaEngineInProcess.
  public struct Kind: Sendable {
    enum Place {
      case workers(count: Int?)
      case inProcess(any MediaJobExecutor, threads: Int?)
    }

    let place: Place

    /// In worker processes.
    /// - Parameter count: Number of workers; nil for one per core.
    public static func workers(count: Int?) -> Kind { Kind(place: .workers(count: count)) }

    /// In this process.
    /// - Parameter threads: Number of concurrent jobs; nil for one per core.
    package static func inProcess(_ executor: any MediaJobExecutor, threads: Int?) -> Kind {
      Kind(place: .inProcess(executor, threads: threads))
    }
  }

  /// The resources that a worker may use, and when it is replaced.
  public struct WorkerLimits: Hashable, Sendable {
    /// Resident bytes. A worker above the limit is killed, and its job fails with `outOfMemory`. Default 512 MiB.
    public var residentBytes = 536_870_912
    /// Seconds after a job's deadline at which its worker is killed. Default 1.
    public var graceSeconds = 1.0
    /// Maximum number of threads. A worker with more is killed, and its job is `decoderCrashed`. Default 64, and 8 per core: decoders start up to
    /// two per core.
    public var threads = 64 + 8 * ProcessInfo.processInfo.processorCount
    /// Number of jobs after which a worker is replaced, from 1. Default 2,000, so that its start, a tenth of a second, does not matter. With 1,
    /// every file has a worker of its own.
    public var jobsPerWorker = 2_000
    /// Resident bytes that a worker may keep beyond those at its start. Default 128 MiB.
    public var growthBytes = 134_217_728
    /// The default limits.
    public init() {}
  }

  /// The settings of an engine.
  public struct Configuration: Sendable {
    /// Where decoders run. Default: one worker per core.
    public var kind = Kind.workers(count: nil)
    /// Maximum number of waiting jobs; nil for four per running job. Further jobs are refused with `busy`. The jobs of sequences, and of calls that wait for
    /// their turn in any case, do not count.
    public var waiting: Int?
    /// Maximum number of callers that wait for a job of another caller. A job requested several times at once is done once, and each further caller
    /// costs only a position in this queue. Default 1,024; further callers are refused with `busy`.
    public var joining = 1_024
    /// The trust domain of files for which a call states none. Default ``TrustDomain/shared``, which is right for the files of one user and wrong
    /// for a server: there ``TrustDomain/isolated`` makes a forgotten domain slow instead of unsafe. Without effect in process.
    public var domain = TrustDomain.shared
    /// The limits of a worker.
    public var limits = WorkerLimits()
    /// Bytes of memory that the jobs of all workers may use together, beyond the memory of idle workers. If they use more, the worker that uses
    /// the most is killed; its job is tried once more, then `outOfMemory`. Default nil: half of the memory of the machine, or of the control
    /// group (container) of this process.
    public var memoryBudget: Int?
    /// Number of ready workers in reserve, to replace one that dies or has served another trust domain. Default 1. A server with jobs of many
    /// owners needs as many as workers; each takes about 60 MB, most of it shared with the others.
    public var spares = 1
    /// Number of workers that wait for another job of their trust domain while their slots serve other domains. Without them, each change of domain
    /// costs the start of a worker, a tenth of a second of one core: twice or three times for an upload while others upload too. Each keeps at most
    /// 32 MiB beyond the memory at its start; a worker that has more is replaced. Default 0.
    public var idleWorkers = 0
    /// How long such a worker waits. Default 5 seconds.
    public var idleTime = Duration.seconds(5)
    /// Whether all workers start with the engine instead of on demand. Default true: a server pays for the start once.
    public var startsAhead = true
    /// Whether the engine starts on a kernel without Landlock or seccomp, or with either disabled. Default false: it refuses to start.
    public var allowsWeakerIsolation = false
    /// Path of the worker program; nil for `mediatool-worker` next to this program, or in `../libexec/mediatool/`.
    public var worker: String?
    /// Logs deaths of workers and failures to start them. Default: no log.
    public var logger = Logger(label: "mediatool.engine") { _ in SwiftLogNoOpLogHandler() }
    /// The metrics backend; docs/security.md lists the names. Default nil: that of the process, `MetricsSystem.factory`.
    public var metrics: (any MetricsFactory)?
    /// The libraries that workers load at first. With less than all, the first job that needs more makes the engine load all in every worker that
    /// it starts from then on, and ``MediaEngine/version`` is empty.
    package var libraries = WorkerLibraries.all
    /// A worker that was started in advance. An engine whose workers load something else does not use it.
    package var earlyWorker: EarlyWorker?
    /// Arguments of the worker program, for tests.
    package var workerArguments = ["--serve"]

    /// The default settings.
    public init() {}

    /// Number of concurrent jobs.
    var running: Int {
      let asked: Int? =
        switch kind.place {
        case .workers(let count): count
        case .inProcess(_, let threads): threads
        }
      return max(1, min(1_024, asked ?? ProcessInfo.processInfo.activeProcessorCount))
    }
  }

  /// The reason why an engine does not start.
  public struct StartFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// One sentence for the administrator.
    public let description: String

    package init(_ description: String) { self.description = description }
  }
}

extension MediaEngine.Configuration {
  /// The path of the worker program.
  package var workerPath: String {
    get throws(MediaEngine.StartFailure) {
      if let worker { return worker }
      let program = InstalledProgram("mediatool-worker")
      guard let found = program.path else {
        throw MediaEngine.StartFailure(
          "mediatool-worker is not at \(program.description); install it there, or set Configuration.worker in Swift.")
      }
      return found
    }
  }
}

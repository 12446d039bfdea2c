internal import Foundation
public import Logging
package import MediaEngineProtocol
public import Metrics

extension MediaEngine {
  /// Where decoders run: in workers, or with the library MediaEngineInProcess in this process.
  public struct Kind: Sendable {
    enum Place {
      case workers(count: Int?)
      case inProcess(any MediaJobExecutor, threads: Int?)
    }

    let place: Place

    /// In processes of their own.
    /// - Parameter count: Workers; nil for one a core.
    public static func workers(count: Int?) -> Kind { Kind(place: .workers(count: count)) }

    /// In this process.
    /// - Parameter threads: Jobs at once; nil for one a core.
    package static func inProcess(_ executor: any MediaJobExecutor, threads: Int?) -> Kind {
      Kind(place: .inProcess(executor, threads: threads))
    }
  }

  /// What a worker may use, and when it is sent away.
  public struct WorkerLimits: Hashable, Sendable {
    /// Resident bytes. A worker with more is killed, and its job is `outOfMemory`. Default 512 MiB.
    public var residentBytes = 536_870_912
    /// Seconds after a job's own deadline at which its worker is killed. Default 1.
    public var graceSeconds = 1.0
    /// Jobs after which a worker is replaced. Default 2,000: its start, a tenth of a second, is then nothing beside them.
    public var jobs = 2_000
    /// Resident bytes that a worker may keep beyond those of its start. Default 128 MiB.
    public var growthBytes = 134_217_728
    /// The defaults.
    public init() {}
  }

  /// How an engine works.
  public struct Configuration: Sendable {
    /// Where decoders run. Default: a worker a core.
    public var kind = Kind.workers(count: nil)
    /// Jobs that may wait; nil for four for each that may run. One more is refused with `busy`.
    public var waiting: Int?
    /// Callers that may wait for a job that somebody else has asked for already: an image that a thousand people want is made once,
    /// and costs each of them a place here and no work. Default 1,024; one more is refused with `busy`.
    public var joining = 1_024
    /// What a worker may use.
    public var limits = WorkerLimits()
    /// Workers that have warmed up and wait to take the place of one that dies. Default 1.
    public var spares = 1
    /// Whether all workers start with the engine and not when they are first needed. Default true: a server pays its start-up once.
    public var startsAhead = true
    /// Whether an engine works on a kernel that lacks Landlock or seccomp, or where they are switched off. Default false: it
    /// refuses to start.
    public var allowsWeakerIsolation = false
    /// Where the worker's program lies; nil for `mediatool-worker` beside this program, or in `../libexec/mediatool/`.
    public var worker: String?
    /// Told of deaths and failures to start. Default: nobody.
    public var logger = Logger(label: "mediatool.engine") { _ in SwiftLogNoOpLogHandler() }
    /// Where metrics go (their names are in docs/security.md). Default nil: where those of the process go, `MetricsSystem.factory`.
    public var metrics: (any MetricsFactory)?
    /// Arguments for the worker, for tests.
    package var workerArguments = ["--serve"]

    /// The defaults.
    public init() {}

    /// Jobs that may run at once.
    var running: Int {
      let asked: Int? =
        switch kind.place {
        case .workers(let count): count
        case .inProcess(_, let threads): threads
        }
      return max(1, min(1_024, asked ?? ProcessInfo.processInfo.activeProcessorCount))
    }
  }

  /// Why an engine does not start.
  public struct StartFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// One sentence, for the operator.
    public let description: String

    package init(_ description: String) { self.description = description }
  }
}

extension MediaEngine.Configuration {
  /// The path of the worker's program.
  package var workerPath: String {
    get throws(MediaEngine.StartFailure) {
      if let worker { return worker }
      let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
      let folder = URL(fileURLWithPath: own).deletingLastPathComponent()
      let places = ["mediatool-worker", "../libexec/mediatool/mediatool-worker"]
        .map { folder.appendingPathComponent($0).standardizedFileURL.path }
      guard let found = places.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
        throw MediaEngine.StartFailure(
          "Cannot find mediatool-worker: not at \(places.joined(separator: " or ")). Set its path in Configuration.worker."
        )
      }
      return found
    }
  }
}

internal import Foundation
internal import MediaEngineProtocol
internal import Metrics

/// An engine that is starting.
struct EngineBootstrap {
  let core: EngineCore
  private let greeting = Locked<WorkerGreeting?>(nil)
  /// From now on no worker is started.
  private let refuseWorkers: @Sendable () -> Void

  init(_ configuration: MediaEngine.Configuration) throws(MediaEngine.StartFailure) {
    let report = EngineReport(logger: configuration.logger, metrics: configuration.metrics ?? MetricsSystem.factory)
    let running = configuration.running
    let waiting = max(0, configuration.waiting ?? 4 * running)
    let joining = max(0, configuration.joining)
    switch configuration.kind.place {
    case .inProcess(let executor, _):
      refuseWorkers = {}
      core = EngineCore(slots: running, waiting: waiting, joining: joining, report: report, cleanUp: {}) {
        InProcessSlot(executor: executor)
      }
    case .workers:
      let (program, arguments) = (try configuration.workerPath, configuration.workerArguments)
      let pool = WorkerPool(
        spares: max(0, configuration.spares),
        idle: IdleWorkers(limit: configuration.idleWorkers, time: configuration.idleTime),
        libraries: configuration.libraries,
        first: configuration.earlyWorker?.take(for: configuration.libraries)
      ) { libraries in
        do throws(WorkerStartFailure) {
          return .success(try WorkerProcess.start(program: program, arguments: arguments, libraries: libraries))
        } catch { return .failure(error) }
      }
      refuseWorkers = { pool.refuse() }
      let budget = MemoryBudget(limit: configuration.memoryBudget ?? MemoryBudget.half)
      let (limits, isWeakAllowed, greeting) = (configuration.limits, configuration.allowsWeakerIsolation, greeting)
      core = EngineCore(
        slots: running, waiting: waiting, joining: joining, report: report, cleanUp: { pool.stop() }
      ) {
        WorkerSlot(pool: pool, limits: limits, budget: budget, report: report) { new in
          if !new.layers.isComplete, !isWeakAllowed { return .weak(new.layers) }
          greeting.withLock { $0 = new }
          report.started(new.layers)
          return nil
        }
      }
    }
  }

  /// Starts the first slot, and with `startsAhead` the others at the same time: on two cores, two workers start in the time of one.
  /// - Parameter ready: Called once: when a slot is ready, or with the last failure when no slot can be.
  func start(_ configuration: MediaEngine.Configuration, ready: @escaping @Sendable (WorkerStartFailure?) -> Void) {
    let slots = configuration.startsAhead ? max(1, configuration.running) : 1
    // The slots that may still be ready; nil once that was reported.
    let open = Locked<Int?>(slots)
    for _ in 0..<slots {
      core.startSlot { failure in
        let isReported = open.withLock { open in
          guard let count = open else { return false }
          open = failure == nil || count == 1 ? nil : count - 1
          return open == nil
        }
        if isReported { ready(failure) }
      }
    }
  }

  /// The engine, once its first slot is ready.
  func engine(
    after failure: WorkerStartFailure?, _ configuration: MediaEngine.Configuration
  ) throws(MediaEngine.StartFailure) -> MediaEngine {
    if let failure {
      // Slots that wait for a worker end at once.
      refuseWorkers()
      core.stop()
      throw MediaEngine.StartFailure("No worker process can be started: \(failure.reason)")
    }
    let running = configuration.running
    let greeting = greeting.withLock { $0 }
    var description = greeting?.description
    // Describing loads every library.
    if case .inProcess(let executor, _) = configuration.kind.place, configuration.libraries == .all {
      description = executor.describe()
    }
    return MediaEngine(
      layers: greeting?.layers ?? .none,
      description: description ?? EngineDescription(engines: [], images: [], containers: []), core: core,
      running: running, domain: configuration.domain)
  }
}

extension WorkerStartFailure {
  /// The failure if isolation layers are missing and the configuration does not allow that.
  fileprivate static func weak(_ layers: IsolationLayers) -> WorkerStartFailure {
    let missing = layers.named.filter { !$0.isOn }.map(\.name).joined(separator: ", ")
    return WorkerStartFailure(
      "this kernel lacks \(missing); to run without, set Configuration.allowsWeakerIsolation (in mediatool: --allow-weaker-isolation)"
    )
  }
}

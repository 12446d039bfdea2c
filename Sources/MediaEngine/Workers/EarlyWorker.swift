internal import MediaEngineProtocol

/// A worker that starts before its engine: on another core, while a command parses its arguments.
package final class EarlyWorker: Sendable {
  private let libraries: WorkerLibraries
  private let worker: Locked<WorkerProcess?>

  /// Starts a worker as an engine with this configuration would.
  ///
  /// Call this on a thread that lives as long as the engine: the kernel ends a worker with the *thread* that started it.
  /// - Returns: nil if it cannot be started. The engine then starts one itself, and reports the reason.
  package init?(_ configuration: MediaEngine.Configuration) {
    libraries = configuration.libraries
    guard let program = try? configuration.workerPath,
      let worker = try? WorkerProcess.start(
        program: program, arguments: configuration.workerArguments, libraries: libraries)
    else { return nil }
    self.worker = Locked(worker)
  }

  /// The worker, for the first engine that asks and needs these libraries.
  func take(for libraries: WorkerLibraries) -> WorkerProcess? {
    guard libraries == self.libraries else { return nil }
    return worker.withLock { worker in
      defer { worker = nil }
      return worker
    }
  }
}

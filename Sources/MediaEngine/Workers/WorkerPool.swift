internal import Foundation
internal import MediaEngineProtocol

/// Starts workers, keeps some ready to replace those that die or are retired, and keeps some that may have another job soon.
///
/// Runs on one thread for the life of the engine, because the kernel sends the parent-death signal when the *thread* that started a process ends.
/// A second thread reaps workers that were replaced: a process of a hundred megabytes takes milliseconds to end, and the next job does not wait.
final class WorkerPool: @unchecked Sendable {
  typealias Start = Result<WorkerProcess, WorkerStartFailure>

  private let start: @Sendable (WorkerLibraries) -> Start
  private let spares: Int
  private let condition = NSCondition()
  // Touched under the condition's lock only, which is what makes the class Sendable.
  private var ready: [Start] = []
  /// What workers load.
  private var libraries: WorkerLibraries
  private var wanted = 0
  /// Whether workers may be started for the reserve.
  private var fillsReserve = false
  private var ending: [WorkerProcess] = []
  private var idle: IdleWorkers
  private var isStopped = false
  private var hasEnded = false
  private var hasCollected = false

  /// - Parameters:
  ///   - spares: Number of ready workers beyond those requested.
  ///   - idle: Workers without a slot.
  ///   - libraries: What workers load at first.
  ///   - first: A worker that was started in advance.
  ///   - start: Starts a worker.
  init(
    spares: Int, idle: IdleWorkers, libraries: WorkerLibraries = .all, first: sending WorkerProcess? = nil,
    start: @escaping @Sendable (WorkerLibraries) -> Start
  ) {
    self.start = start
    self.idle = idle
    self.libraries = libraries
    self.spares = spares
    ready = first.map { [.success($0)] } ?? []
    let thread = Thread { [self] in run() }
    thread.name = "media-workers"
    thread.start()
    let collector = Thread { [self] in collectAll() }
    collector.name = "media-collector"
    collector.start()
  }

  /// Kills and reaps a worker on another thread.
  func collect(_ worker: WorkerProcess) {
    condition.lock()
    ending.append(worker)
    condition.broadcast()
    condition.unlock()
  }

  /// Keeps a worker for the next job of the domain that it has served.
  /// - Returns: The worker that is not kept, which the caller collects; nil if there is room.
  func keep(_ worker: WorkerProcess, of domain: MediaEngine.TrustDomain) -> WorkerProcess? {
    condition.lock()
    defer { condition.unlock() }
    guard !isStopped else { return worker }
    let other = idle.add(worker, of: domain)
    // The collector waits for the first end.
    condition.broadcast()
    return other
  }

  /// The worker that was kept for a domain; nil if there is none.
  func takeIdle(for domain: MediaEngine.TrustDomain) -> WorkerProcess? {
    condition.lock()
    defer { condition.unlock() }
    return idle.take(for: domain)
  }

  /// From now on workers load these libraries; those in the reserve that have not are replaced.
  /// - Parameter insufficient: What the worker had loaded that lacked a library. No effect if workers load something else by now.
  func load(_ more: WorkerLibraries, insteadOf insufficient: WorkerLibraries) {
    condition.lock()
    defer { condition.unlock() }
    guard libraries == insufficient else { return }
    libraries = more
    ending += ready.compactMap { try? $0.get() }
    ready = []
    condition.broadcast()
  }

  /// Fills the reserve again, once the job for which a worker was taken has begun: starting one takes a tenth of a second of a core, which that job
  /// must not wait for.
  func fill() {
    condition.lock()
    fillsReserve = true
    condition.broadcast()
    condition.unlock()
  }

  /// Takes a worker from the reserve, or waits for a new one. Blocking. nil once the engine stops. ``fill()`` follows.
  func take() -> Start? {
    condition.lock()
    defer { condition.unlock() }
    wanted += 1
    fillsReserve = false
    condition.broadcast()
    while ready.isEmpty, !isStopped { condition.wait() }
    wanted -= 1
    return isStopped || ready.isEmpty ? nil : ready.removeFirst()
  }

  /// From now on starts no worker and gives none. ``stop()`` follows.
  func refuse() {
    condition.lock()
    isStopped = true
    condition.broadcast()
    condition.unlock()
  }

  /// Ends starting workers, and kills those in the reserve. Blocking.
  func stop() {
    condition.lock()
    isStopped = true
    condition.broadcast()
    while !hasEnded || !hasCollected { condition.wait() }
    condition.unlock()
  }

  private func run() {
    condition.lock()
    while !isStopped {
      // Spares are started after requested workers, and once retired workers have freed their memory.
      if ready.count >= wanted + (fillsReserve && ending.isEmpty ? spares : 0) {
        condition.wait()
        continue
      }
      let loaded = libraries
      condition.unlock()
      let new = start(loaded)
      condition.lock()
      // Requested in the meantime.
      if loaded != libraries, !isStopped, case .success(let worker) = new {
        ending.append(worker)
        condition.broadcast()
        continue
      }
      // A failure answers a request; none is kept in reserve.
      if case .failure = new, wanted == 0 {
        condition.wait()
        continue
      }
      ready.append(new)
      condition.broadcast()
    }
    ready = []
    hasEnded = true
    condition.broadcast()
    condition.unlock()
  }

  private func collectAll() {
    condition.lock()
    while true {
      ending += isStopped ? idle.takeAll() : idle.takeExpired()
      guard let worker = ending.last else {
        if isStopped { break }
        if let end = idle.nextEnd {
          // The condition waits for a time of day, and clocks can be set back: no wait is longer than 5 seconds.
          let seconds = ContinuousClock.now.duration(to: end) / .seconds(1)
          _ = condition.wait(until: Date(timeIntervalSinceNow: min(5, max(0, seconds))))
        } else {
          condition.wait()
        }
        continue
      }
      condition.unlock()
      worker.end()
      condition.lock()
      ending.removeAll { $0 === worker }
      condition.broadcast()
    }
    hasCollected = true
    condition.broadcast()
    condition.unlock()
  }
}

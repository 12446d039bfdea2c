internal import Foundation

/// Workers that have no job while other trust domains have their slots. Each waits a while for another job of its own domain, and serves no other.
///
/// Part of a ``WorkerPool``, whose lock protects it.
struct IdleWorkers {
  private struct Idle {
    let worker: WorkerProcess
    let domain: MediaEngine.TrustDomain
    let end: ContinuousClock.Instant
  }

  /// Number of workers that may wait.
  private let limit: Int
  /// How long each of them waits.
  private let time: Duration
  /// In the order in which they lost their slots.
  private var workers: [Idle] = []

  init(limit: Int, time: Duration) { (self.limit, self.time) = (max(0, limit), time) }

  /// Adds a worker that has served a domain.
  /// - Returns: The worker to be ended instead: the one that has waited longest if there are too many; nil if there is room.
  mutating func add(
    _ worker: WorkerProcess, of domain: MediaEngine.TrustDomain, at now: ContinuousClock.Instant = .now
  ) -> WorkerProcess? {
    workers.append(Idle(worker: worker, domain: domain, end: now.advanced(by: time)))
    return workers.count > limit ? workers.removeFirst().worker : nil
  }

  /// Takes the worker that has served a domain last; nil if none waits, or if all have waited long enough.
  mutating func take(for domain: MediaEngine.TrustDomain, at now: ContinuousClock.Instant = .now) -> WorkerProcess? {
    guard let index = workers.lastIndex(where: { $0.end > now && $0.domain.shares(with: domain) }) else { return nil }
    return workers.remove(at: index).worker
  }

  /// Takes the workers that have waited long enough.
  mutating func takeExpired(at now: ContinuousClock.Instant = .now) -> [WorkerProcess] {
    let count = workers.prefix { $0.end <= now }.count
    defer { workers.removeFirst(count) }
    return workers[..<count].map(\.worker)
  }

  /// Takes all workers, those too that have not waited long enough: the engine shuts down.
  mutating func takeAll() -> [WorkerProcess] {
    defer { workers = [] }
    return workers.map(\.worker)
  }

  /// When the first of them has waited long enough; nil if none waits.
  var nextEnd: ContinuousClock.Instant? { workers.first?.end }
}

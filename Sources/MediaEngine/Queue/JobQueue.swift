internal import Foundation
internal import MediaEngineProtocol
internal import MediaModel

/// The jobs that wait, those under way, and who waits for which. Bounded: what does not fit is refused at once.
final class JobQueue: @unchecked Sendable {
  /// A caller's place, for giving up.
  struct Place: Sendable {
    let job: QueuedJob
    let waiter: UInt64
  }

  private let condition = NSCondition()
  private let limit: Int
  // Touched under the condition's lock alone, which is what makes the class Sendable.
  private var waiting: [MediaPriority: [QueuedJob]] = [:]
  private var underWay: [JobKey: QueuedJob] = [:]
  private var idleSlots = 0
  private var lastNumber: UInt64 = 0
  private var isStopped = false

  /// - Parameter limit: Jobs that may wait.
  init(limit: Int) { self.limit = limit }

  private func withLock<Value>(_ body: () -> Value) -> Value {
    condition.lock()
    defer { condition.unlock() }
    return body()
  }

  /// Jobs that wait for a slot.
  var waitingCount: Int { withLock { waiting.values.reduce(0) { $0 + $1.count } } }

  /// Adds a job, or joins one that is the same.
  /// - Parameters:
  ///   - isBounded: Whether the caller itself sees to it that its jobs are few; the limit is not for it then.
  ///   - completion: Called once, from any thread.
  /// - Returns: The place, and whether there are more jobs than slots that could take them; nil when it was refused, which
  ///   `completion` has been told.
  func submit(
    _ key: JobKey, priority: MediaPriority, isBounded: Bool, completion: @escaping Completion
  ) -> (place: Place, needsSlot: Bool)? {
    let admitted = withLock { () -> (Place, Bool)?? in
      guard !isStopped else { return .some(nil) }
      lastNumber += 1
      if let same = underWay[key] {
        same.waiters.append(.init(number: lastNumber, completion: completion, isLate: same.isRunning))
        if priority == .interactive, same.priority == .batch, !same.isRunning { promote(same) }
        return (Place(job: same, waiter: lastNumber), false)
      }
      let count = waiting.values.reduce(0) { $0 + $1.count }
      guard isBounded || count < limit + idleSlots else { return nil }
      let job = QueuedJob(key: key, number: lastNumber, priority: priority)
      job.waiters.append(.init(number: lastNumber, completion: completion, isLate: false))
      underWay[key] = job
      waiting[priority, default: []].append(job)
      condition.signal()
      return (Place(job: job, waiter: lastNumber), count + 1 > idleSlots)
    }
    switch admitted {
    case .some(.some(let admitted)): return admitted
    case .some(nil): completion(.failure(.stopped))
    case nil: completion(.failure(.busy))
    }
    return nil
  }

  /// The next job for a slot. Blocking. nil once the queue is stopped.
  func next(wakeSlot: @escaping @Sendable () -> Void) -> QueuedJob? {
    condition.lock()
    defer { condition.unlock() }
    idleSlots += 1
    defer { idleSlots -= 1 }
    while true {
      for priority in MediaPriority.allCases where waiting[priority]?.isEmpty == false {
        guard let job = waiting[priority]?.removeFirst() else { continue }
        job.isRunning = true
        job.wakeSlot = wakeSlot
        return job
      }
      if isStopped { return nil }
      condition.wait()
    }
  }

  /// Whether nobody waits for it any more.
  func isAbandoned(_ job: QueuedJob) -> Bool { withLock { job.waiters.isEmpty } }

  /// Answers everybody who waits for a job.
  /// - Parameter isStale: Whether the file was changed while it was worked on: who came late gets a job of its own.
  func finish(_ job: QueuedJob, _ answer: Result<JobAnswer, MediaFailure>, isStale: Bool = false) {
    let answered = withLock { () -> [QueuedJob.Waiter] in
      underWay[job.key] = nil
      job.wakeSlot = nil
      let late = isStale ? job.waiters.filter(\.isLate) : []
      let answered = job.waiters.filter { !isStale || !$0.isLate }
      job.waiters = []
      guard !late.isEmpty, !isStopped else { return answered + late }
      again(job, late)
      return answered
    }
    for waiter in answered { waiter.completion(answer) }
  }

  /// A caller gives up: it is answered now, and the job goes on only for others.
  func cancel(_ place: Place) {
    let cancelled = withLock { () -> (Completion, (@Sendable () -> Void)?)? in
      let job = place.job
      guard let index = job.waiters.firstIndex(where: { $0.number == place.waiter }) else { return nil }
      let waiter = job.waiters.remove(at: index)
      guard job.waiters.isEmpty else { return (waiter.completion, nil) }
      underWay[job.key] = underWay[job.key] === job ? nil : underWay[job.key]
      waiting[job.priority]?.removeAll { $0 === job }
      return (waiter.completion, job.wakeSlot)
    }
    cancelled?.1?()
    cancelled?.0(.failure(.cancelled))
  }

  /// No more jobs: those that wait are answered, those that run are given up.
  func stop() {
    let (given, wakes) = withLock { () -> ([QueuedJob.Waiter], [@Sendable () -> Void]) in
      isStopped = true
      let jobs = Array(underWay.values)
      let waiters = jobs.flatMap(\.waiters)
      for job in jobs { job.waiters = [] }
      waiting = [:]
      underWay = [:]
      condition.broadcast()
      return (waiters, jobs.compactMap(\.wakeSlot))
    }
    for wake in wakes { wake() }
    for waiter in given { waiter.completion(.failure(.stopped)) }
  }

  /// From the batch to those that a person waits for.
  private func promote(_ job: QueuedJob) {
    waiting[.batch]?.removeAll { $0 === job }
    job.priority = .interactive
    waiting[.interactive, default: []].append(job)
  }

  /// A new job, at the front, for those who came late. Their places name the old one: giving up then has no effect, and the answer comes.
  private func again(_ job: QueuedJob, _ late: [QueuedJob.Waiter]) {
    lastNumber += 1
    let new = QueuedJob(key: job.key, number: lastNumber, priority: job.priority)
    new.waiters = late.map { .init(number: $0.number, completion: $0.completion, isLate: false) }
    underWay[job.key] = new
    waiting[job.priority, default: []].insert(new, at: 0)
    condition.signal()
  }
}

extension MediaFailure {
  /// The engine has been shut down.
  static let stopped = MediaFailure(.cancelled, "The engine was shut down.")
}

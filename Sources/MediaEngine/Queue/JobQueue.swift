internal import Foundation
internal import MediaEngineProtocol
internal import MediaModel

/// The waiting and running jobs with their callers. Limited: further jobs are refused at once.
final class JobQueue: @unchecked Sendable {
  /// The position of a caller, needed to cancel.
  struct Position: Sendable {
    let job: QueuedJob
    let waiter: UInt64
  }

  /// Whether a job was accepted.
  enum Admission {
    /// The job waits, or the caller has joined an equal one. `needsSlot`: there are more jobs than idle slots.
    case admitted(Position, needsSlot: Bool)
    /// The job was refused; its completion has been called.
    case refused(MediaFailure)
  }

  private let condition = NSCondition()
  private let limit: Int
  private let joining: Int
  private let slots: Int
  private let givenUp: @Sendable (QueuedJob) -> Void
  // Touched under the condition's lock only, which is what makes the class Sendable.
  private var waiting: [MediaEngine.Priority: [QueuedJob]] = [:]
  private var underWay: [JobKey: QueuedJob] = [:]
  private var idleSlots = 0
  /// The domain of each slot that waits here; nil for one whose worker has served none.
  private var idleDomains: [MediaEngine.TrustDomain?] = []
  private var runningCount = 0
  private var joinedCount = 0
  private var lastNumber: UInt64 = 0
  private var isClosed = false

  /// - Parameters:
  ///   - limit: Maximum number of waiting jobs of callers that do not limit their own number.
  ///   - joining: Maximum number of callers that wait for jobs of others.
  ///   - slots: Maximum number of running jobs. A job for a slot that is free, or not started yet, does not count as waiting.
  ///   - givenUp: Called for each job that was cancelled before it began.
  init(
    limit: Int, joining: Int = .max, slots: Int = 0, givenUp: @escaping @Sendable (QueuedJob) -> Void = { _ in }
  ) {
    self.limit = limit
    self.joining = joining
    self.slots = slots
    self.givenUp = givenUp
  }

  private func withLock<Value>(_ body: () -> Value) -> Value {
    condition.lock()
    defer { condition.unlock() }
    return body()
  }

  /// Number of jobs that wait for a slot.
  var waitingCount: Int { withLock { waiting.values.reduce(0) { $0 + $1.count } } }

  /// The domain of each slot that waits for a job, for tests.
  var waitingSlots: [MediaEngine.TrustDomain?] { withLock { idleDomains } }

  /// Adds a job, or joins an equal one.
  /// - Parameters:
  ///   - isBounded: Whether the caller limits its own number of jobs, so that the queue's limits do not apply.
  ///   - progress: Called from any thread with the progress of the job.
  ///   - completion: Called once, from any thread.
  func submit(
    _ key: JobKey, priority: MediaEngine.Priority, isBounded: Bool, progress: ProgressHandler? = nil,
    completion: @escaping Completion
  ) -> Admission {
    let admission = withLock { () -> Admission in
      guard !isClosed else { return .refused(.stopped) }
      lastNumber += 1
      if let same = underWay[key] {
        guard isBounded || joinedCount < joining else { return .refused(.busy) }
        joinedCount += 1
        same.waiters.append(
          .init(
            number: lastNumber, completion: completion, progress: progress, isLate: same.isRunning, hasJoined: true))
        if priority == .interactive, same.priority == .batch, !same.isRunning { promote(same) }
        return .admitted(Position(job: same, waiter: lastNumber), needsSlot: false)
      }
      let count = waiting.values.reduce(0) { $0 + $1.count }
      guard isBounded || hasRoom(count) else { return .refused(.busy) }
      let job = QueuedJob(key: key, number: lastNumber, priority: priority, isBounded: isBounded)
      job.waiters.append(
        .init(number: lastNumber, completion: completion, progress: progress, isLate: false, hasJoined: false))
      underWay[key] = job
      waiting[priority, default: []].append(job)
      condition.signal()
      return .admitted(Position(job: job, waiter: lastNumber), needsSlot: count + 1 > idleSlots)
    }
    if case .refused(let failure) = admission { completion(.failure(failure)) }
    return admission
  }

  /// Whether another job may wait. The jobs of callers that limit their own number take free slots, and no positions from others.
  /// - Parameter count: Number of waiting jobs.
  private func hasRoom(_ count: Int) -> Bool {
    let limited = waiting.values.reduce(0) { $0 + $1.count(where: { !$0.isBounded }) }
    return min(limited, count - max(0, slots - runningCount)) < limit
  }

  /// Announces an idle slot, so that none has to be started for the next job.
  func slotIsIdle() { withLock { idleSlots += 1 } }

  /// Waits for the next job of an announced slot. Blocking. nil once the queue is stopped.
  /// - Parameter domain: The domain that the slot's worker has served; nil for none. The slot takes a job of that domain before an older job of
  ///   another, which is skipped eight times at most.
  func next(domain: MediaEngine.TrustDomain? = nil, wakeSlot: @escaping @Sendable () -> Void) -> QueuedJob? {
    condition.lock()
    defer { condition.unlock() }
    defer { idleSlots = max(0, idleSlots - 1) }
    while true {
      if let (priority, index) = choice(for: domain), let job = waiting[priority]?.remove(at: index) {
        job.isRunning = true
        job.wakeSlot = wakeSlot
        runningCount += 1
        // A slot that left an older job to this one looks again.
        if !idleDomains.isEmpty, waiting.values.contains(where: { !$0.isEmpty }) { condition.broadcast() }
        return job
      }
      if isClosed { return nil }
      idleDomains.append(domain)
      condition.wait()
      if let index = idleDomains.firstIndex(of: domain) { idleDomains.remove(at: index) }
    }
  }

  /// The waiting job that a slot takes; nil if there is none, or if another waiting slot suits it better.
  private func choice(for domain: MediaEngine.TrustDomain?) -> (MediaEngine.Priority, Int)? {
    for priority in MediaEngine.Priority.allCases {
      guard let jobs = waiting[priority], let oldest = jobs.first else { continue }
      guard let domain, !domain.shares(with: oldest.key.domain) else { return (priority, 0) }
      if oldest.timesSkipped < Self.maxSkips,
        let index = jobs.prefix(Self.lookahead).firstIndex(where: { domain.shares(with: $0.key.domain) })
      {
        oldest.timesSkipped += 1
        return (priority, index)
      }
      // A slot whose worker has served this domain or none needs no new worker for it.
      let suitsBetter: (MediaEngine.TrustDomain?) -> Bool = { $0.map { $0.shares(with: oldest.key.domain) } ?? true }
      guard !isClosed, idleDomains.contains(where: suitsBetter) else { return (priority, 0) }
      condition.broadcast()
      return nil
    }
    return nil
  }

  /// Number of jobs among which a slot looks for one of its own domain.
  private static let lookahead = 64
  /// How often a younger job may be taken before the oldest.
  private static let maxSkips = 8

  /// Whether all callers of a job have cancelled.
  func isAbandoned(_ job: QueuedJob) -> Bool { withLock { job.waiters.isEmpty } }

  /// Whether a caller joined a job after its start. It must not get an answer from before a change of the file.
  func hasLateWaiters(_ job: QueuedJob) -> Bool { withLock { job.waiters.contains(where: \.isLate) } }

  /// Reports the progress of a job to all its callers.
  func report(_ progress: TranscodeProgress, of job: QueuedJob) {
    for handler in withLock({ job.waiters.compactMap(\.progress) }) { handler(progress) }
  }

  /// Answers all callers of a job.
  /// - Parameter isStale: Whether the file changed during the job: callers that joined late get a new job.
  func finish(_ job: QueuedJob, _ answer: Result<JobAnswer, MediaFailure>, isStale: Bool = false) {
    let answered = withLock { () -> [QueuedJob.Waiter] in
      runningCount -= 1
      erase(job)
      job.wakeSlot = nil
      let late = isStale ? job.waiters.filter(\.isLate) : []
      let answered = job.waiters.filter { late.isEmpty || !$0.isLate }
      job.waiters = []
      joinedCount -= answered.count(where: \.hasJoined)
      if !late.isEmpty { again(job, late) }
      return answered
    }
    for waiter in answered { waiter.completion(answer) }
  }

  /// Cancels for one caller, which is answered at once. The job continues only for other callers.
  func cancel(_ position: Position) {
    let cancelled = withLock { () -> (Completion, then: (@Sendable () -> Void)?)? in
      // A late caller may have been moved to another job since.
      var found: QueuedJob? = position.job
      while let job = found, !job.waiters.contains(where: { $0.number == position.waiter }) { found = job.next }
      guard let job = found, let index = job.waiters.firstIndex(where: { $0.number == position.waiter }) else {
        return nil
      }
      let waiter = job.waiters.remove(at: index)
      if waiter.hasJoined { joinedCount -= 1 }
      guard job.waiters.isEmpty else { return (waiter.completion, nil) }
      erase(job)
      waiting[job.priority]?.removeAll { $0 === job }
      let neverBegan: @Sendable () -> Void = { [givenUp] in givenUp(job) }
      return (waiter.completion, job.isRunning ? job.wakeSlot : neverBegan)
    }
    cancelled?.then?()
    cancelled?.0(.failure(.cancelled))
  }

  /// Refuses new jobs; accepted ones are done.
  func close() {
    withLock {
      isClosed = true
      condition.broadcast()
    }
  }

  /// Refuses new jobs, answers waiting ones, and abandons running ones.
  func stop() {
    let (given, wakes, neverBegan) = withLock {
      () -> ([QueuedJob.Waiter], [@Sendable () -> Void], [QueuedJob]) in
      isClosed = true
      let jobs = Array(underWay.values)
      let waiters = jobs.flatMap(\.waiters)
      for job in jobs { job.waiters = [] }
      joinedCount = 0
      waiting = [:]
      underWay = [:]
      condition.broadcast()
      return (waiters, jobs.compactMap(\.wakeSlot), jobs.filter { !$0.isRunning })
    }
    for wake in wakes { wake() }
    for job in neverBegan { givenUp(job) }
    for waiter in given { waiter.completion(.failure(.stopped)) }
  }

  /// Moves a job from batch to interactive priority.
  private func promote(_ job: QueuedJob) {
    waiting[.batch]?.removeAll { $0 === job }
    job.priority = .interactive
    waiting[.interactive, default: []].append(job)
  }

  /// Ends joining a job. An abandoned job may have a successor with the same key, which stays.
  private func erase(_ job: QueuedJob) {
    if underWay[job.key] === job { underWay[job.key] = nil }
  }

  /// Creates a new job at the front for late callers. Their positions name the old job, which refers to the new one.
  private func again(_ job: QueuedJob, _ late: [QueuedJob.Waiter]) {
    lastNumber += 1
    let new = QueuedJob(key: job.key, number: lastNumber, priority: job.priority, isBounded: job.isBounded)
    new.waiters = late.map {
      .init(
        number: $0.number, completion: $0.completion, progress: $0.progress, isLate: false, hasJoined: $0.hasJoined)
    }
    job.next = new
    underWay[job.key] = new
    waiting[job.priority, default: []].insert(new, at: 0)
    condition.signal()
  }
}

extension MediaFailure {
  /// The engine was shut down.
  static let stopped = MediaFailure(.cancelled, "The engine was shut down.")
}

internal import Foundation
internal import MediaEngineProtocol
internal import MediaModel

/// The jobs that wait, those under way, and who waits for which. Bounded: what does not fit is refused at once.
final class JobQueue: @unchecked Sendable {
  /// A caller's place, for giving up.
  struct Position: Sendable {
    let job: QueuedJob
    let waiter: UInt64
  }

  /// Whether there is a place for a job.
  enum Admission {
    /// It waits, or has joined one that does. `needsSlot`: there are more jobs than slots that could take them.
    case admitted(Position, needsSlot: Bool)
    /// Its completion has been told so.
    case refused(MediaFailure)
  }

  private let condition = NSCondition()
  private let limit: Int
  private let joining: Int
  private let slots: Int
  private let givenUp: @Sendable (QueuedJob) -> Void
  // Touched under the condition's lock alone, which is what makes the class Sendable.
  private var waiting: [MediaEngine.Priority: [QueuedJob]] = [:]
  private var underWay: [JobKey: QueuedJob] = [:]
  private var idleSlots = 0
  private var runningCount = 0
  private var joinedCount = 0
  private var lastNumber: UInt64 = 0
  private var isClosed = false

  /// - Parameters:
  ///   - limit: Jobs that may wait.
  ///   - joining: Callers that may wait for jobs of others.
  ///   - slots: Jobs that may run at once, whether what runs them has been started or not. A job for one of them does not wait.
  ///   - givenUp: Called for each job that ends before it began, because nobody waited any more.
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

  /// Jobs that wait for a slot.
  var waitingCount: Int { withLock { waiting.values.reduce(0) { $0 + $1.count } } }

  /// Adds a job, or joins one that is the same.
  /// - Parameters:
  ///   - isBounded: Whether the caller itself sees to it that its jobs are few; the limits are not for it then.
  ///   - progress: Called from any thread with how far the job has come.
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
      guard isBounded || count - max(0, slots - runningCount) < limit else { return .refused(.busy) }
      let job = QueuedJob(key: key, number: lastNumber, priority: priority)
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

  /// A slot will soon ask for a job: none has to be started for the next one.
  func slotIsIdle() { withLock { idleSlots += 1 } }

  /// The next job for a slot that was said to be idle. Blocking. nil once the queue is stopped.
  func next(wakeSlot: @escaping @Sendable () -> Void) -> QueuedJob? {
    condition.lock()
    defer { condition.unlock() }
    defer { idleSlots = max(0, idleSlots - 1) }
    while true {
      for priority in MediaEngine.Priority.allCases where waiting[priority]?.isEmpty == false {
        guard let job = waiting[priority]?.removeFirst() else { continue }
        job.isRunning = true
        job.wakeSlot = wakeSlot
        runningCount += 1
        return job
      }
      if isClosed { return nil }
      condition.wait()
    }
  }

  /// Whether nobody waits for it any more.
  func isAbandoned(_ job: QueuedJob) -> Bool { withLock { job.waiters.isEmpty } }

  /// Whether somebody came to a job after it had begun, who must not get an answer from before the file was changed.
  func hasLateWaiters(_ job: QueuedJob) -> Bool { withLock { job.waiters.contains(where: \.isLate) } }

  /// Tells everybody who waits for a job how far it has come.
  func tell(_ progress: TranscodeProgress, of job: QueuedJob) {
    for handler in withLock({ job.waiters.compactMap(\.progress) }) { handler(progress) }
  }

  /// Answers everybody who waits for a job.
  /// - Parameter isStale: Whether the file was changed while it was worked on: who came late gets a job of its own.
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

  /// A caller gives up: it is answered now, and the job goes on only for others.
  func cancel(_ position: Position) {
    let cancelled = withLock { () -> (Completion, then: (@Sendable () -> Void)?)? in
      // Who came late may have been given to another job since.
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

  /// No more jobs are accepted; those that were are done.
  func close() {
    withLock {
      isClosed = true
      condition.broadcast()
    }
  }

  /// No more jobs: those that wait are answered, those that run are given up.
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

  /// From the batch to those that a person waits for.
  private func promote(_ job: QueuedJob) {
    waiting[.batch]?.removeAll { $0 === job }
    job.priority = .interactive
    waiting[.interactive, default: []].append(job)
  }

  /// Nobody joins it any more. (One that was given up may have been followed by another of the same key, which stays.)
  private func erase(_ job: QueuedJob) {
    if underWay[job.key] === job { underWay[job.key] = nil }
  }

  /// A new job, at the front, for those who came late. Their places name the old one, which says what followed it.
  private func again(_ job: QueuedJob, _ late: [QueuedJob.Waiter]) {
    lastNumber += 1
    let new = QueuedJob(key: job.key, number: lastNumber, priority: job.priority)
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
  /// The engine has been shut down.
  static let stopped = MediaFailure(.cancelled, "The engine was shut down.")
}

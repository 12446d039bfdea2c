internal import FileSupport
internal import Foundation
internal import MediaEngineProtocol
internal import MediaModel

/// The threads of an engine with their shared state. Lives until the last thread has ended.
final class EngineCore: @unchecked Sendable {
  let queue: JobQueue
  private let report: EngineReport
  private let makeSlot: @Sendable () -> any JobSlot
  private let maximum: Int
  /// Called once, after the last slot has ended.
  private let cleanUp: @Sendable () -> Void

  private let lock = NSCondition()
  // Touched under the lock only, which is what makes the class Sendable.
  private var slots = 0
  private var begun = 0
  /// Whether starting slots has ended.
  private var isDraining = false
  private var isStopped = false
  private var isOver = false

  private let watchdog = HangWatchdog()
  private let open: Opening
  private let maxLost: Int

  /// Opens a file. Blocking.
  typealias Opening = @Sendable (MediaSource) throws(MediaFailure) -> OpenedFile

  /// - Parameters:
  ///   - waiting: Maximum number of waiting jobs.
  ///   - joining: Maximum number of callers that wait for jobs of others.
  ///   - maxLost: Maximum number of threads that may hang at once. Each takes some kilobytes until its file opens after all; with so many, more is
  ///     wrong than a single file.
  init(
    slots maximum: Int, waiting: Int, joining: Int, maxLost: Int = 64, report: EngineReport,
    cleanUp: @escaping @Sendable () -> Void,
    open: @escaping Opening = { source throws(MediaFailure) in try OpenedFile(source) },
    makeSlot: @escaping @Sendable () -> any JobSlot
  ) {
    self.maximum = maximum
    self.report = report
    self.makeSlot = makeSlot
    self.cleanUp = cleanUp
    self.open = open
    self.maxLost = maxLost
    queue = JobQueue(limit: waiting, joining: joining, slots: maximum) { report.givenUp($0) }
  }

  /// Adds a job, or joins an equal one. `completion` gets the answer or the refusal, `progress` the progress.
  /// - Returns: The position, needed to cancel; nil if the job was refused.
  func submit(
    _ key: JobKey, priority: MediaEngine.Priority, isBounded: Bool, progress: ProgressHandler? = nil,
    completion: @escaping Completion
  ) -> JobQueue.Position? {
    let admission = queue.submit(
      key, priority: priority, isBounded: isBounded, progress: progress, completion: completion)
    switch admission {
    case .admitted(let position, let needsSlot):
      if needsSlot { startSlot() }
      return position
    case .refused(let failure):
      report.refused(failure)
      return nil
    }
  }

  /// Starts one more slot, if the maximum allows it.
  /// - Parameter ready: Called when the slot is ready for jobs, or has failed to start.
  @discardableResult
  func startSlot(ready: @escaping @Sendable (WorkerStartFailure?) -> Void = { _ in }) -> Bool {
    lock.lock()
    let may = begun < maximum && !isDraining
    if may {
      begun += 1
      slots += 1
    }
    lock.unlock()
    guard may else { return false }
    startThread { [self] in
      let slot = makeSlot()
      prepare(slot, ready)
      work(on: slot)
    }
    return true
  }

  /// Ends all threads. Waiting callers get an answer; running jobs are abandoned.
  func stop() {
    lock.lock()
    let wasStopped = isStopped
    let isIdle = slots == 0 && !isDraining
    isDraining = true
    isStopped = true
    lock.unlock()
    guard !wasStopped else { return }
    queue.stop()
    if isIdle { end() }
  }

  /// Ends all threads after the accepted jobs; new jobs are refused.
  func drain() {
    lock.lock()
    let wasDraining = isDraining
    isDraining = true
    let isIdle = slots == 0
    lock.unlock()
    guard !wasDraining else { return }
    queue.close()
    if isIdle { end() }
  }

  /// Waits until all threads and workers have ended. Blocking. Call it after ``stop()`` or ``drain()``.
  func join() {
    lock.lock()
    while !isOver { lock.wait() }
    lock.unlock()
  }

  /// Cleans up after the last slot.
  private func end() {
    // Answers jobs that were accepted just before the last slot ended.
    queue.stop()
    watchdog.stop()
    cleanUp()
    lock.lock()
    isOver = true
    lock.broadcast()
    lock.unlock()
  }

  private func startThread(_ body: @escaping @Sendable () -> Void) {
    Thread.startForJobs(name: "media-slot", body)
  }

  private func prepare(_ slot: any JobSlot, _ ready: (WorkerStartFailure?) -> Void) {
    var failure: WorkerStartFailure?
    do throws(WorkerStartFailure) { try slot.prepare() } catch {
      report.failedToStart(error)
      // Reported to the caller that starts the engine; a slot that is added later tries again with each job.
      failure = error
    }
    // Before the callback, so that the first job does not start a second slot.
    queue.slotIsIdle()
    ready(failure)
  }

  /// Does jobs until there are no more, or until this thread is replaced.
  private func work(on slot: any JobSlot) {
    while let job = queue.next(domain: slot.domain, wakeSlot: slot.wake) {
      guard perform(job, on: slot) else { return }
      queue.slotIsIdle()
    }
    slot.end()
    lock.lock()
    slots -= 1
    let isLast = slots == 0 && isDraining
    lock.unlock()
    if isLast { end() }
  }

  /// Does one job.
  /// - Returns: Whether the slot still belongs to this thread.
  private func perform(_ job: QueuedJob, on slot: any JobSlot) -> Bool {
    let began = ContinuousClock.now
    let mayHang = if case .path = job.key.source.content { true } else { false }
    if mayHang, watchdog.lostCount >= maxLost {
      finish(job, began: began, .failure(.tooManyHang(watchdog.lostCount, of: maxLost)))
      return true
    }
    let answer: Result<JobAnswer, MediaFailure>
    var state: FileStatus?
    do throws(MediaFailure) {
      guard let found = try self.answer(to: job, began: began, on: slot, state: &state) else { return false }
      answer = found
    } catch {
      answer = .success(JobAnswer(error, of: job.key.job))
    }
    release(job)
    // Checked only for late callers, because it costs another call to the file system.
    guard case .path(let path) = job.key.source.content, queue.hasLateWaiters(job) else {
      finish(job, began: began, answer)
      return true
    }
    let isStale = watchdog.run(within: Self.patience(job)) {
      (try? FileStatus(at: PathBytes(path))) != state
    } givenUp: { [self] in
      finish(job, began: began, answer, isStale: true)
      replaceThread(of: slot)
    }
    guard let isStale else { return false }
    finish(job, began: began, answer, isStale: isStale)
    return true
  }

  /// Does a job, with as few bytes of a file that is fetched as it needs.
  /// - Returns: nil if opening the file took too long: the slot then belongs to another thread.
  private func answer(
    to job: QueuedJob, began: ContinuousClock.Instant, on slot: any JobSlot, state: inout FileStatus?
  ) throws(MediaFailure) -> Result<JobAnswer, MediaFailure>? {
    if case .ranges = job.key.source.content, let facts = job.key.job.factsFirst {
      guard let found = try answer(to: job, facts, began: began, on: slot, state: &state) else { return nil }
      guard case .success(let answer) = found else { return found }
      if let answer = answer.withIcon { return .success(answer) }
    }
    return try answer(to: job, job.key.job, began: began, on: slot, state: &state)
  }

  /// Opens the file of a job, and does the part `work` of the job.
  private func answer(
    to job: QueuedJob, _ work: MediaJob, began: ContinuousClock.Instant, on slot: any JobSlot,
    state: inout FileStatus?
  ) throws(MediaFailure) -> Result<JobAnswer, MediaFailure>? {
    guard let file = try opened(job, work, began: began, for: slot) else { return nil }
    state = file.state
    let refusal = file.refusal
    let found = slot.perform(
      refusal.flatMap { _ in work.readingParts } ?? work, of: job.key.domain, number: job.number, file: file
    ) {
      queue.isAbandoned(job)
    } progress: { [queue] in
      queue.report($0, of: job)
    }
    return found.map { answer in refusal.map { answer.refusing($0, of: work) } ?? answer }
  }

  /// Opens the file of a job for a part of it. nil if that took too long: the slot then belongs to another thread.
  private func opened(
    _ job: QueuedJob, _ work: MediaJob, began: ContinuousClock.Instant, for slot: any JobSlot
  ) throws(MediaFailure) -> OpenedFile? {
    if case .ranges(let source) = job.key.source.content {
      // Bounded by its reader, unless the callers cancel.
      let isUnwanted: @Sendable () -> Bool = { [queue] in queue.isAbandoned(job) }
      return try watchdog.run(within: .seconds(source.seconds + 60), isUnwanted: isUnwanted) {
        () throws(MediaFailure) in
        try OpenedFile(source, for: work)
      } givenUp: { [self] in
        source.reader.cancel()
        // The next job of this source is not cancelled.
        source.reader.release()
        finish(job, began: began, .failure(.cancelled))
        replaceThread(of: slot)
      }
    }
    return try watchdog.run(within: Self.patience(job)) { () throws(MediaFailure) in
      try open(job.key.source)
    } givenUp: { [self] in
      finish(job, began: began, .success(JobAnswer(.opensNot, of: job.key.job)))
      replaceThread(of: slot)
    }
  }

  /// Ends what a job may still fetch, and frees what it has fetched.
  private func release(_ job: QueuedJob) {
    guard case .ranges(let source) = job.key.source.content else { return }
    if queue.isAbandoned(job) { source.reader.cancel() }
    source.reader.release()
  }

  private func finish(
    _ job: QueuedJob, began: ContinuousClock.Instant, _ answer: Result<JobAnswer, MediaFailure>, isStale: Bool = false
  ) {
    report.finished(job, began: began, answer: answer)
    queue.finish(job, answer, isStale: isStale)
  }

  /// Replaces a blocked thread: another one takes over its slot, and the blocked thread never touches it again.
  private func replaceThread(of slot: any JobSlot) {
    report.lostThread()
    startThread { [self] in
      queue.slotIsIdle()
      work(on: slot)
    }
  }

  /// Maximum time to open a file: the limit of the job's first stage plus one second.
  private static func patience(_ job: QueuedJob) -> Duration {
    .milliseconds(Int64(1_000 * (1 + max(0, min(job.key.job.seconds(of: job.key.job.firstStage, info: nil), 3_600)))))
  }
}

extension MediaFailure {
  /// The deadline passed before the file was open.
  fileprivate static let opensNot = MediaFailure.timedOut(
    detail: "open() did not return before the deadline (network mount, FIFO or automount?)")
  /// An unresponsive file system blocks the maximum number of threads.
  fileprivate static func tooManyHang(_ count: Int, of limit: Int) -> MediaFailure {
    MediaFailure(.unavailable, "Too many files are blocked in open(): \(count) of \(limit).")
  }
}

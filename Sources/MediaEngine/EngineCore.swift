internal import FileSupport
internal import Foundation
internal import MediaEngineProtocol
internal import MediaModel

/// The threads of an engine, and what they share. Lives until the last of them has ended.
final class EngineCore: @unchecked Sendable {
  let queue: JobQueue
  private let report: EngineReport
  private let makeSlot: @Sendable () -> any JobSlot
  private let maximum: Int
  /// Called once, when the last slot has ended.
  private let cleanUp: @Sendable () -> Void

  private let lock = NSCondition()
  // Touched under the lock alone, which is what makes the class Sendable.
  private var slots = 0
  private var begun = 0
  /// No more slots are started.
  private var isDraining = false
  private var isStopped = false
  private var isOver = false

  private let watchdog = HangWatchdog()
  private let open: Opening
  private let maxLost: Int

  /// How a file is opened. Blocking.
  typealias Opening = @Sendable (MediaSource) throws(MediaFailure) -> OpenedFile

  /// - Parameters:
  ///   - waiting: Jobs that may wait.
  ///   - joining: Callers that may wait for jobs of others.
  ///   - maxLost: Threads that may hang at once. Each is some kilobytes until its file opens after all; with so many there is more
  ///     wrong than a file.
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

  /// Adds a job, or joins one that is the same; `completion` is told what comes of it, a refusal too, and `progress` how far it has come.
  /// - Returns: The place, for giving up; nil when it was refused.
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

  /// Starts one more slot, if there may be one.
  /// - Parameter ready: Called when it is ready for jobs, or cannot be.
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

  /// Ends all threads. Those who wait are answered; running jobs are given up.
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

  /// Ends all threads once the jobs that were accepted are done; new ones are refused.
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

  /// Waits until all threads and workers have ended. Blocking. After ``stop()`` or ``drain()``.
  func join() {
    lock.lock()
    while !isOver { lock.wait() }
    lock.unlock()
  }

  /// Nobody works any more.
  private func end() {
    // Jobs that were accepted just before the last slot ended.
    queue.stop()
    watchdog.stop()
    cleanUp()
    lock.lock()
    isOver = true
    lock.broadcast()
    lock.unlock()
  }

  private func startThread(_ body: @escaping @Sendable () -> Void) {
    let thread = Thread(block: body)
    thread.name = "media-slot"
    // What the C libraries are used to, for they may run on it.
    thread.stackSize = 8 << 20
    thread.start()
  }

  private func prepare(_ slot: any JobSlot, _ ready: (WorkerStartFailure?) -> Void) {
    var failure: WorkerStartFailure?
    do throws(WorkerStartFailure) { try slot.prepare() } catch {
      report.failedToStart(error)
      // Whoever starts the engine is told; a slot that is added later tries again with each job.
      failure = error
    }
    // Before anybody knows: the first job needs no second slot.
    queue.slotIsIdle()
    ready(failure)
  }

  /// Does jobs until there are no more, or until this thread is given up.
  private func work(on slot: any JobSlot) {
    while let job = queue.next(wakeSlot: slot.wake) {
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
  /// - Returns: Whether the slot is still this thread's.
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
      let file = try watchdog.run(within: Self.patience(job)) { () throws(MediaFailure) in
        try open(job.key.source)
      } givenUp: { [self] in
        finish(job, began: began, .success(JobAnswer(.opensNot, of: job.key.job)))
        replaceThread(of: slot)
      }
      guard let file else { return false }
      state = file.state
      answer = slot.perform(job.key.job, number: job.number, file: file) {
        queue.isAbandoned(job)
      } progress: { [queue] in
        queue.tell($0, of: job)
      }
    } catch {
      answer = .success(JobAnswer(error, of: job.key.job))
    }
    // Asked only where somebody depends on it: it is one more question to a file system.
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

  private func finish(
    _ job: QueuedJob, began: ContinuousClock.Instant, _ answer: Result<JobAnswer, MediaFailure>, isStale: Bool = false
  ) {
    report.finished(job, began: began, answer: answer)
    queue.finish(job, answer, isStale: isStale)
  }

  /// A thread does not come back: another one takes over its slot, which it does not touch again.
  private func replaceThread(of slot: any JobSlot) {
    report.lostThread()
    startThread { [self] in
      queue.slotIsIdle()
      work(on: slot)
    }
  }

  /// How long a file may take to open: as long as the first part of its job, and a second.
  private static func patience(_ job: QueuedJob) -> Duration {
    .milliseconds(Int64(1_000 * (1 + max(0, min(job.key.job.seconds(of: job.key.job.firstStage, info: nil), 3_600)))))
  }
}

extension MediaFailure {
  /// The deadline passed before there was a file.
  fileprivate static let opensNot = MediaFailure.timedOut(detail: "open() did not return in time")
  /// A file system that does not answer has all the threads that there may be.
  fileprivate static func tooManyHang(_ count: Int, of limit: Int) -> MediaFailure {
    MediaFailure(.unavailable, "Too many files are blocked in open(): \(count) of \(limit).")
  }
}

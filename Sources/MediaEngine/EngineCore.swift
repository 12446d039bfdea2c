internal import Foundation
internal import MediaEngineProtocol
internal import MediaModel

/// The threads of an engine, and what they share. Lives until the last of them has ended.
final class EngineCore: @unchecked Sendable {
  let queue: JobQueue
  private let report: EngineReport
  private let makeSlot: @Sendable () -> any JobSlot
  private let most: Int
  /// Called once, when the last slot has ended.
  private let cleanUp: @Sendable () -> Void

  private let lock = NSCondition()
  // Touched under the lock alone, which is what makes the class Sendable.
  private var slots = 0
  private var begun = 0
  private var isStopped = false
  private var isOver = false

  init(
    slots most: Int, waiting: Int, report: EngineReport, cleanUp: @escaping @Sendable () -> Void,
    makeSlot: @escaping @Sendable () -> any JobSlot
  ) {
    self.most = most
    self.report = report
    self.makeSlot = makeSlot
    self.cleanUp = cleanUp
    queue = JobQueue(limit: waiting)
  }

  /// Starts one more slot, if there may be one.
  /// - Parameter ready: Called when it is ready for jobs, or cannot be.
  @discardableResult
  func startSlot(ready: @escaping @Sendable (HelperStartFailure?) -> Void = { _ in }) -> Bool {
    lock.lock()
    let may = begun < most && !isStopped
    if may {
      begun += 1
      slots += 1
    }
    lock.unlock()
    guard may else { return false }
    let thread = Thread { [self] in
      run(ready)
      lock.lock()
      slots -= 1
      let isLast = slots == 0 && isStopped
      lock.unlock()
      if isLast { end() }
    }
    thread.name = "media-slot"
    // What the C libraries are used to, for they may run on it.
    thread.stackSize = 8 << 20
    thread.start()
    return true
  }

  /// Ends all threads. Those who wait are answered; running jobs are given up.
  func stop() {
    lock.lock()
    let wasStopped = isStopped
    isStopped = true
    let isEmpty = slots == 0
    lock.unlock()
    guard !wasStopped else { return }
    queue.stop()
    if isEmpty { end() }
  }

  /// Waits until all threads and helpers have ended. Blocking. After ``stop()``.
  func join() {
    lock.lock()
    while !isOver { lock.wait() }
    lock.unlock()
  }

  /// Nobody works any more.
  private func end() {
    cleanUp()
    lock.lock()
    isOver = true
    lock.broadcast()
    lock.unlock()
  }

  private func run(_ ready: (HelperStartFailure?) -> Void) {
    let slot = makeSlot()
    defer { slot.end() }
    do throws(HelperStartFailure) {
      try slot.prepare()
      ready(nil)
    } catch {
      report.failedToStart(error)
      // Whoever starts the engine is told; a slot that is added later tries again with each job.
      ready(error)
    }
    while let job = queue.next(wakeSlot: slot.wake) { perform(job, on: slot) }
  }

  private func perform(_ job: QueuedJob, on slot: any JobSlot) {
    let began = ContinuousClock.now
    var answer: Result<JobAnswer, MediaFailure>
    var state: FileState?
    do throws(MediaFailure) {
      let file = try OpenedFile(job.key.source)
      state = file.state
      answer = slot.perform(job.key.job, number: job.number, file: file) { queue.isAbandoned(job) }
    } catch {
      answer = .success(JobAnswer(error, of: job.key.job))
    }
    report.finished(job, began: began, answer: answer)
    var isStale = false
    if case .path(let path) = job.key.source.content { isStale = FileState(path: path) != state }
    queue.finish(job, answer, isStale: isStale)
  }
}

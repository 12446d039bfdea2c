internal import CEngineShims
internal import Foundation
internal import Glibc
internal import MediaEngineProtocol
internal import MediaModel

/// One place at which jobs are done: it has a worker, gives it a job, waits with a deadline, and replaces it when it dies.
///
/// Used on one thread at a time, which is what makes the class Sendable; only ``wake`` is called from others.
final class WorkerSlot: JobSlot, @unchecked Sendable {
  private let pool: WorkerPool
  private let limits: MediaEngine.WorkerLimits
  private let accepts: @Sendable (WorkerGreeting) -> WorkerStartFailure?
  private let report: EngineReport
  private let eventFD = EventFD()
  private var worker: WorkerProcess?
  /// The last job and its JSON.
  private var written: (job: MediaJob, text: [UInt8])?
  private(set) var greeting: WorkerGreeting?

  /// - Parameter accepts: Why a worker with that greeting is not good enough; nil when it is.
  init(
    pool: WorkerPool, limits: MediaEngine.WorkerLimits, report: EngineReport,
    accepts: @escaping @Sendable (WorkerGreeting) -> WorkerStartFailure?
  ) {
    self.pool = pool
    self.limits = limits
    self.report = report
    self.accepts = accepts
  }

  var wake: @Sendable () -> Void { { [eventFD] in eventFD.call() } }

  /// Sees to it that there is a worker that is ready.
  func prepare() throws(WorkerStartFailure) { _ = try readyWorker() }

  func end() { retire() }

  func perform(
    _ job: MediaJob, number: UInt64, file: borrowing OpenedFile, isAbandoned: () -> Bool,
    progress: @escaping ProgressHandler
  ) -> Result<JobAnswer, MediaFailure> {
    // Calls of before; whoever gave up in between is seen here.
    eventFD.clear()
    if isAbandoned() { return .failure(.cancelled) }
    var tries = 0
    while true {
      tries += 1
      let worker: WorkerProcess
      do throws(WorkerStartFailure) { worker = try readyWorker() } catch {
        return .failure(.unavailable(detail: error.reason))
      }
      var attempt = WorkerAttempt(
        worker: worker, job: job, text: text(of: job), number: number, size: file.size, limits: limits,
        wake: eventFD.descriptor, progress: progress)
      let outcome = attempt.run(descriptor: file.descriptor, isAbandoned: isAbandoned)
      report.memory(peak: worker.residentPeak)
      let death: WorkerDeath
      switch outcome {
      case .answered(let result):
        worker.jobsDone += 1
        if worker.jobsDone >= limits.jobs || hasGrown(worker) { retire() }
        return .success(JobAnswer(result))
      case .died(let reason): death = reason
      }
      self.worker = nil
      worker.end()
      report.death(death, jobsBefore: worker.jobsDone)
      if death == .abandoned { return .failure(.cancelled) }
      if tries == 1, death.mayBeSomebodyElses(jobsBefore: worker.jobsDone), !isAbandoned() { continue }
      return .success(JobAnswer(death.failure, of: job, facts: attempt.facts, size: file.size))
    }
  }

  /// A job in JSON. Those of a batch are alike, and writing one takes longer than sending it.
  private func text(of job: MediaJob) -> [UInt8]? {
    if let written, written.job == job { return written.text }
    written = (try? Messages.frame(.job, job: 1, job)).map { (job, $0.text) }
    return written?.text
  }

  private func hasGrown(_ worker: WorkerProcess) -> Bool {
    guard let resident = worker.residentBytes() else { return false }
    return resident - worker.residentAtStart > limits.growthBytes
  }

  /// Sends the worker away. It has nothing to lose: it is killed.
  private func retire() {
    worker?.end()
    worker = nil
  }

  /// The worker of this slot, else another one, once it has greeted.
  private func readyWorker() throws(WorkerStartFailure) -> WorkerProcess {
    if let worker {
      // What it says now it was not asked; or it was killed while it waited.
      if !worker.saysSomethingUnasked { return worker }
      report.lost()
      retire()
    }
    var failure = WorkerStartFailure("the engine was shut down")
    for _ in 0..<Self.starts {
      guard let taken = pool.take() else { throw failure }
      do throws(WorkerStartFailure) {
        let new = try taken.get()
        try greet(new)
        worker = new
        return new
      } catch { failure = error }
    }
    throw failure
  }

  /// Waits for the greeting of a new worker.
  private func greet(_ worker: WorkerProcess) throws(WorkerStartFailure) {
    let deadline = ContinuousClock.now.advanced(by: Self.startTime)
    while true {
      switch worker.next(until: deadline, wake: -1) {
      case .frame(let frame):
        guard frame.header.kind == .greeting, let greeting = try? Messages.value(WorkerGreeting.self, of: frame) else {
          throw WorkerStartFailure("the worker sent no greeting")
        }
        if let failure = accepts(greeting) { throw failure }
        // A spare may have died since it greeted.
        if worker.saysSomethingUnasked { throw WorkerStartFailure("the worker exited at start") }
        self.greeting = greeting
        worker.isReady = true
        worker.residentAtStart = worker.residentBytes() ?? 0
        return
      case .tick, .woken: continue
      case .violation(let violation): throw WorkerStartFailure(violation.reason)
      case .deadline: throw WorkerStartFailure("the worker was not ready within \(Self.startTime)")
      case .closed:
        _ = worker.ends(within: .seconds(1))
        let end = worker.end()
        throw WorkerStartFailure(
          "the worker exited at start: \(WorkerDeath(end, memoryKills: false).failure.detail ?? "")")
      }
    }
  }

  /// A worker that does not start may be one that somebody killed; three in a row are not.
  private static let starts = 3
  /// What a worker needs on a loaded machine, many times over: it takes a tenth of a second.
  private static let startTime = Duration.seconds(20)
}

/// An eventfd, closed with its owner.
final class EventFD: Sendable {
  let descriptor = mediatool_event_fd()

  deinit { if descriptor >= 0 { close(descriptor) } }

  func call() {
    var one: UInt64 = 1
    _ = write(descriptor, &one, MemoryLayout.size(ofValue: one))
  }

  func clear() {
    var calls: UInt64 = 0
    _ = read(descriptor, &calls, MemoryLayout.size(ofValue: calls))
  }
}

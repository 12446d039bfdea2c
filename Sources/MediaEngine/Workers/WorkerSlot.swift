internal import CEngineShims
internal import Foundation
internal import Glibc
internal import MediaEngineProtocol
internal import MediaModel

/// A slot with a worker: sends it jobs, waits with a deadline, and replaces it when it dies.
///
/// Used by one thread at a time, which is what makes the class Sendable; only ``wake`` is called from others.
final class WorkerSlot: JobSlot, @unchecked Sendable {
  private let pool: WorkerPool
  private let limits: MediaEngine.WorkerLimits
  private let budget: MemoryBudget
  private let accepts: @Sendable (WorkerGreeting) -> WorkerStartFailure?
  private let report: EngineReport
  private let eventFD = EventFD()
  private var worker: WorkerProcess?
  /// The domain of the last job that the worker was given; nil if it has had none.
  private var served: MediaEngine.TrustDomain?
  /// The worker that the current one replaces. It is killed once the next job has begun, which does not wait for its end.
  private var replaced: WorkerProcess?
  /// Whether a worker was taken from the pool since its reserve was filled.
  private var hasTaken = false
  /// The last job with its JSON.
  private var written: (job: MediaJob, text: [UInt8])?
  private(set) var greeting: WorkerGreeting?

  /// - Parameter accepts: Why a worker with this greeting is not acceptable; nil if it is.
  init(
    pool: WorkerPool, limits: MediaEngine.WorkerLimits, budget: MemoryBudget, report: EngineReport,
    accepts: @escaping @Sendable (WorkerGreeting) -> WorkerStartFailure?
  ) {
    self.pool = pool
    self.limits = limits
    self.budget = budget
    self.report = report
    self.accepts = accepts
  }

  var wake: @Sendable () -> Void { { [eventFD] in eventFD.call() } }

  /// Ensures that a worker is ready.
  func prepare() throws(WorkerStartFailure) {
    defer { settle() }
    _ = try readyWorker()
  }

  func end() {
    retire()
    settle()
  }

  var domain: MediaEngine.TrustDomain? { worker == nil ? nil : served }

  func perform(
    _ job: MediaJob, of domain: MediaEngine.TrustDomain, number: UInt64, file: borrowing OpenedFile,
    isAbandoned: () -> Bool, progress: @escaping ProgressHandler
  ) -> Result<JobAnswer, MediaFailure> {
    // Clears earlier wake-ups; a cancellation in between is noticed here.
    eventFD.clear()
    if isAbandoned() { return .failure(.cancelled) }
    changeDomain(to: domain)
    defer { settle() }
    var tries = 0
    while true {
      tries += 1
      let worker: WorkerProcess
      do throws(WorkerStartFailure) { worker = try readyWorker() } catch {
        return .failure(.unavailable(detail: error.reason))
      }
      served = domain
      var attempt = WorkerAttempt(
        worker: worker, job: job, text: text(of: file.ranges.map { job.waiting($0.seconds) } ?? job), number: number,
        size: file.size, limits: limits, budget: budget, wake: eventFD.descriptor, ranges: exchange(for: file),
        progress: progress)
      let outcome = attempt.run(descriptor: file.descriptor, isAbandoned: isAbandoned) { settle() }
      report.memory(peak: worker.residentPeak)
      let death: WorkerDeath
      switch outcome {
      case .answered(let result):
        worker.jobsDone += 1
        if !domain.shares(with: domain) {
          replace(.domain)
        } else if worker.jobsDone >= limits.jobsPerWorker {
          replace(.jobs)
        } else if hasGrown(worker) {
          replace(.growth)
        }
        return .success(JobAnswer(result))
      case .died(let reason): death = reason
      }
      self.worker = nil
      served = nil
      worker.end()
      if [.exit(WorkerExit.notLoaded), .exit(WorkerExit.unknownSymbol)].contains(death), worker.libraries != .all,
        !isAbandoned()
      {
        pool.load(worker.libraries.extended(for: job), insteadOf: worker.libraries)
        report.replaced(.libraries)
        tries -= 1
        continue
      }
      report.death(death, jobsBefore: worker.jobsDone)
      if death == .abandoned { return .failure(.cancelled) }
      if tries == 1, death.mayBeSomebodyElses(jobsBefore: worker.jobsDone), !isAbandoned() { continue }
      return .success(JobAnswer(death.failure, of: job, facts: attempt.facts, size: file.size))
    }
  }

  private func exchange(for file: borrowing OpenedFile) -> RangeExchange? {
    guard let source = file.ranges else { return nil }
    return RangeExchange(source, size: file.size, wake: wake)
  }

  /// A job as JSON. The jobs of a batch are equal, and encoding one takes longer than sending it.
  private func text(of job: MediaJob) -> [UInt8]? {
    if let written, written.job == job { return written.text }
    written = (try? Messages.frame(.job, job: 1, job)).map { (job, $0.text) }
    return written?.text
  }

  private func hasGrown(_ worker: WorkerProcess) -> Bool {
    if let threads = worker.threadCount(), threads > limits.threads { return true }
    guard let resident = worker.residentBytes() else { return false }
    return resident - worker.residentAtStart > limits.growthBytes
  }

  /// Makes way for the worker of another domain, which may be waiting.
  private func changeDomain(to domain: MediaEngine.TrustDomain) {
    if worker != nil {
      // One that has had no job may serve any domain.
      guard let served, !served.shares(with: domain) else { return }
    }
    // First, for the worker that is kept may take its place.
    var idle = pool.takeIdle(for: domain)
    if let grown = idle, hasGrown(grown) {
      // While it waited.
      report.replaced(.growth)
      pool.collect(grown)
      idle = nil
    }
    if let worker, let served,
      let other = worker.extraBytes() > Self.idleBytes ? worker : pool.keep(worker, of: served)
    {
      report.replaced(.domain)
      replaced = other
    }
    (worker, served) = (idle, idle.map { _ in domain })
  }

  /// Replaces the worker for no fault of its own.
  private func replace(_ reason: WorkerReplacement) {
    guard let worker else { return }
    report.replaced(reason)
    replaced = worker
    self.worker = nil
    served = nil
  }

  /// Ends the replaced worker, and has the reserve filled.
  private func settle() {
    if let replaced { pool.collect(replaced) }
    replaced = nil
    if hasTaken { pool.fill() }
    hasTaken = false
  }

  /// Kills the worker, which has no state to lose. The pool reaps it.
  private func retire() {
    if let worker { pool.collect(worker) }
    worker = nil
    served = nil
  }

  /// The worker of this slot, or a new one once it has sent its greeting.
  private func readyWorker() throws(WorkerStartFailure) -> WorkerProcess {
    if let worker {
      // Bytes without a request are a violation; or the worker was killed while it was idle.
      if !worker.saysSomethingUnasked { return worker }
      report.lost()
      retire()
    }
    var failure = WorkerStartFailure("the engine was shut down")
    for _ in 0..<Self.starts {
      hasTaken = true
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
          throw WorkerStartFailure("the worker did not complete the handshake")
        }
        if let failure = greeting.loadFailure {
          throw WorkerStartFailure("the worker cannot load a library: \(failure.prefix(500))")
        }
        if let failure = accepts(greeting) { throw failure }
        // A spare may have died after its greeting.
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

  /// Bytes beyond those at its start with which a worker may wait for another job of its domain: no budget counts them.
  private static let idleBytes = 33_554_432
  /// A single worker that does not start may have been killed by another process; three in a row were not.
  private static let starts = 3
  /// Many times the start time on a loaded machine; a worker needs a tenth of a second.
  private static let startTime = Duration.seconds(20)
}

/// An eventfd that is closed with its owner.
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

internal import CEngineShims
internal import Foundation
internal import Glibc
internal import MediaEngineProtocol
internal import MediaModel

/// One place at which jobs are done: it has a helper, gives it a job, waits with a deadline, and replaces it when it dies.
///
/// Used on one thread at a time, which is what makes the class Sendable; only ``wake`` is called from others.
final class HelperSlot: JobSlot, @unchecked Sendable {
  private let nursery: HelperNursery
  private let limits: MediaEngine.HelperLimits
  private let accepts: @Sendable (HelperGreeting) -> HelperStartFailure?
  private let report: EngineReport
  private let wakeCall = WakeCall()
  private var helper: HelperProcess?
  /// The last job and its JSON.
  private var written: (job: MediaJob, text: [UInt8])?
  private(set) var greeting: HelperGreeting?

  /// - Parameter accepts: Why a helper with that greeting is not good enough; nil when it is.
  init(
    nursery: HelperNursery, limits: MediaEngine.HelperLimits, report: EngineReport,
    accepts: @escaping @Sendable (HelperGreeting) -> HelperStartFailure?
  ) {
    self.nursery = nursery
    self.limits = limits
    self.report = report
    self.accepts = accepts
  }

  var wake: @Sendable () -> Void { { [wakeCall] in wakeCall.call() } }

  /// Sees to it that there is a helper that is ready.
  func prepare() throws(HelperStartFailure) { _ = try readyHelper() }

  func end() { retire() }

  func perform(
    _ job: MediaJob, number: UInt64, file: borrowing OpenedFile, isAbandoned: () -> Bool,
    progress: @escaping ProgressHandler
  ) -> Result<JobAnswer, MediaFailure> {
    // Calls of before; whoever gave up in between is seen here.
    wakeCall.clear()
    if isAbandoned() { return .failure(.cancelled) }
    var tries = 0
    while true {
      tries += 1
      let helper: HelperProcess
      do throws(HelperStartFailure) { helper = try readyHelper() } catch {
        return .failure(.unavailable(detail: error.reason))
      }
      var attempt = HelperAttempt(
        helper: helper, job: job, text: text(of: job), number: number, size: file.size, limits: limits,
        wake: wakeCall.descriptor, progress: progress)
      let outcome = attempt.run(descriptor: file.descriptor, isAbandoned: isAbandoned)
      report.memory(peak: helper.residentPeak)
      let death: HelperDeath
      switch outcome {
      case .answered(let result):
        helper.jobsDone += 1
        if helper.jobsDone >= limits.jobs || hasGrown(helper) { retire() }
        return .success(JobAnswer(result))
      case .died(let reason): death = reason
      }
      self.helper = nil
      helper.end()
      report.death(death, jobsBefore: helper.jobsDone)
      if death == .abandoned { return .failure(.cancelled) }
      if tries == 1, death.mayBeSomebodyElses(jobsBefore: helper.jobsDone), !isAbandoned() { continue }
      return .success(JobAnswer(death.failure, of: job, facts: attempt.facts, size: file.size))
    }
  }

  /// A job in JSON. Those of a batch are alike, and writing one takes longer than sending it.
  private func text(of job: MediaJob) -> [UInt8]? {
    if let written, written.job == job { return written.text }
    written = (try? Messages.frame(.job, job: 1, job)).map { (job, $0.text) }
    return written?.text
  }

  private func hasGrown(_ helper: HelperProcess) -> Bool {
    guard let resident = helper.residentBytes() else { return false }
    return resident - helper.residentAtStart > limits.growthBytes
  }

  /// Sends the helper away. It has nothing to lose: it is killed.
  private func retire() {
    helper?.end()
    helper = nil
  }

  /// The helper of this slot, else another one, once it has greeted.
  private func readyHelper() throws(HelperStartFailure) -> HelperProcess {
    if let helper {
      // What it says now it was not asked; or it was killed while it waited.
      if !helper.saysSomethingUnasked { return helper }
      report.lost()
      retire()
    }
    var failure = HelperStartFailure("the engine was shut down")
    for _ in 0..<Self.starts {
      guard let taken = nursery.take() else { throw failure }
      do throws(HelperStartFailure) {
        let new = try taken.get()
        try greet(new)
        helper = new
        return new
      } catch { failure = error }
    }
    throw failure
  }

  /// Waits for the greeting of a new helper.
  private func greet(_ helper: HelperProcess) throws(HelperStartFailure) {
    let deadline = ContinuousClock.now.advanced(by: Self.startTime)
    while true {
      switch helper.next(until: deadline, wake: -1) {
      case .frame(let frame):
        guard frame.header.kind == .greeting, let greeting = try? Messages.value(HelperGreeting.self, of: frame) else {
          throw HelperStartFailure("the helper does not greet")
        }
        if let failure = accepts(greeting) { throw failure }
        // A spare may have died since it greeted.
        if helper.saysSomethingUnasked { throw HelperStartFailure("the helper ended at once") }
        self.greeting = greeting
        helper.isReady = true
        helper.residentAtStart = helper.residentBytes() ?? 0
        return
      case .tick, .woken: continue
      case .violation(let violation): throw HelperStartFailure(violation.reason)
      case .deadline: throw HelperStartFailure("the helper was not ready in time")
      case .closed:
        _ = helper.ends(within: .seconds(1))
        let end = helper.end()
        throw HelperStartFailure(
          "the helper ended at once: \(HelperDeath(end, memoryKills: false).failure.detail ?? "")")
      }
    }
  }

  /// A helper that does not start may be one that somebody killed; three in a row are not.
  private static let starts = 3
  /// What a helper needs on a loaded machine, many times over: it takes a tenth of a second.
  private static let startTime = Duration.seconds(20)
}

/// An eventfd, closed with its owner.
final class WakeCall: Sendable {
  let descriptor = mediatool_wake_call()

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

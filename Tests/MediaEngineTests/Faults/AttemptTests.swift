internal import Foundation
internal import MediaEngineProtocol
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaEngine

/// One job on one worker that does not keep to the protocol, with deadlines so far away that only looking ends it.
@Suite("One attempt on one worker", .timeLimit(.minutes(20)))
struct AttemptTests {
  private static let job: MediaJob = {
    var options = ProbeOptions()
    options.limits.probeSeconds = 10_000
    return MediaJob(facts: .found(options, claim: nil))
  }()

  /// A worker that has greeted.
  private func worker(_ word: String) throws -> WorkerProcess {
    let worker = try WorkerProcess.start(program: BuiltProduct.path("rogue-worker"), arguments: [word])
    while true {
      switch worker.next(until: .now.advanced(by: .seconds(600)), wake: -1) {
      case .frame(let frame):
        #expect(frame.header.kind == .greeting)
        return worker
      case .tick: continue
      default: throw WorkerStartFailure("it does not greet")
      }
    }
  }

  private func outcome(
    of word: String, text: [UInt8]? = nil, limits: MediaEngine.WorkerLimits = .init(), wake: EventFD = EventFD(),
    isAbandoned: Bool = false
  ) throws -> WorkerDeath? {
    let file = try OpenedFile(.does("abc"))
    var attempt = WorkerAttempt(
      worker: try worker(word), job: Self.job, text: try text ?? Messages.frame(.job, job: 1, Self.job).text, number: 1,
      size: file.size, limits: limits,
      budget: MemoryBudget(limit: .max), wake: wake.descriptor, progress: { _ in })
    guard case .died(let death) = attempt.run(descriptor: file.descriptor, isAbandoned: { isAbandoned }) else {
      return nil
    }
    return death
  }

  @Test func `A job can be cancelled while the worker reads nothing`() throws {
    // More than a socket holds, to one that reads nothing.
    let long = [UInt8](repeating: 0x20, count: 4_000_000)
    let wake = EventFD()
    wake.call()
    #expect(try outcome(of: "--deaf", text: long, wake: wake, isAbandoned: true) == .abandoned)
  }

  @Test func `Memory is checked during a flood of messages`() throws {
    var limits = MediaEngine.WorkerLimits()
    limits.residentBytes = 128 << 20
    #expect(try outcome(of: "--dribble", limits: limits) == .memory)
  }

  @Test func `A worker that only closes its socket was not killed from outside`() throws {
    let death = try #require(try outcome(of: "--mute"))
    #expect(death == .violation("closed its socket without exiting", stale: false))
    #expect(!death.mayBeSomebodyElses(jobsBefore: 0))
  }

  @Test func `A result before the whole job was sent is rejected`() throws {
    // The greeting of a second worker would come now; this one was asked more than it has read.
    let long = [UInt8](repeating: 0x20, count: 4_000_000)
    let death = try #require(try outcome(of: "--hasty", text: long))
    #expect(death == .violation("answer before the whole request was sent", stale: false))
  }

  @Test func `A limit that is infinite or NaN does not trap`() throws {
    var limits = MediaEngine.WorkerLimits()
    (limits.graceSeconds, limits.residentBytes) = (.infinity, 1)
    #expect(try outcome(of: "--never", limits: limits) == .memory)
  }
}

internal import CEngineShims
internal import Glibc
internal import MediaEngineProtocol
internal import MediaModel
internal import Testing

@testable internal import MediaEngine

@Suite("The meaning of a worker's end") struct WorkerDeathTests {
  @Test(arguments: [
    (WorkerDeath.deadline, MediaFailure.Code.timedOut, false), (.memory, .outOfMemory, false),
    (.violation("x", stale: false), .decoderCrashed, false), (.violation("x", stale: true), .decoderCrashed, true),
    (.budget, .outOfMemory, true), (.threads, .decoderCrashed, false), (.abandoned, .cancelled, false),
    (.signal(SIGSEGV, memoryKills: false), .decoderCrashed, false),
    (.signal(SIGXCPU, memoryKills: false), .timedOut, false),
    (.signal(SIGSYS, memoryKills: true), .decoderCrashed, false),
    (.signal(SIGKILL, memoryKills: true), .outOfMemory, false),
    (.signal(SIGKILL, memoryKills: false), .decoderCrashed, true), (.exit(0), .decoderCrashed, false),
    (.exit(WorkerExit.outOfMemory), .outOfMemory, false), (.unknown, .decoderCrashed, false),
  ])
  func `Each death has a code and states whether an earlier file may be the cause`(
    death: WorkerDeath, code: MediaFailure.Code, innocent: Bool
  ) {
    #expect(death.failure.code == code)
    #expect(death.mayBeSomebodyElses(jobsBefore: 0) == innocent)
    #expect(!death.reason.isEmpty)
  }

  @Test(arguments: [WorkerDeath.signal(SIGSEGV, memoryKills: false), .exit(3), .unknown])
  func `A crash may be caused by an earlier file`(death: WorkerDeath) {
    #expect(death.mayBeSomebodyElses(jobsBefore: 1))
  }

  @Test(arguments: [
    WorkerDeath.deadline, .memory, .threads, .abandoned, .violation("x", stale: false),
    .signal(SIGXCPU, memoryKills: false),
    .signal(SIGSYS, memoryKills: false),
  ])
  func `A hang or exhausted memory is caused by the file itself`(death: WorkerDeath) {
    #expect(!death.mayBeSomebodyElses(jobsBefore: 9))
  }

  @Test func `The reason of a death is that of the system`() {
    #expect(
      WorkerDeath(mediatool_end(known: true, signal: SIGBUS, status: 0), memoryKills: false)
        == .signal(SIGBUS, memoryKills: false))
    #expect(WorkerDeath(mediatool_end(known: true, signal: 0, status: 7), memoryKills: true) == .exit(7))
    #expect(WorkerDeath(mediatool_end(known: false, signal: 9, status: 7), memoryKills: true) == .unknown)
    #expect(WorkerDeath(nil, memoryKills: true) == .unknown)
  }
}

internal import CEngineShims
internal import Glibc
internal import MediaEngineProtocol
internal import MediaModel

/// Why a worker is no more, and what that means for the job that it had.
enum WorkerDeath: Equatable {
  /// A deadline passed, and so did the second that it had to notice.
  case deadline
  /// It had more resident memory than allowed.
  case memory
  /// It broke the protocol. `stale`: with an answer to a job of before.
  case violation(String, stale: Bool)
  /// Nobody waits for its job any more.
  case abandoned
  /// A signal ended it: the decoder crashed, or somebody outside killed it.
  case signal(CInt, memoryKills: Bool)
  /// It ended by itself.
  case exit(CInt)
  /// Somebody else has collected the process: nobody knows.
  case unknown

  /// What the system says about a worker that had closed its socket.
  /// - Parameter memoryKills: Whether the kernel has killed for want of memory while it lived.
  init(_ end: mediatool_end?, memoryKills: Bool) {
    guard let end, end.known else {
      self = .unknown
      return
    }
    self = end.signal != 0 ? .signal(end.signal, memoryKills: memoryKills) : .exit(end.status)
  }

  /// The failure of the job that it had.
  var failure: MediaFailure {
    switch self {
    case .deadline: .timedOut(detail: "the decoder did not stop at its deadline and was killed")
    case .memory: .outOfMemory(detail: "the decoder exceeded its memory limit and was killed")
    case .violation(let reason, _): .decoderCrashed(detail: "the worker violated the protocol: \(reason)")
    case .abandoned: .cancelled
    case .signal(SIGXCPU, _): .timedOut(detail: "the decoder exceeded its CPU time limit")
    case .signal(SIGKILL, memoryKills: true):
      .outOfMemory(detail: "the kernel ran out of memory and killed the decoder")
    case .signal(SIGSYS, _): .decoderCrashed(detail: "the worker made a forbidden system call and was killed")
    case .signal(let signal, _): .decoderCrashed(detail: "signal \(signal)")
    case .exit(WorkerExit.outOfMemory): .outOfMemory(detail: "a library could not allocate memory and aborted")
    case .exit(let status): .decoderCrashed(detail: "exit status \(status)")
    case .unknown: .decoderCrashed(detail: "the exit status of the worker is unknown")
    }
  }

  /// Whether the job may be innocent, so that it is worth another try on a fresh worker.
  /// - Parameter jobsBefore: Jobs that the same worker had done before: one of them may have left the damage that this one met.
  func mayBeSomebodyElses(jobsBefore: Int) -> Bool {
    switch self {
    case .deadline, .memory, .abandoned, .violation(_, stale: false), .signal(SIGXCPU, _), .signal(SIGSYS, _),
      .signal(SIGKILL, memoryKills: true), .exit(WorkerExit.outOfMemory):
      false
    case .violation(_, stale: true), .signal(SIGKILL, _): true
    case .signal, .exit, .unknown: jobsBefore > 0
    }
  }

  /// The name of the reason in metrics and logs.
  var reason: String {
    switch self {
    case .deadline: "deadline"
    case .memory: "memory"
    case .violation: "protocol"
    case .abandoned: "abandoned"
    case .signal(SIGXCPU, _): "processorTime"
    case .signal(SIGSYS, _): "systemCall"
    case .signal(SIGKILL, memoryKills: true), .exit(WorkerExit.outOfMemory): "memory"
    case .signal(SIGKILL, _): "killed"
    case .signal, .exit, .unknown: "crash"
    }
  }
}

internal import CEngineShims
internal import Glibc
internal import MediaEngineProtocol
internal import MediaModel

/// The reason why a worker ended, and what it means for its job.
enum WorkerDeath: Equatable {
  /// The deadline passed, and so did the second of grace.
  case deadline
  /// Its resident memory was above the limit.
  case memory
  /// All workers together exceeded their memory budget, and this one used the most.
  case budget
  /// It had too many threads.
  case threads
  /// It violated the protocol. `stale`: with an answer to an earlier job.
  case violation(String, stale: Bool)
  /// Its job was cancelled.
  case abandoned
  /// A signal ended it: the decoder crashed, or another process killed it.
  case signal(CInt, memoryKills: Bool)
  /// It exited by itself.
  case exit(CInt)
  /// Another part of the process has reaped it, so its status is lost.
  case unknown

  /// The reason for the end of a worker that has closed its socket.
  /// - Parameter memoryKills: Whether the kernel has killed processes for lack of memory during its life.
  init(_ end: mediatool_end?, memoryKills: Bool) {
    guard let end, end.known else {
      self = .unknown
      return
    }
    self = end.signal != 0 ? .signal(end.signal, memoryKills: memoryKills) : .exit(end.status)
  }

  /// The failure of its job.
  var failure: MediaFailure {
    switch self {
    case .deadline: .timedOut(detail: "the worker did not stop at its deadline and was killed")
    case .memory: .outOfMemory(detail: "the worker exceeded its memory limit and was killed")
    case .budget: .outOfMemory(detail: "all workers together exceeded their memory budget, and this one used the most")
    case .threads: .decoderCrashed(detail: "the worker exceeded its thread limit and was killed")
    case .violation(let reason, _): .decoderCrashed(detail: "the worker violated the protocol: \(reason)")
    case .abandoned: .cancelled
    case .signal(SIGXCPU, _): .timedOut(detail: "the decoder exceeded its CPU time limit")
    case .signal(SIGKILL, memoryKills: true):
      .outOfMemory(detail: "the kernel ran out of memory and killed the decoder")
    case .signal(SIGSYS, _): .decoderCrashed(detail: "the worker made a forbidden system call and was killed")
    case .signal(let signal, _): .decoderCrashed(detail: "the worker was killed by signal \(signal)")
    case .exit(WorkerExit.outOfMemory): .outOfMemory(detail: "a decoder could not allocate memory and aborted")
    case .exit(let status): .decoderCrashed(detail: "the worker exited with status \(status)")
    case .unknown: .decoderCrashed(detail: "the exit status of the worker is unknown")
    }
  }

  /// Whether the job may not be the cause, so that another attempt on a new worker is worthwhile.
  /// - Parameter jobsBefore: Number of jobs that the worker had done before; one of them may have caused the damage.
  func mayBeSomebodyElses(jobsBefore: Int) -> Bool {
    switch self {
    case .deadline, .memory, .threads, .abandoned, .violation(_, stale: false), .signal(SIGXCPU, _), .signal(SIGSYS, _),
      .signal(SIGKILL, memoryKills: true), .exit(WorkerExit.outOfMemory):
      false
    // The others may have taken what it would have had.
    case .budget, .violation(_, stale: true), .signal(SIGKILL, _): true
    case .signal, .exit, .unknown: jobsBefore > 0
    }
  }

  /// The name of the reason in metrics and logs.
  var reason: String {
    switch self {
    case .deadline: "deadline"
    case .memory: "memory"
    case .budget: "budget"
    case .threads: "threads"
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

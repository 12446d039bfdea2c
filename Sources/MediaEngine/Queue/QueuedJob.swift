internal import MediaEngineProtocol
internal import MediaModel

extension MediaEngine {
  /// The order in which waiting jobs get a worker.
  public enum Priority: String, Sendable, CaseIterable {
    /// A person waits for it. Default.
    case interactive
    /// No person waits for it: a scan, a migration.
    case batch
  }
}

/// The identity of a job: equal jobs are done once.
struct JobKey: Hashable, Sendable {
  let source: MediaSource
  let job: MediaJob
  /// The same file in two domains is two jobs: one domain's worker does not answer for the other.
  var domain = MediaEngine.TrustDomain.shared
}

/// Gets the outcome of a job: an answer, or the engine's failure (`busy`, `cancelled`, `unavailable`).
typealias Completion = @Sendable (Result<JobAnswer, MediaFailure>) -> Void

/// Gets the progress of a job.
typealias ProgressHandler = @Sendable (TranscodeProgress) -> Void

/// A waiting or running job with its callers. Its variables are protected by the lock of the ``JobQueue``.
final class QueuedJob: @unchecked Sendable {
  struct Waiter {
    let number: UInt64
    let completion: Completion
    let progress: ProgressHandler?
    /// Whether the caller joined after the file was opened, so that the job may see an older state of it.
    let isLate: Bool
    /// Whether another caller had requested the job before.
    let hasJoined: Bool
  }

  let key: JobKey
  let number: UInt64
  /// Whether the caller limits its own number of jobs.
  let isBounded: Bool
  let enqueued = ContinuousClock.now
  var priority: MediaEngine.Priority
  var waiters: [Waiter] = []
  var isRunning = false
  /// How often a slot has taken a younger job of its own domain instead.
  var timesSkipped = 0
  /// Wakes the slot of the job when its last caller cancels.
  var wakeSlot: (@Sendable () -> Void)?
  /// The job to which late callers were moved.
  var next: QueuedJob?

  init(key: JobKey, number: UInt64, priority: MediaEngine.Priority, isBounded: Bool) {
    self.key = key
    self.isBounded = isBounded
    self.number = number
    self.priority = priority
  }
}

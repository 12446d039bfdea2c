internal import MediaEngineProtocol
internal import MediaModel

extension MediaEngine {
  /// Who goes first.
  public enum Priority: String, Sendable, CaseIterable {
    /// A person waits for it. Default.
    case interactive
    /// Nobody looks: a scan, a migration.
    case batch
  }
}

/// What makes two jobs the same.
struct JobKey: Hashable, Sendable {
  let source: MediaSource
  let job: MediaJob
}

/// What a caller is told in the end: an answer, or that the engine did not do the job (`busy`, `cancelled`, `unavailable`).
typealias Completion = @Sendable (Result<JobAnswer, MediaFailure>) -> Void

/// What a caller is told while it waits.
typealias ProgressHandler = @Sendable (TranscodeProgress) -> Void

/// A job that waits or runs, with everybody who waits for it. Its variables belong to the lock of the ``JobQueue``.
final class QueuedJob: @unchecked Sendable {
  struct Waiter {
    let number: UInt64
    let completion: Completion
    let progress: ProgressHandler?
    /// Whether it came when the file had been opened already, and so may have to do with an older state of it.
    let isLate: Bool
    /// Whether the job had been asked for by somebody else already.
    let hasJoined: Bool
  }

  let key: JobKey
  let number: UInt64
  let enqueued = ContinuousClock.now
  var priority: MediaEngine.Priority
  var waiters: [Waiter] = []
  var isRunning = false
  /// Wakes the slot that runs it, when nobody waits any more.
  var wakeSlot: (@Sendable () -> Void)?
  /// The job that those who came late to this one wait for now.
  var next: QueuedJob?

  init(key: JobKey, number: UInt64, priority: MediaEngine.Priority) {
    self.key = key
    self.number = number
    self.priority = priority
  }
}

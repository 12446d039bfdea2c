internal import Foundation
internal import MediaEngineProtocol
internal import MediaModel

/// One place at which jobs are done, one at a time. Used on one thread at a time.
protocol JobSlot: AnyObject, Sendable {
  /// Does one job.
  /// - Parameters:
  ///   - isAbandoned: Whether nobody waits for it any more.
  ///   - progress: Told how far it has come.
  func perform(
    _ job: MediaJob, number: UInt64, file: borrowing OpenedFile, isAbandoned: () -> Bool,
    progress: @escaping ProgressHandler
  ) -> Result<JobAnswer, MediaFailure>

  /// Tells it, from another thread, that it may look whether its job is abandoned.
  var wake: @Sendable () -> Void { get }

  /// Gets ready for the first job.
  func prepare() throws(WorkerStartFailure)

  /// Gives back what it holds.
  func end()
}

/// Jobs done by the libraries of this very process. An abandoned one comes to its end first: nobody can stop a decoder from outside.
final class InProcessSlot: JobSlot {
  private let executor: any MediaJobExecutor

  init(executor: any MediaJobExecutor) { self.executor = executor }

  func perform(
    _ job: MediaJob, number: UInt64, file: borrowing OpenedFile, isAbandoned: () -> Bool,
    progress: @escaping ProgressHandler
  ) -> Result<JobAnswer, MediaFailure> {
    let copy = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { return .success(JobAnswer(.outOfMemory(), of: job, size: file.size)) }
    let result = executor.perform(job, descriptor: copy) { news in
      if case .progress(let step) = news { progress(step) }
    }
    return .success(JobAnswer(result))
  }

  var wake: @Sendable () -> Void { {} }

  func prepare() {}

  func end() {}
}

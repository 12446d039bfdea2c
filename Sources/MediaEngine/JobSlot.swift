internal import Foundation
internal import MediaEngineProtocol
internal import MediaModel

/// A place at which jobs run, one at a time. Used by one thread at a time.
protocol JobSlot: AnyObject, Sendable {
  /// The domain that its worker has served and may serve again; nil for none.
  var domain: MediaEngine.TrustDomain? { get }

  /// Does one job.
  /// - Parameters:
  ///   - domain: The trust domain of the file.
  ///   - isAbandoned: Whether all callers have cancelled.
  ///   - progress: Called with the progress.
  func perform(
    _ job: MediaJob, of domain: MediaEngine.TrustDomain, number: UInt64, file: borrowing OpenedFile,
    isAbandoned: () -> Bool, progress: @escaping ProgressHandler
  ) -> Result<JobAnswer, MediaFailure>

  /// Makes the slot check, from another thread, whether its job is abandoned.
  var wake: @Sendable () -> Void { get }

  /// Prepares for the first job.
  func prepare() throws(WorkerStartFailure)

  /// Releases its resources.
  func end()
}

/// A slot that decodes in this process. An abandoned job is finished first, because a decoder cannot be stopped from outside.
final class InProcessSlot: JobSlot {
  private let executor: any MediaJobExecutor

  init(executor: any MediaJobExecutor) { self.executor = executor }

  /// Domains separate workers, and there are none.
  var domain: MediaEngine.TrustDomain? { nil }

  func perform(
    _ job: MediaJob, of domain: MediaEngine.TrustDomain, number: UInt64, file: borrowing OpenedFile,
    isAbandoned: () -> Bool, progress: @escaping ProgressHandler
  ) -> Result<JobAnswer, MediaFailure> {
    if let source = file.ranges { return .success(perform(job, of: source, size: file.size, progress: progress)) }
    let copy = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { return .success(JobAnswer(.outOfMemory(), of: job, size: file.size)) }
    let result = executor.perform(job, file: .descriptor(copy)) { news in
      if case .progress(let step) = news { progress(step) }
    }
    return .success(JobAnswer(result))
  }

  private func perform(
    _ job: MediaJob, of source: SharedReader, size: Int, progress: @escaping ProgressHandler
  ) -> JobAnswer {
    let deadline = source.deadline
    var failure: MediaFailure?
    let result = executor.perform(
      job.waiting(source.seconds),
      file: .asked(size: size) { offset, count in
        do throws(MediaFailure) {
          if let failure { throw failure }
          let range = offset..<offset + count
          if let bytes = source.reader.held(range) { return bytes }
          return try source.reader.read(range, until: deadline)
        } catch {
          failure = error
          return nil
        }
      }
    ) { news in
      if case .progress(let step) = news { progress(step) }
    }
    return failure.map { JobAnswer($0, of: job, size: size) } ?? JobAnswer(result)
  }

  var wake: @Sendable () -> Void { {} }

  func prepare() {}

  func end() {}
}

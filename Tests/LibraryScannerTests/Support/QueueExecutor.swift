internal import Dispatch

/// Runs the tasks of a test on a queue of its own. On Swift's pool, each of the thousands of times that a scan wakes its reader would wait until a
/// test that computes for seconds leaves a thread.
final class QueueExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "mediatool.test")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}

internal import Foundation

/// Starts workers, and keeps some that have warmed up for those that die or are sent away.
///
/// On one thread that lives as long as the engine: the kernel sends the parent-death signal when the *thread* that started a process
/// ends.
final class WorkerPool: @unchecked Sendable {
  typealias Start = Result<WorkerProcess, WorkerStartFailure>

  private let start: @Sendable () -> Start
  private let spares: Int
  private let condition = NSCondition()
  // Touched under the condition's lock alone, which is what makes the class Sendable.
  private var ready: [Start] = []
  private var wanted = 0
  private var hasBegun = false
  private var isStopped = false
  private var hasEnded = false

  /// - Parameters:
  ///   - spares: Workers beyond those that are asked for.
  ///   - start: Starts one.
  init(spares: Int, start: @escaping @Sendable () -> Start) {
    self.start = start
    self.spares = spares
    let thread = Thread { [self] in run() }
    thread.name = "media-workers"
    thread.start()
  }

  /// A worker, warm or just started. Blocking. nil once the engine stops.
  func take() -> Start? {
    condition.lock()
    defer { condition.unlock() }
    wanted += 1
    condition.broadcast()
    while ready.isEmpty, !isStopped { condition.wait() }
    wanted -= 1
    return isStopped || ready.isEmpty ? nil : ready.removeFirst()
  }

  /// No more workers; those that nobody took are gone when it returns. Blocking.
  func stop() {
    condition.lock()
    isStopped = true
    condition.broadcast()
    while !hasEnded { condition.wait() }
    condition.unlock()
  }

  private func run() {
    condition.lock()
    while !isStopped {
      // Spares come after what is asked for, and only once something was.
      if ready.count >= wanted + (hasBegun ? spares : 0) {
        condition.wait()
        continue
      }
      hasBegun = true
      condition.unlock()
      let new = start()
      condition.lock()
      // A failure is an answer to somebody who asked; nobody wants one in reserve.
      if case .failure = new, wanted == 0 {
        condition.wait()
        continue
      }
      ready.append(new)
      condition.broadcast()
    }
    ready = []
    hasEnded = true
    condition.broadcast()
    condition.unlock()
  }
}

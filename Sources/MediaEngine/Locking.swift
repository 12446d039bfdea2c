internal import Dispatch
internal import Foundation

/// A value that another thread sets once; readers wait for it.
final class OneShot<Value: Sendable>: @unchecked Sendable {
  private let isThere = DispatchSemaphore(value: 0)
  // Written before the semaphore is signalled and read after it was waited for, which is what makes the class Sendable.
  private var value: Value?

  func set(_ value: Value) {
    self.value = value
    isThere.signal()
  }

  /// Waits for the value. Blocking.
  func wait() -> Value {
    while true {
      isThere.wait()
      if let value { return value }
    }
  }
}

/// Connects a task's cancellation, which may come first, with the position of its job in the queue.
final class CancellationRelay: @unchecked Sendable {
  private let queue: JobQueue
  private let lock = NSLock()
  // Both touched under the lock only, which is what makes the class Sendable.
  private var isRequested = false
  private var known: JobQueue.Position?

  init(queue: JobQueue) { self.queue = queue }

  var position: JobQueue.Position? {
    get { lock.withLock { known } }
    set {
      let isLate = lock.withLock {
        known = newValue
        return isRequested
      }
      if isLate, let newValue { queue.cancel(newValue) }
    }
  }

  func request() {
    let position = lock.withLock {
      isRequested = true
      return known
    }
    if let position { queue.cancel(position) }
  }
}

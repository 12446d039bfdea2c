internal import Dispatch
internal import Foundation
internal import Glibc
internal import MediaEngine

/// Waiting for a task, for commands without other work.
enum Waiting {
  /// The result of a task, which is cancelled when a stop is requested. Blocks the calling thread, which must not belong to Swift's pool.
  static func result<Value: Sendable>(stop: StopSignal, of work: @escaping @Sendable () async -> Value) -> Value {
    let done = DispatchSemaphore(value: 0)
    let slot = Locked<Value?>(nil)
    let task = Task {
      let value = await work()
      slot.withLock { $0 = value }
      done.signal()
    }
    Thread.detachNewThread {
      // Becomes readable when a stop is requested; otherwise the thread ends with the process.
      var waiting = pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0)
      while poll(&waiting, 1, -1) < 0, errno == EINTR {}
      task.cancel()
    }
    while true {
      done.wait()
      if let value = slot.withLock({ $0 }) { return value }
    }
  }
}

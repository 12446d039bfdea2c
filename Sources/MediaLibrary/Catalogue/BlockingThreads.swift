internal import Foundation

/// Runs blocking calls on a limited number of threads of its own, so that Swift's cooperative pool, with one thread per processor, is never
/// blocked.
///
/// If all threads are busy, the caller is suspended until one is free, in order of arrival. A call whose task is cancelled before it begins is
/// not made.
public final class BlockingThreads: Sendable {
  /// Maximum number of calls at the same time.
  public let limit: Int
  private let queue: CallQueue

  /// Threads start when they are first needed, and end when this value is deallocated.
  /// - Parameter limit: Maximum number of calls at the same time, at least 1. Default 4: the number of readers of an SQLite catalogue.
  public init(limit: Int = 4) {
    self.limit = max(1, limit)
    queue = CallQueue(limit: self.limit)
  }

  deinit { queue.close() }

  /// Number of tasks that wait for a thread.
  var waiting: Int { queue.waiting }

  /// Makes a call on one of the threads, and waits for it without blocking.
  /// - Throws: What the call throws; `CancellationError` if the task was cancelled before the call began.
  public func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    let id = queue.newID()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        queue.add(
          CallQueue.Call(
            make: { continuation.resume(with: Result(catching: body)) },
            cancel: { continuation.resume(throwing: CancellationError()) }),
          as: id)
      }
    } onCancel: {
      queue.cancel(id)
    }
  }
}

/// The waiting calls, and the threads that take them.
private final class CallQueue: @unchecked Sendable {
  /// A call of a suspended task. Exactly one of the two closures is called, once.
  struct Call: Sendable {
    let make: @Sendable () -> Void
    let cancel: @Sendable () -> Void
  }

  private let limit: Int
  private let condition = NSCondition()
  // All touched under the condition's lock only, which is what makes the class Sendable.
  private var calls: [UInt64: Call] = [:]
  /// Ids in the order of arrival, including cancelled ones, which are no longer in ``calls``.
  private var order: ArraySlice<UInt64> = []
  private var lastID: UInt64 = 0
  private var threads = 0
  private var idle = 0
  private var isClosed = false

  init(limit: Int) { self.limit = limit }

  var waiting: Int { withLock { calls.count } }

  func newID() -> UInt64 {
    withLock {
      lastID += 1
      return lastID
    }
  }

  func add(_ call: Call, as id: UInt64) {
    let isCancelled = withLock {
      // A task is marked before `cancel` is called: either it is seen here, or `cancel` comes later and finds the call.
      if Task.isCancelled { return true }
      calls[id] = call
      order.append(id)
      if calls.count > idle, threads < limit {
        threads += 1
        startThread()
      } else {
        condition.signal()
      }
      return false
    }
    if isCancelled { call.cancel() }
  }

  func cancel(_ id: UInt64) {
    withLock { calls.removeValue(forKey: id) }?.cancel()
  }

  /// Lets the threads end when no call is waiting.
  func close() {
    withLock {
      isClosed = true
      condition.broadcast()
    }
  }

  private func startThread() {
    let thread = Thread { [self] in
      while let call = take() { call.make() }
    }
    thread.name = "media-library"
    thread.start()
  }

  /// Waits for the next call; nil when the thread is to end.
  private func take() -> Call? {
    withLock {
      while true {
        while let id = order.popFirst() {
          if let call = calls.removeValue(forKey: id) { return call }
        }
        if isClosed { return nil }
        idle += 1
        condition.wait()
        idle -= 1
      }
    }
  }

  private func withLock<Result>(_ body: () -> Result) -> Result {
    condition.lock()
    defer { condition.unlock() }
    return body()
  }
}

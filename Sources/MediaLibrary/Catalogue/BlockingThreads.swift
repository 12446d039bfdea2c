internal import Foundation

/// Threads for blocking calls: a limited number at once, with a limited queue. Swift's cooperative threads, of which there are as many as processors, stay
/// free.
///
/// A caller that finds all threads busy is suspended until one is free: first come, first served. When the queue is full, the call fails at once with
/// ``LibraryError/Code/busy``, so that a server can answer 503 instead of collecting requests. A task that is cancelled while it waits makes no
/// call; a call that has begun is finished.
public final class BlockingThreads: Sendable {
  /// Number of calls at once.
  public let limit: Int
  /// Number of calls that may wait for a thread.
  public let maxWaiting: Int
  private let queue: CallQueue

  /// Creates threads that start when they are first needed, and end with this value.
  /// - Parameters:
  ///   - limit: Number of calls at once, at least 1. Default 4: the number of readers of an SQLite catalogue.
  ///   - maxWaiting: Number of calls that may wait, at least 0. Default 256: at a millisecond for a page of a listing, a wait of 64 ms.
  public init(limit: Int = 4, maxWaiting: Int = 256) {
    (self.limit, self.maxWaiting) = (max(1, limit), max(0, maxWaiting))
    queue = CallQueue(limit: self.limit, maxWaiting: self.maxWaiting)
  }

  deinit { queue.close() }

  /// Number of calls that wait for a thread: for a gauge.
  public var waiting: Int { queue.waiting }

  /// Number of calls so far.
  package var calls: UInt64 { queue.callCount }

  /// Makes a call on one of the threads, and waits for it without blocking.
  /// - Throws: The error of the call; ``LibraryError/Code/busy`` if as many calls wait as may; `CancellationError` if the task was cancelled before the call
  ///   began.
  public func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    let id = queue.newID()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        queue.add(
          CallQueue.Call(
            make: { continuation.resume(with: Result(catching: body)) },
            refuse: { continuation.resume(throwing: $0) }),
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
    let refuse: @Sendable (any Error) -> Void
  }

  private let limit: Int
  private let maxWaiting: Int
  private let condition = NSCondition()
  // All touched under the condition's lock only, which is what makes the class Sendable.
  private var calls: [UInt64: Call] = [:]
  /// Ids in the order of arrival, including cancelled ones, which are no longer in ``calls``.
  private var order: ArraySlice<UInt64> = []
  private var lastID: UInt64 = 0
  private var threads = 0
  /// Threads that are making a call. The others wait for one, or are about to look for one.
  private var busy = 0
  private var isClosed = false

  init(limit: Int, maxWaiting: Int) { (self.limit, self.maxWaiting) = (limit, maxWaiting) }

  var waiting: Int { withLock { calls.count } }

  var callCount: UInt64 { withLock { lastID } }

  func newID() -> UInt64 {
    withLock {
      lastID += 1
      return lastID
    }
  }

  func add(_ call: Call, as id: UInt64) {
    let refusal = withLock { () -> (any Error)? in
      // A task is marked before `cancel` is called: either it is seen here, or `cancel` comes after this and finds the call.
      if Task.isCancelled { return CancellationError() }
      // Threads that are free, or can be started, take a call at once.
      guard calls.count < limit - busy + maxWaiting else {
        return LibraryError(
          .busy, "Too many calls are waiting for the library (the limit is \(maxWaiting)); try again later.")
      }
      calls[id] = call
      order.append(id)
      if calls.count > threads - busy, threads < limit {
        threads += 1
        startThread()
      } else {
        condition.signal()
      }
      return nil
    }
    if let refusal { call.refuse(refusal) }
  }

  func cancel(_ id: UInt64) {
    withLock { calls.removeValue(forKey: id) }?.refuse(CancellationError())
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
      while let call = take() {
        call.make()
        withLock { busy -= 1 }
      }
    }
    thread.name = "media-library"
    thread.start()
  }

  /// Waits for the next call; nil when the thread is to end.
  private func take() -> Call? {
    withLock {
      while true {
        while let id = order.popFirst() {
          guard let call = calls.removeValue(forKey: id) else { continue }
          busy += 1
          return call
        }
        if isClosed { return nil }
        condition.wait()
      }
    }
  }

  private func withLock<Result>(_ body: () -> Result) -> Result {
    condition.lock()
    defer { condition.unlock() }
    return body()
  }
}

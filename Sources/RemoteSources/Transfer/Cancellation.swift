internal import Dispatch
internal import MediaEngine

/// Ends waits from another thread.
final class Cancellation: Sendable {
  /// How a wait ended.
  enum End: Hashable, Sendable {
    case signalled
    case cancelled
    case deadline
  }

  private struct State: Sendable {
    var isRequested = false
    var handlers: [UInt64: @Sendable () -> Void] = [:]
    var last: UInt64 = 0
  }

  private let parent: Cancellation?
  private let state = Locked(State())

  /// - Parameter parent: Ends the waits of this one as well.
  init(parent: Cancellation? = nil) { self.parent = parent }

  /// Whether it was requested. Never reset.
  var isRequested: Bool { state.withLock { $0.isRequested } || parent?.isRequested ?? false }

  /// Ends all waits, and those that begin later.
  func request() {
    let handlers = state.withLock { state in
      state.isRequested = true
      defer { state.handlers = [:] }
      return Array(state.handlers.values)
    }
    for handler in handlers { handler() }
  }

  /// Waits for a signal. Blocking.
  func wait(for semaphore: DispatchSemaphore, until deadline: ContinuousClock.Instant) -> End {
    let remove = add { semaphore.signal() }
    defer { remove() }
    let milliseconds = max(0, Int(ContinuousClock.now.duration(to: deadline) / .milliseconds(1)))
    let end = semaphore.wait(timeout: .now() + .milliseconds(milliseconds))
    if isRequested { return .cancelled }
    return end == .success ? .signalled : .deadline
  }

  /// Calls a handler when it is requested, at once if it was.
  /// - Returns: Removes the handler.
  private func add(_ handler: @escaping @Sendable () -> Void) -> () -> Void {
    let number = state.withLock { state -> UInt64? in
      guard !state.isRequested else { return nil }
      state.last += 1
      state.handlers[state.last] = handler
      return state.last
    }
    guard let number else {
      handler()
      return {}
    }
    let removeFromParent = parent?.add(handler)
    return { [state] in
      state.withLock { $0.handlers[number] = nil }
      removeFromParent?()
    }
  }
}

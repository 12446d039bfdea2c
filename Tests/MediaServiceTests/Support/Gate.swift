internal import Synchronization

/// Counts what several tasks do.
final class Counter: Sendable {
  private let value = Mutex(0)

  var count: Int { value.withLock { $0 } }

  func add() { value.withLock { $0 += 1 } }
}

/// Holds whoever waits until a test opens it.
final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var waiting: [CheckedContinuation<Void, Never>] = []
    var observers: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  func wait() async {
    await withCheckedContinuation { continuation in
      let ready = state.withLock { state -> [CheckedContinuation<Void, Never>] in
        let observers = state.observers
        state.observers = []
        if state.isOpen { return observers + [continuation] }
        state.waiting.append(continuation)
        return observers
      }
      for continuation in ready { continuation.resume() }
    }
  }

  func waitUntilReached() async {
    await withCheckedContinuation { continuation in
      let isReached = state.withLock { state in
        if !state.waiting.isEmpty || state.isOpen { return true }
        state.observers.append(continuation)
        return false
      }
      if isReached { continuation.resume() }
    }
  }

  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}

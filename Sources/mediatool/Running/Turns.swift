internal import Dispatch

/// Lets so many threads at once do one thing.
final class Turns: Sendable {
  private let free = DispatchSemaphore(value: 0)

  init(_ count: Int) {
    // Not as the initial value: a semaphore may not be freed while it is below that.
    for _ in 0..<count { free.signal() }
  }

  /// Waits for a turn, does the work and passes the turn on.
  func take<Made>(_ work: () -> Made) -> Made {
    free.wait()
    defer { free.signal() }
    return work()
  }
}

internal import Dispatch
internal import Foundation

/// Calls something now and then, on a thread of its own, until it is stopped.
final class Ticker: Sendable {
  private let stopped = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)

  init(milliseconds: Int, _ body: @escaping @Sendable () -> Void) {
    Thread.detachNewThread { [stopped, ended] in
      while stopped.wait(timeout: .now() + .milliseconds(milliseconds)) == .timedOut { body() }
      ended.signal()
    }
  }

  /// Calls it no more; waits for a call that is under way.
  func stop() {
    stopped.signal()
    ended.wait()
  }
}

internal import Dispatch
internal import Foundation

/// Calls a closure at intervals on a thread of its own until it is stopped.
final class Ticker: Sendable {
  private let stopped = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)

  init(milliseconds: Int, _ body: @escaping @Sendable () -> Void) {
    Thread.detachNewThread { [stopped, ended] in
      while stopped.wait(timeout: .now() + .milliseconds(milliseconds)) == .timedOut { body() }
      ended.signal()
    }
  }

  /// Ends the calls, and waits for one in progress.
  func stop() {
    stopped.signal()
    ended.wait()
  }
}

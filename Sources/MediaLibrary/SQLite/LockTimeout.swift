internal import Foundation
internal import Synchronization

/// How long the callers of a database wait while another process has it locked: together, not each after the other.
///
/// GRDB lets writers queue for one connection. If each waited its whole time there, the tenth would be answered after ten times that. So who
/// finds the database locked right after another has given up gives up at once: it is the same lock.
package final class LockTimeout: Sendable {
  /// How long a lock counts as the one for which somebody has waited in vain: long enough for those who queue, too short for a lock that comes
  /// later.
  private static let memory = Duration.milliseconds(100)

  private struct State {
    /// When each thread that waits began.
    var starts: [UInt: ContinuousClock.Instant] = [:]
    var gaveUp: ContinuousClock.Instant?
    /// Threads that do not wait at present.
    var impatient: Set<UInt> = []
  }

  private let limit: Duration
  private let now: @Sendable () -> ContinuousClock.Instant
  private let pause: @Sendable () -> Void
  private let state = Mutex(State())

  /// - Parameters:
  ///   - seconds: The longest wait of one caller.
  ///   - now: The clock.
  ///   - pause: Lets some milliseconds pass between two attempts.
  package init(
    seconds: Double, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    pause: @escaping @Sendable () -> Void = { Thread.sleep(forTimeInterval: 0.005) }
  ) {
    (limit, self.now, self.pause) = (.seconds(seconds), now, pause)
  }

  /// Whether to try again, returned after a pause: what SQLite's busy handler returns.
  ///
  /// - Parameter attempts: How often this call has waited for this lock before.
  package func waits(after attempts: Int) -> Bool {
    let thread = Self.thread
    let waits = state.withLock { state in
      let now = now()
      if state.impatient.contains(thread) { return false }
      if attempts == 0 {
        // Not renewed: those who come one after another for longer than that are no queue any more.
        if let gaveUp = state.gaveUp, now - gaveUp < Self.memory { return false }
        state.starts[thread] = now
      }
      guard let start = state.starts[thread], now - start < limit else {
        state.starts[thread] = nil
        state.gaveUp = now
        return false
      }
      return true
    }
    if waits { pause() }
    return waits
  }

  /// Calls `body` and waits for no lock in it, on this thread alone.
  package func withoutWaiting<Value>(_ body: () throws -> Value) rethrows -> Value {
    let thread = Self.thread
    state.withLock { _ = $0.impatient.insert(thread) }
    defer { state.withLock { _ = $0.impatient.remove(thread) } }
    return try body()
  }

  /// This thread. Its number is given to another only after its end.
  private static var thread: UInt { UInt(bitPattern: ObjectIdentifier(Thread.current)) }
}

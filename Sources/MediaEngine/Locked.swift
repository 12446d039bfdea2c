internal import Foundation

/// A value that one thread at a time may use.
///
/// What `Synchronization.Mutex` is, over a lock that ThreadSanitizer knows: on Linux it does not see Mutex's own futex, and reports
/// every use of one as a race (Swift 6.3), among which a true one would be lost.
package final class Locked<Value: Sendable & ~Copyable>: @unchecked Sendable {
  private let lock = NSLock()
  // Touched in withLock alone, which is what makes the class Sendable.
  private var value: Value

  /// A lock around a value.
  package init(_ value: consuming Value) { self.value = value }

  /// Calls `body` with the value, while no other thread has it.
  package func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}

internal import Foundation

/// A value that one thread at a time may use.
///
/// Does what `Synchronization.Mutex` does, with a lock that ThreadSanitizer knows. On Linux, ThreadSanitizer does not see the futex of Mutex and
/// reports a race for every use (Swift 6.3), which would hide real ones.
package final class Locked<Value: Sendable & ~Copyable>: @unchecked Sendable {
  private let lock = NSLock()
  // Touched in withLock only, which is what makes the class Sendable.
  private var value: Value

  /// A lock around a value.
  package init(_ value: consuming Value) { self.value = value }

  /// Calls `body` with exclusive access to the value.
  package func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}

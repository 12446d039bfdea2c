internal import Dispatch
internal import GRDB
internal import Synchronization

/// Keeps a database open while it is used.
///
/// GRDB 7.10 closes a connection also between handing it to a reader and the reader's first statement, which then ends the process.
package final class DatabaseUses: Sendable {
  private let isClosed = Mutex(false)
  private let running = DispatchGroup()

  /// Of a database that is open.
  package init() {}

  /// Calls a body that uses the database; fails if it is being closed, or was.
  package func use<Value>(_ body: () throws -> Value) throws -> Value {
    try isClosed.withLock { isClosed in
      if isClosed { throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "Connection is closed") }
      running.enter()
    }
    defer { running.leave() }
    return try body()
  }

  /// Waits until nobody uses the database. Later uses fail. Not for a body that uses it: it would wait for itself.
  package func end() {
    isClosed.withLock { $0 = true }
    running.wait()
  }
}

internal import GRDB
internal import Synchronization

/// Writing a snapshot or an original into the copy takes turns with erasing: what is erased meanwhile would come back with the copy.
///
/// A snapshot is read through a connection of its own, so that other changes of the catalogue do not wait for it. An erasure ends it, and begins when it has ended.
final class SnapshotTurns: Sendable {
  private let turn = Mutex(())
  /// The connection that writes a snapshot.
  private let writing = Mutex<DatabaseQueue?>(nil)

  /// Calls a body while no other one runs. Not reentrant.
  func take<Value: Sendable>(_ body: () throws(LibraryError) -> Value) throws(LibraryError) -> Value {
    try turn.withLock { _ throws(LibraryError) in try body() }
  }

  /// Calls a body that erases: ends the snapshot that is being written, and none is written meanwhile.
  func erase<Value: Sendable>(_ body: () throws(LibraryError) -> Value) throws(LibraryError) -> Value {
    interrupt()
    return try take(body)
  }

  /// Ends the snapshot that is being written: its call fails with ``LibraryError/Code/busy``, and may be repeated. One that begins a moment later is not ended.
  func interrupt() {
    writing.withLock { queue in
      guard let queue else { return }
      queue.interrupt()
    }
  }

  /// Calls a body with a connection that can be interrupted.
  func run(on queue: DatabaseQueue, _ body: () throws -> Void) throws {
    writing.withLock { $0 = queue }
    defer { writing.withLock { $0 = nil } }
    try body()
  }
}

extension Library {
  /// Ends a backup of this process that is running: it fails with ``LibraryError/Code/busy``. For a service that is to end soon.
  package func interruptBackUp() { database.snapshots.interrupt() }
}

internal import GRDB
internal import Synchronization

/// Writing a snapshot or an original into the copy takes turns with erasing: what is erased meanwhile would come back with the copy.
///
/// A snapshot is read through a connection of its own, so that other changes of the catalogue do not wait for it. An erasure ends it, and begins when it has ended.
/// The third one waits for the snapshot instead: otherwise who erases often enough would prevent every snapshot.
final class SnapshotCoordinator: Sendable {
  /// The times that erasures end a snapshot before one is completed.
  private static let maxEnded = 2

  private struct State {
    /// The connection that writes or checks a snapshot.
    var queue: DatabaseQueue?
    /// Whether the work of that connection was ended for an erasure.
    var isEnded = false
    /// The erasures that wait for their turn, or have it.
    var erasures = 0
    /// How often erasures ended a snapshot since one was completed.
    var ended = 0
  }

  private let turn = Mutex(())
  private let state = Mutex(State())

  /// Calls a body while no other one runs. Not reentrant.
  func take<Value: Sendable>(_ body: () throws(LibraryError) -> Value) throws(LibraryError) -> Value {
    try turn.withLock { _ throws(LibraryError) in try body() }
  }

  /// Calls a body that erases: ends the snapshot that is being written, at most twice until one is completed, and none is written meanwhile.
  func erase<Value: Sendable>(_ body: () throws(LibraryError) -> Value) throws(LibraryError) -> Value {
    state.withLock { state in
      state.erasures += 1
      guard let queue = state.queue, !state.isEnded, state.ended < Self.maxEnded else { return }
      state.isEnded = true
      state.ended += 1
      queue.interrupt()
    }
    defer { state.withLock { $0.erasures -= 1 } }
    return try take(body)
  }

  /// A snapshot is complete: the next one may be ended again.
  func noteSnapshot() { state.withLock { $0.ended = 0 } }

  /// Ends the snapshot that is being written: its call fails with ``LibraryError/Code/busy``, and may be repeated. One that begins a moment later is not ended.
  func interrupt() { state.withLock { $0.queue?.interrupt() } }

  /// Calls a body with a connection that can be interrupted. Fails as if it were interrupted if an erasure waits, which may have begun to wait before there was
  /// anything to end.
  func run<Value>(on queue: DatabaseQueue, _ body: () throws -> Value) throws -> Value {
    let isEnded = state.withLock { state -> Bool in
      if state.erasures > 0, state.ended < Self.maxEnded {
        state.ended += 1
        return true
      }
      (state.queue, state.isEnded) = (queue, false)
      return false
    }
    if isEnded { throw DatabaseError(resultCode: .SQLITE_INTERRUPT) }
    defer { state.withLock { $0.queue = nil } }
    return try body()
  }
}

extension Library {
  /// Ends a backup of this process that is running: it fails with ``LibraryError/Code/busy``. For a service that is to end soon.
  package func interruptBackUp() { database.snapshots.interrupt() }
}

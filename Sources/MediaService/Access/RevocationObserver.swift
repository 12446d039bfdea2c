internal import GRDB
public import MediaLibrary
internal import Synchronization

/// Notices when signed URLs end: whenever a committed change raises the generation of an attachment, blocks or erases it. So no use case can
/// forget to say so to whoever keeps answers.
final class RevocationObserver: TransactionObserver, Sendable {
  private struct State: Sendable {
    var pending: Set<FileID> = []
    var handlers: [@Sendable (Set<FileID>) -> Void] = []
  }

  private let state = Mutex(State())

  /// Calls a closure with the files of each change, on the thread that made it, before the change is acknowledged.
  func onCut(_ handler: @escaping @Sendable (Set<FileID>) -> Void) { state.withLock { $0.handlers.append(handler) } }

  /// Calls the closures although nothing was written: for a change that failed, and is made later.
  func cut(_ files: Set<FileID>) {
    for handler in state.withLock(\.handlers) { handler(files) }
  }

  func observes(eventsOfKind kind: DatabaseEventKind) -> Bool {
    guard case .update("attachment", let columns) = kind else { return false }
    return !columns.isDisjoint(with: ["generation", "blocked", "erased"])
  }

  func databaseDidChange(with event: DatabaseEvent) {
    state.withLock { _ = $0.pending.insert(FileID(rawValue: event.rowID)) }
  }

  func databaseDidCommit(_ db: Database) {
    let (files, handlers) = state.withLock { state in
      defer { state.pending = [] }
      return (state.pending, state.handlers)
    }
    guard !files.isEmpty else { return }
    for handler in handlers { handler(files) }
  }

  func databaseDidRollback(_ db: Database) { state.withLock { $0.pending = [] } }
}

extension MediaService {
  /// Calls a closure whenever signed URLs of files end, before the request that ended them is answered. For code that keeps answers in memory.
  public func onAddressesCut(_ handler: @escaping @Sendable (Set<FileID>) -> Void) { database.cuts.onCut(handler) }
}

public import Messaging
internal import Synchronization

extension MessageStore {
  /// What has changed in a store. The change is on the disk.
  public enum Change: Hashable, Sendable {
    /// A thread was added, removed, or has another summary.
    case thread(Thread.ID)
    /// A message was added or changed.
    case message(Message.ID, in: Thread.ID)
    /// A message was deleted.
    case deleted(Message.ID, in: Thread.ID)
    /// A draft was saved, sent or removed.
    case draft(Draft.ID)
    /// Another `MessageSettings` was stored.
    case settings
    /// The user is to be notified that a message was sent, or could not be sent.
    case sent(Message.ID, MessageSending.State)
    /// The user is to be notified of a new message, or of a failed download.
    case arrived(Message.ID, MessageRetrieval.State)
    /// A recipient's phone reports delivery (R-MMS-55).
    case delivered(Message.ID, address: String, MessageSending.Delivery)
    /// A recipient has read a message, or has deleted it unread.
    case read(Message.ID, address: String, MessageSending.Reading)
    /// More has changed than was taken from the sequence: read again what is shown.
    case everything
  }

  /// The changes from now on. Each call returns a sequence of its own, so that several views can follow the store (A35). A sequence that nobody takes
  /// from keeps the newest 500 changes, and then has ``Change/everything``. It ends with ``close()``.
  public var changes: AsyncStream<Change> { feed.stream() }
}

/// Sends changes to every sequence.
final class ChangeFeed: Sendable {
  private typealias Change = MessageStore.Change
  private struct State {
    var streams: [Int: AsyncStream<MessageStore.Change>.Continuation] = [:]
    var next = 0
    var isFinished = false
  }

  private let state = Mutex(State())

  /// Whether the store is closed, or is being closed.
  var isFinished: Bool { state.withLock { $0.isFinished } }

  func stream() -> AsyncStream<MessageStore.Change> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: MessageStore.Change.self, bufferingPolicy: .bufferingNewest(500))
    let number = state.withLock { state -> Int? in
      guard !state.isFinished else { return nil }
      state.next += 1
      state.streams[state.next] = continuation
      return state.next
    }
    guard let number else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in _ = self?.state.withLock { $0.streams.removeValue(forKey: number) }
    }
    return stream
  }

  func send(_ changes: [MessageStore.Change]) {
    guard !changes.isEmpty else { return }
    var seen: Set<MessageStore.Change> = []
    let changes = changes.filter { seen.insert($0).inserted }
    let streams = state.withLock { Array($0.streams.values) }
    for stream in streams {
      for change in changes {
        // The oldest change was dropped; the note takes the place of another.
        if case .dropped = stream.yield(change) { stream.yield(.everything) }
      }
    }
  }

  func finish() {
    let streams = state.withLock { state in
      state.isFinished = true
      return Array(state.streams.values)
    }
    for stream in streams { stream.finish() }
  }
}

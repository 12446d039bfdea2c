internal import Messaging
internal import Synchronization

/// The requests that this process has leased, and the outcomes of those for which it could not be stored, for example on a full disk.
final class OutboxLeases: Sendable {
  /// What is to be stored for a leased request.
  enum Outcome: Sendable {
    /// It was carried out, with this event for its message.
    case finished(MessageSending.Event?)
    /// It is to be carried out again.
    case again
  }

  private struct State {
    var leased: Set<Int64> = []
    var unstored: [(job: OutboxJob, outcome: Outcome)] = []
  }

  private let state = Mutex(State())

  /// Notes a lease, before its transaction ends.
  func begin(_ id: Int64) { state.withLock { _ = $0.leased.insert(id) } }

  /// Ends a lease, when its row is removed or released on the disk.
  func end(_ id: Int64) {
    state.withLock { state in
      state.leased.remove(id)
      state.unstored.removeAll { $0.job.id == id }
    }
  }

  /// Whether this process carries a request out, or has its outcome.
  func contains(_ id: Int64) -> Bool { state.withLock { $0.leased.contains(id) } }

  /// Whether the outcome of a request is kept.
  func hasOutcome(of job: OutboxJob) -> Bool { state.withLock { $0.unstored.contains { $0.job.id == job.id } } }

  /// Keeps an outcome that could not be stored. The first one stays: it is the result of the request, and later ones come from not storing it.
  func keep(_ outcome: Outcome, of job: OutboxJob) {
    state.withLock { state in
      if !state.unstored.contains(where: { $0.job.id == job.id }) { state.unstored.append((job, outcome)) }
    }
  }

  /// Takes the outcomes out to store them, in their order.
  func takeUnstored() -> [(job: OutboxJob, outcome: Outcome)] {
    state.withLock { state in
      let unstored = state.unstored
      state.unstored = []
      return unstored
    }
  }
}

/// Lets a bounded number of complete uploads, and of files of messages, use the engine at a time. The others wait without holding a thread.
///
/// The engine refuses jobs as `busy` when too many wait. A complete upload that was refused for that reason would have to be sent again, so uploads
/// wait here instead, and leave room in the engine's queue for other jobs; so do the files of a message, of which all but one may be done. Callers limit
/// how many uploads and messages there are.
///
/// A free turn is given to the owner who has the fewest, of several to the one who has waited longest, and of an owner's uploads to the first. So an owner
/// gets no turn beyond half of them while another one waits.
actor ExaminationScheduler {
  private struct Waiter {
    let id: Int
    let turn: CheckedContinuation<Void, any Error>
  }

  /// Turns that nobody has. While there are some, nobody waits.
  private var free: Int
  /// Number of turns that an owner has; an owner without one has no entry.
  private var taken: [String: Int] = [:]
  /// The owners who wait, each with at least one upload: who was given a turn last is at the end.
  private var queues: [(owner: String, waiters: [Waiter])] = []
  private var lastID = 0

  /// - Parameter limit: Number of uploads that use the engine at a time.
  init(_ limit: Int) { free = max(1, limit) }

  /// Runs a closure when it is its turn.
  /// - Throws: `CancellationError` if the task is cancelled before the closure begins, also while it waits.
  nonisolated func take<Value: Sendable>(
    for owner: String, _ body: () async throws -> Value
  ) async throws -> Value {
    try await begin(owner)
    do {
      // It may have been cancelled when the turn was already given.
      try Task.checkCancellation()
      let value = try await body()
      await end(owner)
      return value
    } catch {
      await end(owner)
      throw error
    }
  }

  /// Number of uploads of an owner that wait.
  func waitingCount(_ owner: String) -> Int { queues.first { $0.owner == owner }?.waiters.count ?? 0 }

  private func begin(_ owner: String) async throws {
    try Task.checkCancellation()
    if free > 0 {
      free -= 1
      taken[owner, default: 0] += 1
      return
    }
    lastID += 1
    let id = lastID
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (turn: CheckedContinuation<Void, any Error>) in
        // A cancellation after this check finds the waiter: it waits for the actor.
        if Task.isCancelled {
          turn.resume(throwing: CancellationError())
        } else {
          add(Waiter(id: id, turn: turn), of: owner)
        }
      }
    } onCancel: {
      Task { await self.cancel(id) }
    }
  }

  private func add(_ waiter: Waiter, of owner: String) {
    if let index = queues.firstIndex(where: { $0.owner == owner }) {
      queues[index].waiters.append(waiter)
    } else {
      queues.append((owner, [waiter]))
    }
  }

  /// Ends the wait of one that has no turn yet.
  private func cancel(_ id: Int) {
    for index in queues.indices {
      guard let position = queues[index].waiters.firstIndex(where: { $0.id == id }) else { continue }
      let waiter = queues[index].waiters.remove(at: position)
      if queues[index].waiters.isEmpty { queues.remove(at: index) }
      waiter.turn.resume(throwing: CancellationError())
      return
    }
  }

  private func end(_ owner: String) {
    let rest = (taken[owner] ?? 1) - 1
    taken[owner] = rest > 0 ? rest : nil
    // The turn passes to the next one without becoming free, so that nobody overtakes it.
    guard let index = next() else {
      free += 1
      return
    }
    var queue = queues.remove(at: index)
    let waiter = queue.waiters.removeFirst()
    if !queue.waiters.isEmpty { queues.append(queue) }
    taken[queue.owner, default: 0] += 1
    waiter.turn.resume()
  }

  /// The position of the owner who is given the next turn.
  private func next() -> Int? {
    func key(_ index: Int) -> (Int, Int) { (taken[queues[index].owner] ?? 0, index) }
    return queues.indices.min { key($0) < key($1) }
  }
}

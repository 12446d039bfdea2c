/// Lets a bounded number of complete uploads use the engine at a time. The others wait in the order of arrival, without holding a thread.
///
/// The engine refuses jobs as `busy` when too many wait. A complete upload that was refused for that reason would have to be sent again, so uploads
/// wait here instead, and leave room in the engine's queue for other jobs. Callers limit how many uploads there are.
actor ExaminationTurns {
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// - Parameter limit: Number of uploads that use the engine at a time.
  init(_ limit: Int) { free = max(1, limit) }

  /// Runs a closure when it is its turn.
  nonisolated func take<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
    await begin()
    do {
      let value = try await body()
      await end()
      return value
    } catch {
      await end()
      throw error
    }
  }

  private func begin() async {
    guard free == 0 else {
      free -= 1
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  private func end() {
    // The turn passes to the next one without becoming free, so that nobody overtakes it.
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }
}

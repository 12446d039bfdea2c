internal import Synchronization

/// Joins equal work: what several callers ask for at the same time is done once. A caller that leaves does not end the work of the others.
final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let running = Mutex<[Key: Task<Value, any Error>]>([:])

  /// The result of the work, which is started unless it is running.
  func run(_ key: Key, _ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let task = running.withLock { running in
      if let task = running[key] { return task }
      // A task of its own: it outlives the caller that happened to be first.
      let task = Task {
        defer { self.running.withLock { $0[key] = nil } }
        return try await work()
      }
      running[key] = task
      return task
    }
    return try await task.value
  }
}

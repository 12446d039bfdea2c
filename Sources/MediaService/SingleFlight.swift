internal import Synchronization

/// Joins equal work: what several callers ask for at the same time is done once. A caller that leaves does not end the work of the others.
final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Flight {
    let task: Task<Value, any Error>
    var callers = 1
  }

  private let running = Mutex<[Key: Flight]>([:])

  /// The result of the work, which is started unless it is running.
  func run(_ key: Key, _ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let task = running.withLock { running in
      if let flight = running[key] {
        running[key]?.callers += 1
        return flight.task
      }
      // A task of its own: it outlives the caller that happened to be first.
      let task = Task {
        defer { self.running.withLock { $0[key] = nil } }
        return try await work()
      }
      running[key] = Flight(task: task)
      return task
    }
    return try await task.value
  }

  /// Number of callers that have asked for the work that is running; 0 if none is.
  func callers(of key: Key) -> Int { running.withLock { $0[key]?.callers ?? 0 } }
}

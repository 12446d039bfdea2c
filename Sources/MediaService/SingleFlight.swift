internal import Synchronization

/// Joins equal work: what several callers ask for at the same time is done once. A caller that leaves does not end the work of the others.
final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Flight {
    let task: Task<Void, Never>
    let outcome: Outcome
  }

  private let running = Mutex<[Key: Flight]>([:])

  /// The result of the work, which is started unless it is running.
  func run(_ key: Key, _ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let flight = running.withLock { running in
      let flight = running[key] ?? start(key, work)
      flight.outcome.addCaller()
      running[key] = flight
      return flight
    }
    await flight.task.value
    return try flight.outcome.take()
  }

  /// Number of callers that have asked for the work that is running; 0 if none is.
  func callers(of key: Key) -> Int { running.withLock { $0[key]?.outcome.callers ?? 0 } }

  /// Starts the work in a task of its own: it outlives the caller that happened to be first.
  private func start(_ key: Key, _ work: @escaping @Sendable () async throws -> Value) -> Flight {
    let outcome = Outcome()
    let task = Task {
      do { outcome.set(.success(try await work())) } catch { outcome.set(.failure(error)) }
      running.withLock { $0[key] = nil }
    }
    return Flight(task: task, outcome: outcome)
  }

  /// The result until the last caller has taken it. A task's own value would live for a moment longer than the last caller needs it, and a
  /// reservation of memory with it.
  private final class Outcome: Sendable {
    private let state = Mutex<(callers: Int, result: Result<Value, any Error>)>((0, .failure(CancellationError())))

    var callers: Int { state.withLock { $0.callers } }

    func addCaller() { state.withLock { $0.callers += 1 } }

    func set(_ result: Result<Value, any Error>) { state.withLock { $0.result = result } }

    /// To be called once by each caller, after the work.
    func take() throws -> Value {
      let result = state.withLock { state in
        state.callers -= 1
        defer { if state.callers == 0 { state.result = .failure(CancellationError()) } }
        return state.result
      }
      return try result.get()
    }
  }
}

internal import Synchronization

/// Bounds the time of work that may not notice its cancellation.
enum Deadline {
  /// The work took too long.
  struct Passed: Error {}

  /// The result of some work, or ``Passed`` after a time, or `CancellationError` if the task is cancelled; the work is then cancelled and left behind.
  static func within<Value: Sendable>(
    _ patience: Duration, _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let first = FirstResult<Value>()
    let worker = Task {
      do { first.set(.success(try await work())) } catch { first.set(.failure(error)) }
    }
    let timer = Task {
      try await Task.sleep(for: patience)
      first.set(.failure(Passed()))
      worker.cancel()
    }
    defer { timer.cancel() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { first.wait($0) }
    } onCancel: {
      first.set(.failure(CancellationError()))
      worker.cancel()
    }
  }

  /// The first of several results, for one waiter.
  private final class FirstResult<Value: Sendable>: Sendable {
    private enum State {
      case empty
      case waiting(CheckedContinuation<Value, any Error>)
      case set(Result<Value, any Error>)
      case delivered
    }

    private let state = Mutex(State.empty)

    func set(_ result: Result<Value, any Error>) {
      let waiter = state.withLock { state -> CheckedContinuation<Value, any Error>? in
        switch state {
        case .empty: state = .set(result)
        case .waiting(let waiter):
          state = .delivered
          return waiter
        case .set, .delivered: break
        }
        return nil
      }
      waiter?.resume(with: result)
    }

    func wait(_ continuation: CheckedContinuation<Value, any Error>) {
      let result = state.withLock { state -> Result<Value, any Error>? in
        if case .set(let result) = state {
          state = .delivered
          return result
        }
        state = .waiting(continuation)
        return nil
      }
      if let result { continuation.resume(with: result) }
    }
  }
}

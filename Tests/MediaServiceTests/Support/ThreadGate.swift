internal import Dispatch
internal import MediaLibrary

/// Holds the only thread of a ``BlockingThreads`` until a test opens the gate, so that calls wait in a known order.
struct ThreadGate: Sendable {
  private let opened = DispatchSemaphore(value: 0)
  private let held: Task<Void, any Error>

  /// Returns when the thread is held.
  init(holding threads: BlockingThreads) async {
    let (reached, continuation) = AsyncStream<Void>.makeStream()
    held = Task { [opened] in
      try await threads.run {
        continuation.finish()
        opened.wait()
      }
    }
    for await _ in reached {}
  }

  /// Lets the thread go.
  func open() async throws {
    opened.signal()
    try await held.value
  }
}

/// Waits for an event without a deadline.
func waitUntil(_ condition: () async throws -> Bool) async throws {
  while try await !condition() { await Task.yield() }
}

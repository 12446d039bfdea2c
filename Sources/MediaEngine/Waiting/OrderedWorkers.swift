internal import Dispatch
internal import Foundation

/// Processes many items concurrently, and delivers the outputs in the order of the items.
///
/// There are three roles, each on threads of its own because their closures block: one feeder gets the next item, `jobs` workers process items, and
/// the caller's thread delivers. They share a ring of `window` slots. The feeder waits until the slot of its next item has been delivered, so that at
/// most `window` items and outputs are in memory.
package struct OrderedWorkers {
  /// Number of worker threads.
  package let jobs: Int
  /// Maximum number of items that were fed and not delivered.
  package let window: Int

  /// - Parameter window: Default four per worker: enough for the others to continue while the oldest item is slow.
  package init(jobs: Int, window: Int? = nil) {
    self.jobs = max(1, jobs)
    self.window = max(self.jobs, window ?? 4 * self.jobs)
  }

  /// Processes items until there are no more, or until a stop is requested. Items that were begun are always finished and delivered.
  ///
  /// - Parameters:
  ///   - next: Returns the next item. Called on the feeder's thread only.
  ///   - work: Called on many threads at once.
  ///   - deliver: Called on the caller's thread. An error that it throws ends the run.
  package func run<Item: Sendable, Output: Sendable>(
    stop: StopSignal, next: @escaping @Sendable () throws -> Item?, work: @escaping @Sendable (Item) -> Output,
    deliver: (Item, Output) throws -> Void
  ) throws {
    let ring = Ring<Item, Output>(window: window)
    let threads = DispatchSemaphore(value: 0)
    start(threads) { ring.feed(stop: stop, workers: jobs, next: next) }
    for _ in 0..<jobs { start(threads) { ring.work(stop: stop, work) } }

    var failure: (any Error)?
    do { try ring.deliver(deliver) } catch { failure = error }
    // The workers and the feeder have ended, or end now: no thread of a run outlives it.
    if failure != nil { stop.request() }
    ring.close()
    for _ in 0...jobs { threads.wait() }
    if let failure { throw failure }
  }

  private func start(_ ended: DispatchSemaphore, _ body: @escaping @Sendable () -> Void) {
    Thread.startForJobs {
      body()
      ended.signal()
    }
  }
}

/// The slots that the three roles share.
private final class Ring<Item: Sendable, Output: Sendable>: Sendable {
  /// The content of a slot that is ready.
  enum Outcome {
    case output(Item, Output)
    /// Stopped before this item was begun. So were all later items, because they are begun in order.
    case notBegun
    /// There are no more items.
    case end((any Error)?)
  }

  private struct State {
    var outcomes: [Outcome?]
    var waiting: [(index: Int, item: Item)] = []
    var closed = false
  }

  private let window: Int
  private let state: Locked<State>
  /// Number of slots that the feeder may fill.
  private let space = DispatchSemaphore(value: 0)
  /// Number of items that workers may take, plus one per worker at the end.
  private let available = DispatchSemaphore(value: 0)
  /// One per slot: signalled when its outcome is there.
  private let ready: [DispatchSemaphore]

  init(window: Int) {
    self.window = window
    state = Locked(State(outcomes: Array(repeating: nil, count: window)))
    ready = (0..<window).map { _ in DispatchSemaphore(value: 0) }
    // Not as the initial value: a semaphore must not be freed below its initial value, as happens when a run is stopped.
    for _ in 0..<window { space.signal() }
  }

  func feed(stop: StopSignal, workers: Int, next: () throws -> Item?) {
    var index = 0
    while true {
      space.wait()
      do {
        guard !stop.isRequested, !state.withLock({ $0.closed }), let item = try next() else {
          finish(index, .end(nil))
          break
        }
        state.withLock { $0.waiting.append((index, item)) }
        available.signal()
        index += 1
      } catch {
        finish(index, .end(error))
        break
      }
    }
    for _ in 0..<workers { available.signal() }
  }

  func work(stop: StopSignal, _ work: (Item) -> Output) {
    while true {
      available.wait()
      // Taking an item and checking for a stop are one step. Otherwise a later item could be begun and an earlier one not.
      let (taken, stopped) = state.withLock { state in
        (state.waiting.isEmpty ? nil : state.waiting.removeFirst(), stop.isRequested)
      }
      guard let (index, item) = taken else { return }
      finish(index, stopped ? .notBegun : .output(item, work(item)))
    }
  }

  func deliver(_ deliver: (Item, Output) throws -> Void) throws {
    var index = 0
    while true {
      let slot = index % window
      ready[slot].wait()
      let outcome = state.withLock { state in
        defer { state.outcomes[slot] = nil }
        return state.outcomes[slot]
      }
      switch outcome {
      case .output(let item, let output): try deliver(item, output)
      case .end(let error?): throw error
      case .end(nil), .notBegun, nil: return
      }
      space.signal()
      index += 1
    }
  }

  /// Delivery has ended: wakes a feeder that waits for space.
  func close() {
    state.withLock { $0.closed = true }
    space.signal()
  }

  private func finish(_ index: Int, _ outcome: Outcome) {
    state.withLock { $0.outcomes[index % window] = outcome }
    ready[index % window].signal()
  }
}

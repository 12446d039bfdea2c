internal import Dispatch
internal import Foundation

/// Works on many items at once, and hands over what came out in the order of the items, whatever is finished first.
///
/// Three roles, each on threads of its own, since what they call blocks: one feeder asks for the next item, `jobs` workers work,
/// and the caller's thread delivers. They share a ring of `window` slots: the feeder waits until the slot of its next
/// item has been delivered, so that never more than `window` items and results are held, however many there are.
package struct OrderedWorkers {
  /// Threads that work.
  package let jobs: Int
  /// Items that are known and not yet delivered, at most.
  package let window: Int

  /// - Parameter window: Default four for each worker: enough for the others to go on while the oldest is slow.
  package init(jobs: Int, window: Int? = nil) {
    self.jobs = max(1, jobs)
    self.window = max(self.jobs, window ?? 4 * self.jobs)
  }

  /// Works on every item until there is no next one, or a stop is requested. Items that were begun are always finished and delivered.
  ///
  /// - Parameters:
  ///   - next: Gives the next item. Called on the feeder's thread only.
  ///   - work: Called on many threads at once.
  ///   - deliver: Called on the caller's thread. What it throws ends the run.
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
    // The workers and the feeder have ended, or end now: nothing of a run outlives it.
    if failure != nil { stop.request() }
    ring.close()
    for _ in 0...jobs { threads.wait() }
    if let failure { throw failure }
  }

  private func start(_ ended: DispatchSemaphore, _ body: @escaping @Sendable () -> Void) {
    let thread = Thread {
      body()
      ended.signal()
    }
    // What the main thread has as a rule, and the C libraries are used to.
    thread.stackSize = 8 << 20
    thread.start()
  }
}

/// The slots that the three roles share.
private final class Ring<Item: Sendable, Output: Sendable>: Sendable {
  /// What stands in a slot when it is ready.
  enum Outcome {
    case output(Item, Output)
    /// Stopped before this item was begun. So are all items behind it, for they are begun in their order.
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
  /// Slots that the feeder may fill.
  private let space = DispatchSemaphore(value: 0)
  /// Items that a worker may take, and one more for each worker at the end.
  private let available = DispatchSemaphore(value: 0)
  /// One a slot: its outcome is there.
  private let ready: [DispatchSemaphore]

  init(window: Int) {
    self.window = window
    state = Locked(State(outcomes: Array(repeating: nil, count: window)))
    ready = (0..<window).map { _ in DispatchSemaphore(value: 0) }
    // Not as the initial value: a semaphore may not be freed while it is below that, as it is when a run is stopped.
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
      // Taking an item and looking for a stop are one step: were they two, a later item could be begun and an earlier one not.
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

  /// Delivering has ended: wakes a feeder that still waits for space.
  func close() {
    state.withLock { $0.closed = true }
    space.signal()
  }

  private func finish(_ index: Int, _ outcome: Outcome) {
    state.withLock { $0.outcomes[index % window] = outcome }
    ready[index % window].signal()
  }
}

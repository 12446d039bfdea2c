internal import Dispatch
internal import Foundation

/// Processes many items concurrently, and delivers each output as soon as it is there.
///
/// As ``OrderedWorkers``, but a slow item delays only its own output. At most `window` items and outputs are in memory.
package struct UnorderedWorkers {
  private let jobs: Int
  private let window: Int

  /// - Parameters:
  ///   - jobs: Number of worker threads.
  ///   - window: Default four per worker.
  package init(jobs: Int, window: Int? = nil) {
    self.jobs = max(1, jobs)
    self.window = max(self.jobs, window ?? 4 * self.jobs)
  }

  /// As ``OrderedWorkers/run(stop:next:work:deliver:)``, in any order.
  package func run<Item: Sendable, Output: Sendable>(
    stop: StopSignal, next: @escaping @Sendable () throws -> Item?, work: @escaping @Sendable (Item) -> Output,
    deliver: (Item, Output) throws -> Void
  ) throws {
    let queue = Queue<Item, Output>(window: window)
    Thread.startForJobs { queue.feed(stop: stop, workers: jobs, next: next) }
    for _ in 0..<jobs { Thread.startForJobs { queue.work(stop: stop, work) } }
    try queue.deliver(from: 1 + jobs, stop: stop, deliver)
  }
}

/// What the threads share.
private final class Queue<Item: Sendable, Output: Sendable>: Sendable {
  private enum Event {
    case output(Item, Output)
    /// A thread ends: the feeder, with the error of an item that could not be had, or a worker.
    case ended((any Error)?)
  }

  private struct State {
    var waiting: [Item] = []
    var events: [Event] = []
    var isClosed = false
  }

  private let state = Locked(State())
  /// Number of items that the feeder may get.
  private let space = DispatchSemaphore(value: 0)
  /// Number of items that workers may take, plus one per worker at the end.
  private let available = DispatchSemaphore(value: 0)
  /// Number of events.
  private let happened = DispatchSemaphore(value: 0)

  init(window: Int) {
    // Not as the initial value: a semaphore must not be freed below its initial value.
    for _ in 0..<window { space.signal() }
  }

  func feed(stop: StopSignal, workers: Int, next: () throws -> Item?) {
    var failure: (any Error)?
    do {
      while true {
        space.wait()
        guard !stop.isRequested, !state.withLock({ $0.isClosed }), let item = try next() else { break }
        state.withLock { $0.waiting.append(item) }
        available.signal()
      }
    } catch { failure = error }
    for _ in 0..<workers { available.signal() }
    add(.ended(failure))
  }

  func work(stop: StopSignal, _ work: (Item) -> Output) {
    while true {
      available.wait()
      let item = state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
      guard let item, !stop.isRequested else { break }
      add(.output(item, work(item)))
    }
    add(.ended(nil))
  }

  /// Delivers until all threads have ended; after an error they are stopped, and no thread outlives the call.
  func deliver(from threads: Int, stop: StopSignal, _ deliver: (Item, Output) throws -> Void) throws {
    var running = threads
    // Of the items: what was begun before it is delivered still. Of the delivery: nothing more is.
    var (itemFailure, failure) = ((any Error)?.none, (any Error)?.none)
    while running > 0 {
      happened.wait()
      switch state.withLock({ $0.events.removeFirst() }) {
      case .output(let item, let output):
        guard failure == nil else { continue }
        do { try deliver(item, output) } catch {
          failure = error
          stop.request()
          state.withLock { $0.isClosed = true }
        }
        space.signal()
      case .ended(let error):
        // After a stop nobody signals for an item that was dropped, and the feeder may wait for space.
        space.signal()
        running -= 1
        itemFailure = itemFailure ?? error
      }
    }
    if let failure = failure ?? itemFailure { throw failure }
  }

  private func add(_ event: Event) {
    state.withLock { $0.events.append(event) }
    happened.signal()
  }
}

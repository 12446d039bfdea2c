internal import Foundation

/// The events between a scan's threads and the task that reads them: bounded, so that a slow reader slows the scan and memory stays flat.
final class EventBuffer: @unchecked Sendable {
  private let capacity: Int
  private let condition = NSCondition()
  // All five touched under the condition's lock alone, which is what makes the class Sendable.
  private var events: [ScanEvent] = []
  /// The last one: a reader who is slower has no use for those before.
  private var progress: ScanProgress?
  private var end: Result<Void, ScanError>?
  private var isClosed = false
  private var reader: CheckedContinuation<Void, Never>?

  /// - Parameter capacity: Events that wait, at most, but for a single batch that is longer.
  init(capacity: Int) { self.capacity = max(1, capacity) }

  // MARK: For the scan's threads

  /// Adds events. Blocks until there is room for them, or nobody reads any more.
  func send(_ more: [ScanEvent]) {
    change {
      while !isClosed, !events.isEmpty, events.count + more.count > capacity { condition.wait() }
      if !isClosed { events += more }
    }
  }

  /// Says how far the scan is. Never blocks.
  func update(_ progress: ScanProgress) { change { self.progress = progress } }

  /// Ends the sequence behind all that is in it.
  func finish(_ result: Result<ScanEvent, ScanError>) {
    change {
      progress = nil
      switch result {
      case .success(let last):
        if !isClosed { events.append(last) }
        end = .success(())
      case .failure(let error): end = .failure(error)
      }
    }
  }

  /// Makes a change, and wakes a reader who waits for it.
  private func change(_ body: () -> Void) {
    condition.lock()
    body()
    let waiting = reader
    reader = nil
    condition.unlock()
    waiting?.resume()
  }

  // MARK: For the reader

  /// Nobody reads any more: what is sent from now on is dropped, and nobody waits.
  func close() {
    condition.lock()
    isClosed = true
    events = []
    condition.broadcast()
    condition.unlock()
  }

  /// All events that are there, waiting for the first; nil after the end.
  func next() async -> Result<[ScanEvent]?, ScanError> {
    while true {
      if let result = take() { return result }
      await withCheckedContinuation { wait(with: $0) }
    }
  }

  /// What there is; nil when there is nothing yet.
  private func take() -> Result<[ScanEvent]?, ScanError>? {
    condition.lock()
    defer { condition.unlock() }
    if !events.isEmpty || progress != nil {
      defer { (events, progress) = ([], nil) }
      condition.broadcast()
      return .success(events + (progress.map { [.progress($0)] } ?? []))
    }
    switch end {
    case nil: return nil
    case .success: return .success(nil)
    case .failure(let error):
      // It is thrown once.
      end = .success(())
      return .failure(error)
    }
  }

  private func wait(with continuation: CheckedContinuation<Void, Never>) {
    condition.lock()
    let hasNews = !events.isEmpty || progress != nil || end != nil
    if !hasNews { reader = continuation }
    condition.unlock()
    if hasNews { continuation.resume() }
  }
}

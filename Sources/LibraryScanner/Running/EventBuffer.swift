internal import Foundation

/// A bounded buffer between the threads of a scan and the task that reads its events: a slow reader slows the scan, and memory stays constant.
final class EventBuffer: @unchecked Sendable {
  private let capacity: Int
  /// Called under the lock before a sender waits.
  private let willWait: (@Sendable () -> Void)?
  private let condition = NSCondition()
  // All five are touched under the condition's lock only, which is what makes the class Sendable.
  private var events: [MediaScan.Event] = []
  /// Only the latest progress: a slow reader has no use for older ones.
  private var progress: MediaScan.Progress?
  private var end: Result<Void, MediaScanner.Failure>?
  private var isClosed = false
  private var reader: CheckedContinuation<Void, Never>?

  /// - Parameter capacity: Maximum number of waiting events; a single longer batch is accepted.
  init(capacity: Int, willWait: (@Sendable () -> Void)? = nil) {
    (self.capacity, self.willWait) = (max(1, capacity), willWait)
  }

  // MARK: Scan threads

  /// Adds events. Blocks until there is room or the reader has gone.
  func send(_ more: [MediaScan.Event]) {
    change {
      while !isClosed, !events.isEmpty, events.count + more.count > capacity {
        willWait?()
        condition.wait()
      }
      if !isClosed { events += more }
    }
  }

  /// Replaces the progress. Never blocks.
  func update(_ progress: MediaScan.Progress) { change { self.progress = progress } }

  /// Ends the sequence after all events in the buffer.
  func finish(_ result: Result<MediaScan.Event, MediaScanner.Failure>) {
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

  /// Applies a change and wakes a waiting reader.
  private func change(_ body: () -> Void) {
    condition.lock()
    body()
    let waiting = reader
    reader = nil
    condition.unlock()
    waiting?.resume()
  }

  // MARK: Reader

  /// Ends reading: later events are dropped, and no sender waits.
  func close() {
    condition.lock()
    isClosed = true
    events = []
    condition.broadcast()
    condition.unlock()
  }

  /// Waits for the first event and returns all that are ready; nil after the end.
  func next() async -> Result<[MediaScan.Event]?, MediaScanner.Failure> {
    while true {
      if let result = take() { return result }
      await withCheckedContinuation { wait(with: $0) }
    }
  }

  /// Takes the ready events; nil if there are none yet.
  private func take() -> Result<[MediaScan.Event]?, MediaScanner.Failure>? {
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
      // The error is thrown once.
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

internal import Synchronization

/// One reader of a ``TrayFeed``. Ends with the value, and for one task at a time.
final class TraySubscription: Sendable {
  private let feed: TrayFeed
  private let number: UInt64

  init(feed: TrayFeed, number: UInt64) { (self.feed, self.number) = (feed, number) }

  deinit { end() }

  /// The next events, in order; empty after ``nudge()``; nil when the stream has ended or the task was cancelled.
  func next() async -> [TrayFeed.Event]? {
    await withTaskCancellationHandler {
      while !Task.isCancelled {
        let events = feed.state.withLock { state -> [TrayFeed.Event]?? in
          state.readers[number] == nil ? .some(nil) : state.take(number).map(Optional.some)
        }
        if let events { return events }
        await withCheckedContinuation { continuation in
          let isReady = feed.state.withLock { state in
            // A change may have come since.
            guard state.readers[number] != nil, state.pending(number) == nil else { return true }
            state.readers[number]?.waiting = continuation
            return false
          }
          if isReady { continuation.resume() }
        }
      }
      return nil
    } onCancel: {
      end()
    }
  }

  /// The event after which ``next()`` continues, of any topic; nil when the stream has ended.
  var position: TrayFeed.EventID? { feed.state.withLock { $0.readers[number]?.position } }

  /// Makes ``next()`` give again what came after an event that it has returned.
  func resume(after id: TrayFeed.EventID) {
    feed.state.withLock { state in
      guard state.readers[number] != nil else { return }
      state.readers[number]?.position = id
    }
  }

  /// Makes ``next()`` return without events, so that its caller can show that the connection lives.
  func nudge() {
    let waiting = feed.state.withLock { state in
      state.readers[number]?.isNudged = true
      return state.takeWaiting(number)
    }
    waiting?.resume()
  }

  /// Ends the stream.
  func end() { feed.state.withLock { $0.end(number) }?.resume() }
}

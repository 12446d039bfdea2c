internal import FileSupport
internal import MediaLibrary

/// The events of a scan, in the order in which what they tell was kept. The last one is ``ScanEvent/finished(_:isComplete:)``.
///
/// The scan works on threads of its own; no call blocks one of Swift's pool. It waits for a slow reader: see ``ScanOptions/maxPendingEvents``.
///
/// Cancelling the task that reads stops the scan: no new file is begun, those under way are finished and kept, their events still come, and the
/// sequence ends. Leaving the loop early stops the scan as well; what it finishes then is kept without an event.
public struct MediaScan: AsyncSequence, Sendable {
  /// One event.
  public typealias Element = ScanEvent
  /// What ends a scan early.
  public typealias Failure = ScanError

  let scanner: MediaScanner
  let roots: [PathBytes]
  let options: ScanOptions

  /// Begins the scan.
  public func makeAsyncIterator() -> Iterator { Iterator(batches: batches.makeAsyncIterator()) }

  /// The same events, those that are there at once together: for a reader who passes them on, such as into a database of its own.
  public var batches: Batches { Batches(scan: self) }

  /// Takes the events one after another.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var batches: Batches.Iterator
    private var batch: ArraySlice<ScanEvent> = []

    fileprivate init(batches: Batches.Iterator) { self.batches = batches }

    /// The next event; nil after the last.
    /// - Throws: What ended the scan early, after all events of what was kept before.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(ScanError) -> ScanEvent? {
      // A batch may be long; a cancelled scan begins no more files from now on.
      if Task.isCancelled { batches.stop() }
      if let event = batch.popFirst() { return event }
      batch = try await batches.next(isolation: actor)?[...] ?? []
      return batch.popFirst()
    }
  }

  /// The events of a scan in batches, none of them empty.
  public struct Batches: AsyncSequence, Sendable {
    /// Some events.
    public typealias Element = [ScanEvent]
    /// What ends a scan early.
    public typealias Failure = ScanError

    let scan: MediaScan

    /// Begins the scan.
    public func makeAsyncIterator() -> Iterator { Iterator(run: RunningScan(scan)) }

    /// Takes the batches one after another.
    public struct Iterator: AsyncIteratorProtocol {
      fileprivate let run: RunningScan

      fileprivate func stop() { run.stop() }

      /// The next batch, of at least one event; nil after the last.
      /// - Throws: What ended the scan early, after all events of what was kept before.
      public mutating func next(isolation actor: isolated (any Actor)?) async throws(ScanError) -> [ScanEvent]? {
        let run = run
        return try await withTaskCancellationHandler(
          operation: { () async -> Result<[ScanEvent]?, ScanError> in await run.events.next() },
          onCancel: { run.stop() }, isolation: actor
        ).get()
      }
    }
  }
}

internal import FileSupport
internal import MediaLibrary

/// The events of a scan, in the order of their commits. The last one is ``MediaScan/Event/finished(_:isComplete:)``.
///
/// The scan runs on threads of its own and never blocks one of Swift's pool. It waits for a slow reader: see ``MediaScanner/Options/maxPendingEvents``.
///
/// Cancelling the task that reads stops the scan: no new file is begun, files in progress are finished and committed, their events still come,
/// and the sequence ends. Leaving the loop early stops the scan too; the files in progress are committed without an event.
public struct MediaScan: AsyncSequence, Sendable {
  /// The result for one file, a problem, or the progress of the scan.
  public typealias Element = Event
  /// The error that ends a scan early.
  public typealias Failure = MediaScanner.Failure

  let scanner: MediaScanner
  let roots: [PathBytes]
  let options: MediaScanner.Options

  /// Starts a scan of its own: each iterator scans once.
  public func makeAsyncIterator() -> Iterator { Iterator(batches: batches.makeAsyncIterator()) }

  /// The same events in batches of those that are ready together, for example to write them to another database in one transaction.
  public var batches: Batches { Batches(scan: self) }

  /// An iterator over single events.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var batches: Batches.Iterator
    private var batch: ArraySlice<Event> = []

    fileprivate init(batches: Batches.Iterator) { self.batches = batches }

    /// The next event; nil after the last.
    /// - Throws: The error that ended the scan early, after the events of everything committed before.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(MediaScanner.Failure) -> Event? {
      // A batch may be long; a cancelled scan must begin no more files from now on.
      if Task.isCancelled { batches.stop() }
      if let event = batch.popFirst() { return event }
      batch = try await batches.next(isolation: actor)?[...] ?? []
      return batch.popFirst()
    }
  }

  /// The events of a scan in batches that are never empty.
  public struct Batches: AsyncSequence, Sendable {
    /// A batch of at least one event.
    public typealias Element = [Event]
    /// The error that ends a scan early.
    public typealias Failure = MediaScanner.Failure

    let scan: MediaScan

    /// Starts a scan of its own: each iterator scans once.
    public func makeAsyncIterator() -> Iterator { Iterator(run: RunningScan(scan)) }

    /// An iterator over batches.
    public struct Iterator: AsyncIteratorProtocol {
      fileprivate let run: RunningScan

      fileprivate func stop() { run.stop() }

      /// The next batch, with at least one event; nil after the last.
      /// - Throws: The error that ended the scan early, after the events of everything committed before.
      public mutating func next(isolation actor: isolated (any Actor)?) async throws(MediaScanner.Failure) -> [Event]? {
        let run = run
        return try await withTaskCancellationHandler(
          operation: { () async -> Result<[Event]?, MediaScanner.Failure> in await run.events.next() },
          onCancel: { run.stop() }, isolation: actor
        ).get()
      }
    }
  }
}

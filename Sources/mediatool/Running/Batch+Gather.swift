internal import ArgumentParser
internal import FileSupport
internal import MediaEngine

/// For commands with one answer for all inputs.
extension Batch {
  /// Processes all inputs, and returns the results in their order.
  /// - Throws: `ExitCode` if it was stopped, or a ``Fault``.
  func gather<Found: Sendable>(
    _ source: consuming sending InputSource, work: @escaping @Sendable (Input) throws(Fault) -> Found
  ) throws -> [(input: Input, found: Found)] {
    let inputs = Locked(source)
    var all: [(input: Input, found: Found)] = []
    try each(next: { try inputs.withLock { source throws(Fault) in try source.next() } }, path: \.path, work: work) {
      all.append(($0, $1))
    }
    report(skipped: inputs.withLock { $0.skipped })
    return all
  }

  /// Processes items with a progress line, and delivers the results in the order of the items.
  /// - Throws: `ExitCode` if it was stopped, and the errors of `next`, `work` and `deliver`.
  func each<Item: Sendable, Found: Sendable>(
    next: @escaping @Sendable () throws -> Item?, path: (Item) -> PathBytes,
    work: @escaping @Sendable (Item) throws(Fault) -> Found, deliver: (Item, Found) throws -> Void
  ) throws {
    var progress = Progress(isShown: Terminal.isTerminal(2))
    var done = 0
    defer { progress.end() }
    try OrderedWorkers(jobs: options.workers).run(
      stop: stop, next: next, work: { item in Result { () throws(Fault) in try work(item) } }
    ) { item, found in
      try deliver(item, found.get())
      done += 1
      progress.count(failed: false, path: path(item))
    }
    progress.end()
    guard stop.signal != nil else { return }
    Diagnostics.say("interrupted after \(RefusalSentence.counted(done, "file")); no results were printed")
    throw ExitCode(ExitStatus.interrupted.rawValue)
  }
}

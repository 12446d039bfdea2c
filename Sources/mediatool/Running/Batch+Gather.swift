internal import ArgumentParser
internal import FileSupport
internal import MediaEngine

/// For verbs whose answer is one for all inputs.
extension Batch {
  /// Works on every input and gives all that came out, in the order of the inputs.
  /// - Throws: `ExitCode` when it was stopped, or a ``Fault``.
  func gather<Found: Sendable>(
    _ source: consuming sending InputSource, work: @escaping @Sendable (Input) throws(Fault) -> Found
  ) throws -> [(input: Input, found: Found)] {
    let inputs = Locked(source)
    var all: [(input: Input, found: Found)] = []
    try each(next: { try inputs.withLock { source throws(Fault) in try source.next() } }, path: \.path, work: work) {
      all.append(($0, $1))
    }
    tell(leftOut: inputs.withLock { $0.leftOut })
    return all
  }

  /// Works on items one after another, with a progress line, and hands over what came out in their order.
  /// - Throws: `ExitCode` when it was stopped, and what `next`, `work` and `deliver` throw.
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
    Diagnostics.say("interrupted after \(RefusalSentence.counted(done, "file")); no partial result is printed")
    throw ExitCode(ExitStatus.interrupted.rawValue)
  }
}

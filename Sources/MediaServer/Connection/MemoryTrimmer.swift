internal import CEngineShims
internal import MediaEngine
internal import MediaLibrary

/// Gives memory back to the system that `malloc` has free, after many connections have ended. Otherwise glibc keeps it: small blocks in use lie between
/// the free ones.
final class MemoryTrimmer: Sendable {
  private let delays: [Duration]
  private let isScheduled = Locked(false)
  private let threads = BlockingThreads(limit: 1)
  private let give: @Sendable () -> Void

  /// - Parameters:
  ///   - delays: When memory is given back, after a request and again after each time. Default 2, 4 and 24 seconds: what the last connections had is
  ///     freed by their tasks, some of which sync a file first.
  ///   - give: Gives the memory back, blocking. Default: that of `malloc`.
  init(
    delays: [Duration] = [.seconds(2), .seconds(4), .seconds(24)],
    give: @escaping @Sendable () -> Void = { mediatool_trim_allocator() }
  ) {
    (self.delays, self.give) = (delays, give)
  }

  /// Gives memory back after each of the delays. Requests until the first of them are one.
  func giveBackSoon() {
    let isFirst = isScheduled.withLock { isScheduled in
      defer { isScheduled = true }
      return !isScheduled
    }
    guard isFirst else { return }
    Task.detached { [self] in
      for delay in delays {
        try? await Task.sleep(for: delay)
        // A request from now on is one for memory that this may miss.
        isScheduled.withLock { $0 = false }
        try? await threads.run(give)
      }
    }
  }
}

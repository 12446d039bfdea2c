internal import Foundation
internal import Glibc
internal import MediaEngine

/// What a run reports while it lasts: signs of life, and the end of the process that started it.
final class RunMonitor: Sendable {
  private let counts = Locked((done: 0, failed: 0))
  private let ended = DispatchSemaphore(value: 0)
  private let isWatching: Bool
  /// The process that started this one, as it was when this was first asked for.
  static let parent = getppid()

  /// Starts to watch, if there is anything to watch.
  init(_ stream: Batch.Stream, stop: StopSignal) {
    let parent = stream.endsWithParent ? Self.parent : 1
    isWatching = stream.heartbeat != nil || parent != 1
    guard isWatching else { return }
    let pause = stream.heartbeat.map { parent == 1 ? $0 : min($0, 1) } ?? 1
    Thread.detachNewThread { [counts, ended] in
      var waited = 0.0
      while ended.wait(timeout: .now() + pause) == .timedOut {
        // A process whose parent has ended gets another one.
        if parent != 1, getppid() != parent { _ = stop.request(by: SIGTERM) }
        waited += pause
        guard let heartbeat = stream.heartbeat, waited >= heartbeat else { continue }
        waited = 0
        let (done, failed) = counts.withLock { $0 }
        // The form that Hadoop takes for a sign of life; others take any line.
        Diagnostics.write("reporter:status:\(done) done, \(failed) failed\n")
      }
    }
  }

  deinit { if isWatching { ended.signal() } }

  /// Notes the counts so far.
  func count(done: Int, failed: Int) { counts.withLock { $0 = (done, failed) } }
}

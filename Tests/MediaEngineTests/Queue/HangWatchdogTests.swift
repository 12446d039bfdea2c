internal import Dispatch
internal import Foundation
internal import Logging
internal import MediaEngineProtocol
internal import MediaModel
internal import MetricsTestKit
internal import TestSupport
internal import Testing

@testable internal import MediaEngine

/// A file system that does not answer: opening hangs until the test ends it.
@Suite("Files that block in open()", .timeLimit(.minutes(20))) struct HangWatchdogTests {
  private let gate = DispatchSemaphore(value: 0)
  private let metrics = TestMetrics()

  private func core(maxLost: Int = 64) -> EngineCore {
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let executor = GatedExecutor(isOpen: true)
    return EngineCore(
      slots: 1, waiting: 9, joining: 9, maxLost: maxLost, report: EngineReport(logger: logger, metrics: metrics),
      cleanUp: {},
      open: { [gate] source throws(MediaFailure) in
        if case .path(let path) = source.content, path.starts(with: "/hang".utf8) {
          gate.wait()
          return try OpenedFile(.bytes(path))
        }
        return try OpenedFile(source)
      },
      makeSlot: { InProcessSlot(executor: executor) })
  }

  private func submit(_ source: MediaSource, to core: EngineCore) -> OneShot<Result<JobAnswer, MediaFailure>> {
    var options = ProbeOptions()
    options.limits.probeSeconds = 0
    let answer = OneShot<Result<JobAnswer, MediaFailure>>()
    let key = JobKey(source: source, job: MediaJob(facts: .found(options, claim: nil)))
    // A second call would trap: a OneShot is set once.
    _ = core.submit(key, priority: .interactive, isBounded: true) { answer.set($0) }
    return answer
  }

  @Test func `A hanging job costs its deadline and no slot`() throws {
    let core = core()
    core.startSlot()
    let hung = [submit(.path("/hang/1"), to: core), submit(.path("/hang/2"), to: core)]
    let other = submit(.bytes(Array("other".utf8)), to: core)
    #expect(try other.wait().get().result.info.title == "other")
    for answer in hung {
      let info = try answer.wait().get().result.info
      #expect(info.error?.code == .timedOut)
      #expect(info.bytes == 0)
    }
    #expect(try metrics.expectCounter("mediatool_lost_threads_total").totalValue == 2)
    // Nobody waits for the threads.
    core.stop()
    core.join()
    for _ in hung { gate.signal() }
  }

  @Test func `A thread that returns leaves its slot to its successor`() throws {
    let core = core()
    core.startSlot()
    #expect(try submit(.path("/hang"), to: core).wait().get().result.info.error?.code == .timedOut)
    gate.signal()
    for number in 0..<20 {
      #expect(try submit(.bytes(Array("\(number)".utf8)), to: core).wait().get().result.info.title == "\(number)")
    }
    core.stop()
    core.join()
  }

  @Test func `Too many hanging jobs refuse only paths`() throws {
    let core = core(maxLost: 1)
    core.startSlot()
    #expect(try submit(.path("/hang"), to: core).wait().get().result.info.error?.code == .timedOut)
    #expect(throws: MediaFailure.self) { try submit(.path("/hang"), to: core).wait().get() }
    #expect(try submit(.bytes(Array("other".utf8)), to: core).wait().get().result.info.title == "other")
    core.stop()
    core.join()
    gate.signal()
  }
}

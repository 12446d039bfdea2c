internal import MediaEngine
internal import MediaModel
internal import Testing

@testable internal import MediaService

@Suite struct WorkerProbeTests {
  /// A probe whose jobs end as a test says.
  private struct Kit {
    let clock = ServiceFixture.TestClock()
    let jobs = Locked(0)
    let failure = Locked<MediaFailure?>(nil)

    var probe: WorkerProbe {
      WorkerProbe(clock: { [clock] in clock.now }) { [jobs, failure] in
        jobs.withLock { $0 += 1 }
        if let failure = failure.withLock({ $0 }) { throw failure }
      }
    }
  }

  @Test("Workers that do not come up are reported, and are asked again after ten seconds")
  func down() async {
    let kit = Kit()
    let probe = kit.probe
    kit.failure.withLock { $0 = MediaFailure(.unavailable, "No worker starts.") }
    #expect(await !probe.areUp)
    kit.failure.withLock { $0 = nil }
    kit.clock.advance(9)
    #expect(await !probe.areUp)
    #expect(kit.jobs.withLock { $0 } == 1)
    kit.clock.advance(1)
    #expect(await probe.areUp)
    #expect(kit.jobs.withLock { $0 } == 2)
    kit.clock.advance(-100)
    #expect(await probe.areUp)
    #expect(kit.jobs.withLock { $0 } == 3)
  }

  @Test("Workers that have too much to do are up")
  func busy() async {
    let kit = Kit()
    kit.failure.withLock { $0 = MediaFailure(.busy, "Too many jobs wait.") }
    #expect(await kit.probe.areUp)
  }

  @Test("A service whose workers come up is ready")
  func ready() async throws {
    #expect(try await ServiceFixture().service.unreadyReasons() == [])
  }
}

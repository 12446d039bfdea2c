internal import MediaEngine
internal import MediaEngineService
internal import MediaModel
internal import ServiceLifecycle
internal import ServiceLifecycleTestKit
internal import Testing

@Suite("An engine as a service") struct ServiceTests {
  /// An engine that runs one job and has one that waits: every further one is refused at once, and says why.
  private struct BusyEngine {
    let engine: MediaEngine
    let executor = GatedExecutor()
    let running: Task<MediaInfo, any Error>
    let waiting: Task<MediaInfo, any Error>

    init() async throws {
      let engine = try await executor.engine(threads: 1, waiting: 1)
      self.engine = engine
      running = Task { try await engine.probe(.bytes(Array("running".utf8))) }
      await executor.waitUntilBegun(1)
      waiting = Task { try await engine.probe(.bytes(Array("waiting".utf8))) }
      while engine.waitingCount == 0 { await Task.yield() }
    }

    /// Why one more job is refused.
    func refusal() async -> MediaFailure.Code? {
      do throws(MediaFailure) {
        _ = try await engine.probe(.bytes(Array("new".utf8)))
        return nil
      } catch { return error.code }
    }
  }

  @Test func `Graceful shutdown finishes accepted jobs and refuses new ones`() async throws {
    let busy = try await BusyEngine()
    #expect(await busy.refusal() == .busy)
    try await testGracefulShutdown { trigger in
      async let end: Void = busy.engine.run()
      trigger.triggerGracefulShutdown()
      while await busy.refusal() == .busy { await Task.yield() }
      #expect(await busy.refusal() == .cancelled)
      busy.executor.open()
      let results = [try await busy.running.value, try await busy.waiting.value]
      #expect(results.map(\.title) == ["running", "waiting"])
      await end
    }
    #expect(busy.executor.order == ["running", "waiting"])
  }

  @Test func `Cancellation abandons jobs`() async throws {
    let busy = try await BusyEngine()
    let service = Task { await busy.engine.run() }
    service.cancel()
    await #expect { _ = try await busy.running.value } throws: { ($0 as? MediaFailure)?.code == .cancelled }
    await #expect { _ = try await busy.waiting.value } throws: { ($0 as? MediaFailure)?.code == .cancelled }
    busy.executor.open()
    await service.value
    #expect(busy.executor.order == ["running"])
  }

  @Test func `Cancellation ends a graceful shutdown`() async throws {
    let busy = try await BusyEngine()
    let shutdown = Task { await busy.engine.shutdownGracefully() }
    while await busy.refusal() == .busy { await Task.yield() }
    shutdown.cancel()
    await #expect { _ = try await busy.waiting.value } throws: { ($0 as? MediaFailure)?.code == .cancelled }
    busy.executor.open()
    await shutdown.value
    #expect(busy.executor.order == ["running"])
  }

  @Test func `Graceful shutdown ends idle workers`() async throws {
    let engine = try await Engines.rogue()
    await testGracefulShutdown { trigger in
      async let end: Void = engine.run()
      trigger.triggerGracefulShutdown()
      await end
    }
    await #expect { _ = try await engine.probe(.bytes([1])) } throws: { ($0 as? MediaFailure)?.code == .cancelled }
  }
}

internal import Foundation
internal import Glibc
internal import Logging
internal import MediaEngine
internal import MediaEngineProtocol
internal import MediaModel
internal import Metrics
internal import MetricsTestKit
internal import TestSupport
internal import Testing

/// What dashboards and administrators see, by the names that docs/security.md promises.
@Suite("Metrics and logs", .disabled(if: Engines.isSanitized, "workers do not run under a sanitizer"))
struct ReportTests {
  private let metrics = TestMetrics()
  private let log = MemoryLog()

  private func engine(
    _ word: String = "--stub", change: (inout MediaEngine.Configuration) -> Void = { _ in }
  ) async throws -> MediaEngine {
    try await Engines.rogue(word) {
      $0.metrics = metrics
      $0.logger = log.logger
      $0.beHasty()
      change(&$0)
    }
  }

  private func count(_ name: String, _ dimensions: [(String, String)] = []) -> Int64? {
    try? metrics.expectCounter(name, dimensions).totalValue
  }

  @Test func `Jobs are counted by work and outcome with their times and bytes`() async throws {
    let engine = try await engine()
    for _ in 0..<3 { _ = try await engine.probe(.does("hello")) }
    _ = try await engine.preview(.does("hello"), MediaPreview.Request(renditions: []))
    let info = try await engine.probe(.does("hello"), priority: .batch)
    _ = try await engine.render(.does("hello"), info: info, requests: [])
    _ = try await engine.probe(.path("/nonexistent"))
    await engine.shutdown()
    #expect(count("mediatool_jobs_total", [("work", "probe"), ("outcome", "done")]) == 4)
    #expect(count("mediatool_jobs_total", [("work", "preview"), ("outcome", "done")]) == 1)
    #expect(count("mediatool_jobs_total", [("work", "render"), ("outcome", "done")]) == 1)
    #expect(count("mediatool_jobs_total", [("work", "probe"), ("outcome", "notFound")]) == 1)
    // Six files of which the stub has read the first line.
    #expect(count("mediatool_read_bytes_total") == 30)
    let waits = try metrics.expectTimer("mediatool_job_wait_seconds", [("priority", "interactive")])
    #expect(waits.values.count == 6)
    #expect(waits.values.allSatisfy { $0 >= 0 })
    #expect(try metrics.expectTimer("mediatool_job_wait_seconds", [("priority", "batch")]).values.count == 1)
    let durations = try metrics.expectTimer("mediatool_job_duration_seconds", [("work", "probe")])
    #expect(durations.values.count == 5)
    #expect(durations.values.allSatisfy { $0 > 0 })
  }

  @Test(arguments: [
    ("abort", "crash"), ("hang", "deadline"), ("foreign", "systemCall"), ("starve abort", "memory"),
    ("balloon", "memory"),
  ])
  func `A death is counted by its reason and logged`(act: String, reason: String) async throws {
    let engine = try await engine()
    let options = reason == "deadline" ? Engines.hasty : Engines.patient
    let info = try await engine.probe(.does(act), options: options)
    await engine.shutdown()
    let code = try #require(info.error?.code.rawValue)
    #expect(count("mediatool_worker_deaths_total", [("reason", reason)]) == 1)
    #expect(count("mediatool_jobs_total", [("work", "probe"), ("outcome", code)]) == 1)
    let line = try #require(log.lines.first { $0.message == "worker died" })
    #expect(line.level == .notice)
    #expect(line.metadata["reason"] == .string(reason))
    #expect(line.metadata["jobsBefore"]?.description == "0")
    #expect(line.metadata["detail"]?.description.isEmpty == false)
  }

  @Test func `A flood of progress does not postpone a deadline`() async throws {
    let engine = try await engine("--progress-flood")
    var request = TranscodeRequest(format: .aac, maxBytes: 9)
    request.limits.transcodeSeconds = 0.2
    let result = try await engine.transcode(.does("abc"), info: MediaInfo(type: .plainText, bytes: 4), request)
    await engine.shutdown()
    // Behind the flood there is an answer.
    #expect(result.error?.code == .timedOut, "\(result)")
    #expect(count("mediatool_worker_deaths_total", [("reason", "deadline")]) == 1)
  }

  @Test func `Cancelling during a flood of progress frees the slot`() async throws {
    let engine = try await engine("--progress-flood")
    let call = Locked<Task<MediaFailure.Code?, Never>?>(nil)
    await withCheckedContinuation { (begun: CheckedContinuation<Void, Never>) in
      let first = Locked<CheckedContinuation<Void, Never>?>(begun)
      let task = Task {
        do throws(MediaFailure) {
          let info = MediaInfo(type: .plainText, bytes: 4)
          return try await engine.transcode(.does("abc"), info: info, TranscodeRequest(format: .aac, maxBytes: 9)) {
            _ in
            first.withLock { waiting in
              waiting?.resume()
              waiting = nil
            }
          }.error?.code
        } catch { return error.code }
      }
      call.withLock { $0 = task }
    }
    let task = call.withLock { $0 }
    task?.cancel()
    #expect(await task?.value == .cancelled)
    await engine.shutdown()
    #expect(count("mediatool_worker_deaths_total", [("reason", "abandoned")]) == 1)
  }

  @Test func `Invalid messages are counted`() async throws {
    let engine = try await engine("--garbage")
    _ = try await engine.probe(.does("abc"))
    await engine.shutdown()
    #expect(count("mediatool_worker_deaths_total", [("reason", "protocol")]) == 1)
  }

  @Test func `A worker that dies between jobs is counted as idle`() async throws {
    let engine = try await engine { $0.workerArguments.append("idle") }
    let process = try #require(pid_t(try await engine.probe(.does("process")).title ?? ""))
    Processes.killAndAwait(process)
    #expect(try await engine.probe(.does("hello")).title == "hello")
    await engine.shutdown()
    #expect(count("mediatool_worker_deaths_total", [("reason", "idle")]) == 1)
    #expect(count("mediatool_worker_starts_total") == 2)
    #expect(log.lines.contains { $0.level == .warning && $0.message == "idle worker died" })
  }

  @Test func `Layers, starts and peak memory have gauges`() async throws {
    let engine = try await engine { $0.allowsWeakerIsolation = true }
    // Long enough to be looked at, also where the engine waits for a processor: the memory of a worker is read every 10 ms.
    var options = ProbeOptions()
    options.limits.probeSeconds = 2
    _ = try await engine.probe(.does("hang"), options: options)
    await engine.shutdown()
    for layer in engine.layers.named {
      let gauge = try metrics.expectGauge("mediatool_isolation_layer", [("layer", layer.name)])
      #expect(gauge.lastValue == (layer.isOn ? 1 : 0), "\(layer.name)")
    }
    #expect(count("mediatool_worker_starts_total") == 1)
    let peak = try #require(try metrics.expectGauge("mediatool_worker_peak_bytes").lastValue)
    #expect(peak > 1_000_000)
    #expect(peak < 536_870_912)
    let line = try #require(log.lines.first { $0.message == "worker started" })
    #expect(line.level == .debug)
    #expect(line.metadata["layers"]?.description.contains("landlock") == true)
  }

  @Test func `A missing layer has a gauge`() async throws {
    let engine = try await engine("--weak") { $0.allowsWeakerIsolation = true }
    await engine.shutdown()
    #expect(try metrics.expectGauge("mediatool_isolation_layer", [("layer", "landlock")]).lastValue == 0)
    #expect(try metrics.expectGauge("mediatool_isolation_layer", [("layer", "seccomp")]).lastValue == 1)
  }

  @Test func `A failure to start a worker is reported`() async throws {
    await #expect(throws: MediaEngine.StartFailure.self) { _ = try await engine("--dead") }
    #expect(count("mediatool_worker_start_failures_total") == 1)
    let line = try #require(log.lines.first { $0.level == .error })
    #expect(line.metadata["reason"]?.description.contains("exited with status 9") == true)
  }

  @Test func `Refused and cancelled jobs are counted`() async throws {
    let executor = GatedExecutor()
    var configuration = MediaEngine.Configuration()
    configuration.kind = .inProcess(executor, threads: 1)
    configuration.waiting = 1
    configuration.metrics = metrics
    let engine = try await MediaEngine.start(configuration)
    let running = Task { try await engine.probe(.bytes([1])) }
    await executor.waitUntilBegun(1)
    let waiting = Task { try await engine.probe(.bytes([2])) }
    while engine.waitingCount < 1 { await Task.yield() }
    await #expect(throws: MediaFailure.self) { try await engine.probe(.bytes([3])) }
    #expect(count("mediatool_jobs_refused_total", [("reason", "busy")]) == 1)
    waiting.cancel()
    _ = await waiting.result
    #expect(count("mediatool_jobs_total", [("work", "probe"), ("outcome", "cancelled")]) == 1)
    executor.open()
    _ = try await running.value
    await engine.shutdown()
    await #expect(throws: MediaFailure.self) { try await engine.probe(.bytes([4])) }
    #expect(count("mediatool_jobs_refused_total", [("reason", "cancelled")]) == 1)
  }
}

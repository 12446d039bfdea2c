internal import Foundation
internal import MediaEngine
internal import MediaEngineProtocol
internal import MediaModel
internal import TestSupport
internal import Testing

/// What one photo by hand saves: its worker starts while the command parses its arguments.
@Suite(
  "A worker may start before its engine",
  .disabled(if: Engines.isSanitized, "workers do not run under a sanitizer"))
struct EarlyWorkerTests {
  private static let photo = MediaSource.path(Fixture.path("camera-roll/IMG_0001.jpg"))

  /// - Parameter mark: A further argument of the worker, by which the test knows its own.
  private func configuration(_ libraries: WorkerLibraries, mark: String) -> MediaEngine.Configuration {
    var configuration = MediaEngine.Configuration()
    configuration.kind = .workers(count: 1)
    configuration.worker = BuiltProduct.path("mediatool-worker")
    configuration.spares = 0
    configuration.libraries = libraries
    configuration.workerArguments = ["--serve", mark]
    return configuration
  }

  // Nothing is awaited before the end: the kernel ends a worker with the thread that started it.

  @Test("The engine uses the worker that was started in advance, and starts no other")
  func adopts() async throws {
    let mark = "--early-\(UUID())"
    var configuration = configuration(.facts, mark: mark)
    configuration.earlyWorker = EarlyWorker(configuration)
    // Its greeting is received, so its arguments can be read: while a program is being loaded, it has none.
    let engine = try MediaEngine.startBlocking(configuration)
    let early = Processes.children(with: mark)
    #expect(early.count == 1)
    let info = try engine.answerBlocking(MediaJob(facts: .found(ProbeOptions(), claim: nil)), Self.photo).result.info
    #expect(info.type == .jpeg)
    #expect(Processes.children(with: mark) == early)
    await engine.shutdown()
    #expect(Processes.children(with: mark).isEmpty)
  }

  @Test("An engine whose workers load something else leaves the worker, which ends with its owner")
  func leaves() async throws {
    let (mark, other) = ("--early-\(UUID())", "--other-\(UUID())")
    var configuration = configuration(.images, mark: other)
    configuration.earlyWorker = EarlyWorker(self.configuration(.facts, mark: mark))
    let engine = try MediaEngine.startBlocking(configuration)
    #expect(Processes.children(with: other).count == 1)
    #expect(Processes.children(with: mark).count == 1)
    await engine.shutdown()
    configuration.earlyWorker = nil
    #expect(Processes.children(with: mark).isEmpty)
  }
}

internal import Foundation
internal import MediaEngine
internal import MediaModel
internal import TestSupport
internal import Testing

@Suite("Sources, limits and results of an engine") struct EngineTests {
  @Test func `A full queue is busy`() async throws {
    let executor = GatedExecutor()
    let engine = try await executor.engine(threads: 1, waiting: 1)
    let running = Task { try await engine.probe(.bytes([1])) }
    await executor.waitUntilBegun(1)
    // One waits; that it does is seen by the refusal of another.
    let tasks = (2..<6).map { number in Task { try await engine.probe(.bytes([UInt8(number)])) } }
    var refused = 0
    // At most one of the four can wait, and none can run.
    for await failure in Self.failures(of: tasks, count: 3) { refused += failure == .busy ? 1 : 0 }
    #expect(refused == 3)
    executor.open()
    _ = try await running.value
    await engine.shutdown()
  }

  /// The codes of the first `count` of the tasks that fail.
  private static func failures(
    of tasks: [Task<MediaInfo, any Error>], count: Int
  ) -> AsyncStream<MediaFailure.Code?> {
    AsyncStream { continuation in
      let rest = Countdown(count) { continuation.finish() }
      for task in tasks {
        Task {
          do { _ = try await task.value } catch {
            continuation.yield((error as? MediaFailure)?.code)
            await rest.step()
          }
        }
      }
    }
  }

  @Test func `A cancelled task returns at once`() async throws {
    let executor = GatedExecutor()
    let engine = try await executor.engine()
    let task = Task { try await engine.probe(.bytes([1])) }
    await executor.waitUntilBegun(1)
    task.cancel()
    // The job itself still runs: nobody has opened the gate.
    await #expect { _ = try await task.value } throws: { ($0 as? MediaFailure)?.code == .cancelled }
    let late = Task { try await engine.probe(.bytes([2])) }
    late.cancel()
    await #expect { _ = try await late.value } throws: { ($0 as? MediaFailure)?.code == .cancelled }
    executor.open()
    await engine.shutdown()
  }

  @Test func `An abandoned job does not keep its worker busy`() async throws {
    let engine = try await Engines.rogue()
    let hung = Task { try await engine.probe(.does("hang")) }
    let folder = try TemporaryFolder()
    // The hang has begun once the engine is busy with it: this one waits behind it, and is done although two seconds are not over.
    async let next = engine.probe(.path(folder.write(Array("hello\n".utf8), to: "a")))
    hung.cancel()
    await #expect { _ = try await hung.value } throws: { ($0 as? MediaFailure)?.code == .cancelled }
    #expect(try await next.title == "hello")
    await engine.shutdown()
  }

  @Test func `Results of a sequence come in its order`() async throws {
    let executor = GatedExecutor(isOpen: true)
    let engine = try await executor.engine(threads: 4, waiting: 0)
    let sources = AsyncStream<MediaSource> { continuation in
      for number in 0..<300 { continuation.yield(.bytes(Array("\(number)".utf8))) }
      continuation.finish()
    }
    var titles: [String?] = []
    for try await result in engine.facts(of: sources) { titles.append(try result.get().title) }
    #expect(titles == (0..<300).map { "\($0)" })
    await engine.shutdown()
  }

  @Test func `A sequence is read no further than the window`() async throws {
    let executor = GatedExecutor()
    let engine = try await executor.engine(threads: 1)
    let asked = Countdown(.max) {}
    let sources = AsyncStream<MediaSource> {
      await asked.step()
      return .bytes([UInt8(truncatingIfNeeded: await asked.count)])
    }
    var results = engine.facts(of: sources).makeAsyncIterator()
    await executor.waitUntilBegun(1)
    executor.open()
    for _ in 0..<5 { _ = try await results.next() }
    // Five were taken, two may be under way or done, one waits to get in.
    #expect(await asked.count <= 8)
    await engine.shutdown()
  }

  @Test func `A reader that stops cancels its jobs`() async throws {
    let executor = GatedExecutor()
    let engine = try await executor.engine(threads: 1)
    let sources = AsyncStream<MediaSource> { continuation in
      for name in ["first", "second", "third"] { continuation.yield(.bytes(Array(name.utf8))) }
      continuation.finish()
    }
    let begun = Task {
      // One runs, another waits and its result would be taken next. Each is opened in a task of its own, so either may be the first to run.
      for try await _ in engine.facts(of: sources) { break }
    }
    await executor.waitUntilBegun(1)
    while engine.waitingCount < 1 { await Task.yield() }
    begun.cancel()
    _ = await begun.result
    executor.open()
    _ = try await engine.probe(.bytes(Array("last".utf8)), priority: .batch)
    #expect(executor.order.count == 2)
    #expect(executor.order.last == "last")
    await engine.shutdown()
  }

  @Test func `A file that cannot be opened is a result`() async throws {
    let engine = try await GatedExecutor(isOpen: true).engine()
    let folder = try TemporaryFolder()
    #expect(try await engine.probe(.path(folder.path("none"))).error?.code == .notFound)
    #expect(try await engine.probe(.path(folder.url.path)).error?.code == .unreadable)
    #expect(try await engine.probe(.path(bytes: [0x61, 0])).error?.code == .notFound)
    #expect(try await engine.probe(.descriptor(-1)).error?.code == .unreadable)
    #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
    #expect(try await engine.probe(.path(folder.path("pipe"))).error?.code == .unreadable)
    await engine.shutdown()
  }

  @Test func `After the shutdown every call is cancelled`() async throws {
    let engine = try await GatedExecutor(isOpen: true).engine()
    await engine.shutdown()
    await #expect { _ = try await engine.probe(.bytes([1])) } throws: { ($0 as? MediaFailure)?.code == .cancelled }
  }
}

/// Counts, and says when it has.
actor Countdown {
  private(set) var count = 0
  private let end: Int
  private let whenDone: @Sendable () -> Void

  init(_ end: Int, whenDone: @escaping @Sendable () -> Void) {
    self.end = end
    self.whenDone = whenDone
  }

  func step() {
    count += 1
    if count == end { whenDone() }
  }
}

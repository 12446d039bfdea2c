internal import Foundation
internal import MediaEngine
internal import MediaModel
internal import Synchronization
internal import TestSupport
internal import Testing

/// Files that do to a decoder what a file with the right hole would, and what happens to the engine.
@Suite("Faults", .disabled(if: Engines.isSanitized, "a sanitizer's own memory and signals are not a decoder's"))
struct FaultTests {
  @Test(arguments: [
    ("abort", MediaFailure.Code.decoderCrashed), ("fault", .decoderCrashed), ("exit 3", .decoderCrashed),
    ("exit 71", .outOfMemory), ("hang", .timedOut), ("sleep", .timedOut), ("balloon", .outOfMemory),
    ("starve abort", .outOfMemory), ("starve trap", .outOfMemory), ("starve fault", .outOfMemory),
    ("starve full", .outOfMemory), ("starve elsewhere", .decoderCrashed), ("foreign", .decoderCrashed),
  ])
  func `A bad file fails alone`(act: String, code: MediaFailure.Code) async throws {
    let engine = try await Engines.rogue { $0.beHasty() }
    let before = try await engine.probe(.does("hello"))
    // Only a hang is to meet its deadline: on a machine that has other things to do, every other act may take a while.
    let options = code == .timedOut ? Engines.hasty : Engines.patient
    let bad = try await engine.probe(.does(act), options: options)
    #expect(bad.error?.code == code, "\(bad.error?.description ?? "")")
    #expect(bad.bytes == act.utf8.count + 1)
    let after = try await engine.probe(.does("hello"))
    #expect(before.title == "hello")
    #expect(after.title == "hello")
    await engine.shutdown()
  }

  @Test func `Jobs of other workers continue`() async throws {
    let engine = try await Engines.rogue("--stub", 2) { $0.beHasty() }
    async let hung = engine.probe(.does("hang"), options: Engines.hasty)
    for number in 0..<50 {
      #expect(try await engine.probe(.does("\(number)")).title == "\(number)")
    }
    #expect(try await hung.error?.code == .timedOut)
    await engine.shutdown()
  }

  @Test func `Facts reported before a crash are kept`() async throws {
    let engine = try await Engines.rogue { $0.beHasty() }
    var request = MediaPreview.Request(renditions: RenditionRequest.named)
    for (act, code) in [("late abort", MediaFailure.Code.decoderCrashed), ("late hang", .timedOut)] {
      request.thumbnails.limits.renderSeconds = code == .timedOut ? 0.1 : 100
      let preview = try await engine.preview(.does(act), request)
      #expect(preview.info.type == .plainText)
      #expect(preview.info.error == nil)
      #expect(preview.thumbnails.error?.code == code)
      #expect(preview.thumbnails.icon == .text)
    }
    await engine.shutdown()
  }

  /// How much later is measured under load, where the machine has nothing else to do (`LoadTests`).
  @Test func `A worker has a grace period after its deadline`() async throws {
    let engine = try await Engines.rogue { $0.limits.graceSeconds = 1 }
    let began = ContinuousClock.now
    #expect(try await engine.probe(.does("hang"), options: Engines.hasty).error?.code == .timedOut)
    #expect(began.duration(to: .now) >= .seconds(1.1))
    await engine.shutdown()
  }

  @Test func `A worker is replaced after its jobs`() async throws {
    let engine = try await Engines.rogue { $0.limits.jobsPerWorker = 3 }
    var processes: [String] = []
    for number in 0..<7 { processes.append(try await engine.probe(.does("process \(number)")).title ?? "") }
    #expect(Set(processes[0..<3]).count == 1)
    #expect(Set(processes[3..<6]).count == 1)
    #expect(Set(processes).count == 3)
    await engine.shutdown()
  }

  @Test func `A crash on a used worker is retried once on a fresh one`() async throws {
    let engine = try await Engines.rogue()
    let first = try await engine.probe(.does("process 1")).title
    #expect(try await engine.probe(.does("abort")).error?.code == .decoderCrashed)
    // The second try has died too: the worker now is the third.
    let third = try await engine.probe(.does("process 2")).title
    #expect(first != third)
    await engine.shutdown()
  }

  @Test func `A survived allocation failure is not the cause of a later crash`() async throws {
    let engine = try await Engines.rogue { $0.beHasty() }
    #expect(try await engine.probe(.does("starve not")).title == "fed")
    #expect(try await engine.probe(.does("abort")).error?.code == .decoderCrashed)
    await engine.shutdown()
  }

  @Test func `A file that grows during a job is not an invalid result`() async throws {
    let engine = try await Engines.rogue()
    let folder = try TemporaryFolder()
    let path = try folder.write(Array("grow\n".utf8), to: "growing")
    // Written to until there is an answer, so that it grows after the engine has looked at its size as well. On a thread of its own: a task
    // would wait while other tests hold the threads for tasks.
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.seekToEnd()
    let isAnswered = Mutex(false)
    defer { isAnswered.withLock { $0 = true } }
    Thread.detachNewThread { while !isAnswered.withLock({ $0 }) { try? file.write(contentsOf: Data([0])) } }
    // The writer may have to wait for its turn.
    var options = ProbeOptions()
    options.limits.probeSeconds = 100
    let info = try await engine.probe(.path(path), options: options)
    #expect(info.error == nil, "\(info.error?.description ?? "")")
    #expect(info.bytes > 5)
    #expect(info.title == "grow")
    await engine.shutdown()
  }

  @Test func `A missing worker program is a failure to start`() async throws {
    await #expect(throws: MediaEngine.StartFailure.self) { _ = try await Engines.rogue("--dead") }
    await #expect(throws: MediaEngine.StartFailure.self) {
      _ = try await Engines.real { $0.worker = "/nonexistent/worker" }
    }
  }
}

internal import MediaEngine
internal import Testing

@testable internal import MediaService

@Suite("Turns of complete uploads with the engine") struct ExaminationSchedulerTests {
  /// Uploads that begin in a known order and end when the test ends them.
  private struct Uploads {
    struct Upload {
      let task: Task<Void, any Error>
      let gate: AsyncStream<Void>.Continuation

      func end() async throws {
        gate.finish()
        try await task.value
      }
    }

    let turns: ExaminationScheduler
    let started = Locked<[String]>([])

    init(turns limit: Int) { turns = ExaminationScheduler(limit) }

    /// Returns when the upload has its turn or waits for it.
    func begin(_ name: String, of owner: String) async throws -> Upload {
      let (opened, gate) = AsyncStream<Void>.makeStream()
      let waiting = await turns.waitingCount(owner)
      let task: Task<Void, any Error> = Task { [turns, started] in
        try await turns.take(for: owner) {
          started.withLock { $0.append(name) }
          for await _ in opened {}
        }
      }
      try await waitUntil {
        if await turns.waitingCount(owner) > waiting { return true }
        return started.withLock { $0.contains(name) }
      }
      return Upload(task: task, gate: gate)
    }

    /// Returns when so many have had their turn.
    func wait(for count: Int) async throws { try await waitUntil { started.withLock { $0.count } >= count } }
  }

  @Test("An owner gets no turn beyond half of them while another one waits, and all of them otherwise")
  func share() async throws {
    let uploads = Uploads(turns: 4)
    var running: [String: Uploads.Upload] = [:]
    for number in 0..<8 { running["a\(number)"] = try await uploads.begin("a\(number)", of: "ada") }
    for number in 0..<3 { running["b\(number)"] = try await uploads.begin("b\(number)", of: "bob") }
    #expect(uploads.started.withLock { $0 } == ["a0", "a1", "a2", "a3"])
    let steps: [(ended: String, next: String)] = [
      ("a0", "b0"), ("a1", "b1"), ("a2", "a4"), ("a3", "a5"), ("a4", "a6"), ("b0", "b2"), ("b1", "a7"),
    ]
    for (number, step) in steps.enumerated() {
      try await running[step.ended]?.end()
      try await uploads.wait(for: 5 + number)
      #expect(uploads.started.withLock { $0.last } == step.next, "after \(step.ended)")
    }
    for name in ["a5", "a6", "a7", "b2"] { try await running[name]?.end() }
  }

  @Test("Owners take turns where there is one for all, each with the first of its uploads") func owners() async throws {
    let uploads = Uploads(turns: 1)
    var all: [Uploads.Upload] = []
    for (name, owner) in [("a0", "ada"), ("a1", "ada"), ("a2", "ada"), ("b0", "bob"), ("b1", "bob"), ("c0", "cleo")] {
      all.append(try await uploads.begin(name, of: owner))
    }
    for upload in all { upload.gate.finish() }
    for upload in all { try await upload.task.value }
    #expect(uploads.started.withLock { $0 } == ["a0", "a1", "b0", "c0", "a2", "b1"])
  }

  @Test("A waiting upload that is cancelled ends at once without a turn, and the others keep theirs")
  func cancelled() async throws {
    let uploads = Uploads(turns: 1)
    let first = try await uploads.begin("a", of: "ada")
    let second = try await uploads.begin("b", of: "ada")
    let third = try await uploads.begin("c", of: "ada")
    second.task.cancel()
    await #expect(throws: CancellationError.self) { try await second.task.value }
    #expect(await uploads.turns.waitingCount("ada") == 1)
    try await first.end()
    try await uploads.wait(for: 2)
    try await third.end()
    // Nobody waits, and the turn is free.
    let last = try await uploads.begin("d", of: "bob")
    #expect(uploads.started.withLock { $0 } == ["a", "c", "d"])
    try await last.end()
  }

  @Test("A turn that an upload gets while it is cancelled goes to the next one") func raced() async throws {
    let uploads = Uploads(turns: 1)
    for round in 0..<200 {
      let first = try await uploads.begin("a\(round)", of: "ada")
      let second = try await uploads.begin("b\(round)", of: "ada")
      let third = try await uploads.begin("c\(round)", of: "ada")
      first.gate.finish()
      second.task.cancel()
      _ = await second.task.result
      try await waitUntil { uploads.started.withLock { $0.contains("c\(round)") } }
      try await first.end()
      try await third.end()
    }
    #expect(await uploads.turns.waitingCount("ada") == 0)
  }
}

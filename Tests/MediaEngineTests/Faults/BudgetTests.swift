internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaEngine

/// What workers may take together, and what each may start.
@Suite(
  "Budgets of workers", .disabled(if: Engines.isSanitized, "a sanitizer's own memory and threads are not a decoder's"))
struct BudgetTests {
  @Test func theLargestWorkerIsKilledWhenTheBudgetIsExceeded() {
    let budget = MemoryBudget(limit: 100)
    #expect(!budget.note(60, of: 1))
    #expect(!budget.note(40, of: 2))
    #expect(!budget.note(41, of: 2))
    #expect(budget.note(60, of: 1))
    budget.remove(1)
    #expect(!budget.note(100, of: 2))
    #expect(budget.note(101, of: 2))
    #expect(budget.note(.max, of: 3))
  }

  @Test func theBudgetIsAShareOfTheMachinesMemory() {
    #expect(MemoryBudget.half > 16 << 20)
    #expect(MemoryBudget.half < 1 << 50)
  }

  @Test func allWorkersShareOneMemoryBudget() async throws {
    let engine = try await Engines.rogue("--stub", 2) { $0.memoryBudget = 96 << 20 }
    var options = ProbeOptions()
    options.limits.probeSeconds = 1_000
    // Each is far below the limit of one worker; together, or alone, they are above the budget.
    async let first = engine.probe(.does("hold 128"), options: options)
    async let second = engine.probe(.does("hold 129"), options: options)
    for info in [try await first, try await second] {
      #expect(info.error?.code == .outOfMemory)
      #expect(info.error?.detail?.contains("together") == true)
    }
    #expect(try await engine.probe(.does("hello")).title == "hello")
    await engine.shutdown()
  }

  @Test func aWorkerWithTooManyThreadsIsKilled() async throws {
    let engine = try await Engines.rogue { $0.limits.threads = 20 }
    var options = ProbeOptions()
    options.limits.probeSeconds = 1_000
    let info = try await engine.probe(.does("threads 30"), options: options)
    #expect(info.error?.code == .decoderCrashed)
    #expect(info.error?.detail?.contains("thread limit") == true)
    #expect(try await engine.probe(.does("hello")).title == "hello")
    await engine.shutdown()
  }
}

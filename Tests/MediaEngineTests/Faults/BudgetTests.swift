internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaEngine

/// What workers may take together, and what each may start.
@Suite(
  "Budgets of workers", .disabled(if: Engines.isSanitized, "a sanitizer's own memory and threads are not a decoder's"))
struct BudgetTests {
  @Test func `The largest worker is killed when the budget is exceeded`() {
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

  @Test func `The budget is a share of the machine's memory`() {
    #expect(MemoryBudget.half > 16 << 20)
    #expect(MemoryBudget.half < 1 << 50)
  }

  /// The files of each case, as the kernel shows them.
  @Test(
    "The budget is half of the smallest limit of a control group and those above it, in both versions",
    arguments: [
      (["/proc/self/cgroup": "0::/\n"], 1 << 40),
      (["/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/memory.max": "8000\n"], 4_000),
      (["/proc/self/cgroup": "0::/a/b\n", "/sys/fs/cgroup/a/b/memory.max": "6000\n"], 3_000),
      (
        [
          "/proc/self/cgroup": "0::/a/b\n", "/sys/fs/cgroup/a/b/memory.max": "max\n",
          "/sys/fs/cgroup/a/memory.max": "2000\n",
        ], 1_000
      ),
      (
        [
          "/proc/self/cgroup": "0::/a/b\n", "/sys/fs/cgroup/a/b/memory.max": "6000\n",
          "/sys/fs/cgroup/a/memory.max": "max\n", "/sys/fs/cgroup/memory.max": "5000\n",
        ], 2_500
      ),
      // A group of the host that the container does not see.
      (["/proc/self/cgroup": "0::/../../x\n", "/sys/fs/cgroup/memory.max": "700\n"], 350),
      (
        [
          "/proc/self/cgroup": "12:cpu,cpuacct:/c\n7:memory:/docker/1\n0::/\n",
          "/sys/fs/cgroup/memory/docker/1/memory.limit_in_bytes": "9223372036854771712\n",
          "/sys/fs/cgroup/memory/docker/memory.limit_in_bytes": "600\n", "/sys/fs/cgroup/memory/c": "1",
        ], 300
      ),
      // In a container its own group is the root.
      (
        [
          "/proc/self/cgroup": "7:hugetlb,memory:/docker/1\n",
          "/sys/fs/cgroup/memory/memory.limit_in_bytes": "400\n",
        ], 200
      ),
      (
        [
          "/proc/self/cgroup": "7:memory:/\n0::/s\n", "/sys/fs/cgroup/unified/s/memory.max": "900\n",
          "/sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
        ], 450
      ),
      (["/proc/self/cgroup": "nonsense\n7:memory\n"], 1 << 40), ([:], 1 << 40),
    ] as [([String: String], Int)])
  func controlGroups(files: [String: String], expected: Int) {
    #expect(MemoryBudget.half(of: 2 << 40, groups: ControlGroupMemory { files[$0] }) == expected)
  }

  @Test func `All workers share one memory budget`() async throws {
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

  @Test func `A worker with too many threads is killed`() async throws {
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

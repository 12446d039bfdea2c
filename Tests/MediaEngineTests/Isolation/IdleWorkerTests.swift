internal import Foundation
internal import Glibc
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaEngine

/// Workers that wait for another job of their trust domain while their slot serves other domains.
@Suite("Idle workers", .disabled(if: Engines.isSanitized, "workers do not run under a sanitizer"))
struct IdleWorkerTests {
  private func workers(of engine: MediaEngine, _ owners: [String]) async throws -> [pid_t] {
    var processes: [pid_t] = []
    for (number, owner) in owners.enumerated() {
      let title = try await engine.probe(.does("process \(number)"), domain: .owner(owner)).title
      processes.append(try #require(title.flatMap { pid_t($0) }))
    }
    return processes
  }

  @Test func `Owners that take turns keep their workers`() async throws {
    let engine = try await Engines.rogue { ($0.idleWorkers, $0.idleTime) = (1, .seconds(3_600)) }
    let processes = try await workers(of: engine, ["ada", "bob", "ada", "bob", "bob", "ada"])
    #expect(Set(processes).count == 2)
    #expect(processes[0] == processes[2])
    #expect(processes[0] == processes[5])
    #expect(processes[1] == processes[3])
    #expect(processes[1] == processes[4])
    await engine.shutdown()
    #expect(Set(processes).isDisjoint(with: Processes.children))
  }

  @Test func `The worker that has waited longest ends when there are too many`() async throws {
    let engine = try await Engines.rogue { ($0.idleWorkers, $0.idleTime) = (1, .seconds(3_600)) }
    let processes = try await workers(of: engine, ["ada", "bob", "cyd", "bob", "ada"])
    #expect(processes[1] == processes[3])
    #expect(processes[0] != processes[4])
    await engine.shutdown()
  }

  @Test(.timeLimit(.minutes(5))) func `An idle worker ends when its time is over`() async throws {
    let engine = try await Engines.rogue {
      $0.workerArguments.append("expired")
      ($0.idleWorkers, $0.idleTime) = (8, .zero)
    }
    let first = try await workers(of: engine, ["ada", "bob"])
    while Processes.children(with: "expired").count != 1 { await Task.yield() }
    let second = try await workers(of: engine, ["ada"])
    #expect(first[0] != second[0])
    await engine.shutdown()
  }

  @Test func `A worker whose time is over has no other job`() async throws {
    let engine = try await Engines.rogue { ($0.idleWorkers, $0.idleTime) = (8, .zero) }
    let processes = try await workers(of: engine, ["ada", "bob", "ada", "bob", "ada", "bob"])
    #expect(Set(processes).count == 6)
    await engine.shutdown()
  }

  @Test func `An idle worker that was killed is replaced`() async throws {
    let engine = try await Engines.rogue { ($0.idleWorkers, $0.idleTime) = (1, .seconds(3_600)) }
    let first = try await workers(of: engine, ["ada", "bob"])
    Processes.killAndAwait(first[0])
    let second = try await workers(of: engine, ["ada", "bob"])
    #expect(first[0] != second[0])
    #expect(first[1] == second[1])
    await engine.shutdown()
  }

  @Test func `A worker with much memory does not wait`() async throws {
    let engine = try await Engines.rogue { ($0.idleWorkers, $0.idleTime) = (1, .seconds(3_600)) }
    let title = try await engine.probe(.does("keep 64"), domain: .owner("ada")).title
    let large = try #require(title.flatMap { pid_t($0) })
    let processes = try await workers(of: engine, ["ada", "bob", "ada", "bob"])
    // It had less than the growth after which any worker is replaced.
    #expect(processes[0] == large)
    #expect(processes[2] != large)
    #expect(processes[1] == processes[3])
    await engine.shutdown()
  }

  @Test(.timeLimit(.minutes(5))) func `An isolated file leaves no idle worker`() async throws {
    let engine = try await Engines.rogue { ($0.idleWorkers, $0.idleTime) = (4, .seconds(3_600)) }
    var processes: Set<String> = []
    for number in 0..<3 {
      let title = try await engine.probe(.does("process \(number)"), domain: .isolated).title
      processes.insert(try #require(title))
    }
    #expect(processes.count == 3)
    let ended = processes.compactMap { pid_t($0) }
    while !Set(ended).isDisjoint(with: Processes.children) { await Task.yield() }
    await engine.shutdown()
  }
}

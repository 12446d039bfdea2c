internal import Foundation
internal import MediaModel
internal import Metrics
internal import MetricsTestKit
internal import TestSupport
internal import Testing

@testable internal import MediaEngine

/// Files of people who do not trust one another share no worker.
@Suite("Trust domains", .disabled(if: Engines.isSanitized, "workers do not run under a sanitizer"))
struct DomainTests {
  private typealias Domain = MediaEngine.TrustDomain

  /// The processes that jobs were done in, one for each domain.
  private func workers(of engine: MediaEngine, _ domains: [MediaEngine.TrustDomain?]) async throws -> [String] {
    var processes: [String] = []
    for (number, domain) in domains.enumerated() {
      processes.append(try await engine.probe(.does("process \(number)"), domain: domain).title ?? "none")
    }
    return processes
  }

  @Test func `A worker serves one owner and is replaced before it serves another`() async throws {
    let metrics = TestMetrics()
    let engine = try await Engines.rogue {
      $0.metrics = metrics
      $0.spares = 1
    }
    let (ada, bob) = (Domain.owner("ada"), Domain.owner("bob"))
    let processes = try await workers(of: engine, [ada, ada, bob, bob, ada, .shared, nil])
    #expect(processes[0] == processes[1])
    #expect(processes[2] == processes[3])
    // The worker that has served ada first is gone: nothing of what bob's files did to another is in the way of hers.
    #expect(Set(processes).count == 4)
    // Calls that name no domain are in that of the configuration.
    #expect(processes[5] == processes[6])
    let changes = try metrics.expectCounter("mediatool_worker_replacements_total", [("reason", "domain")]).totalValue
    #expect(changes == 3)
    await engine.shutdown()
  }

  @Test func `An isolated file shares its worker with no other`() async throws {
    let engine = try await Engines.rogue { $0.domain = .isolated }
    #expect(Set(try await workers(of: engine, [nil, nil, .isolated, .owner("ada"), nil])).count == 5)
    await engine.shutdown()
  }

  @Test func `One job per worker gives every file a worker of its own`() async throws {
    let metrics = TestMetrics()
    let engine = try await Engines.rogue {
      $0.metrics = metrics
      $0.limits.jobsPerWorker = 1
    }
    #expect(Set(try await workers(of: engine, [.owner("ada"), .owner("ada"), .owner("ada")])).count == 3)
    #expect(try metrics.expectCounter("mediatool_worker_replacements_total", [("reason", "jobs")]).totalValue == 3)
    await engine.shutdown()
  }

  @Test(.timeLimit(.minutes(20))) func `The reserve is filled again after each change`() async throws {
    let engine = try await Engines.rogue {
      $0.workerArguments.append("reserve")
      $0.spares = 1
    }
    for number in 0..<5 {
      _ = try await engine.probe(.does("hello \(number)"), domain: .owner("\(number)"))
      // The worker of this owner and one in reserve; the one of the owner before is gone.
      while Processes.children(with: "reserve").count != 2 { await Task.yield() }
    }
    await engine.shutdown()
    #expect(Processes.children(with: "reserve").isEmpty)
  }

  @Test func `Workers that were replaced are gone after the shutdown`() async throws {
    let engine = try await Engines.rogue { $0.workerArguments.append("replaced") }
    var seen = Set(Processes.children(with: "replaced"))
    for number in 0..<10 {
      _ = try await engine.probe(.does("hello \(number)"), domain: .owner("\(number)"))
      seen.formUnion(Processes.children(with: "replaced"))
    }
    #expect(seen.count > 2)
    await engine.shutdown()
    #expect(seen.isDisjoint(with: Processes.children))
  }

  @Test func `Domains have no effect in process`() async throws {
    let engine = try await GatedExecutor(isOpen: true).engine()
    for domain in [Domain.shared, .isolated, .owner("ada")] {
      #expect(try await engine.probe(.bytes([0x61]), domain: domain).title == "a")
    }
    await engine.shutdown()
  }
}

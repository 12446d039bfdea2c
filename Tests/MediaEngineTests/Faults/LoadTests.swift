internal import Foundation
internal import Glibc
internal import MediaEngine
internal import MediaModel
internal import Metrics
internal import MetricsTestKit
internal import TestSupport
internal import Testing

/// Workers killed at random, and files damaged at random, while there is work. `MEDIATOOL_FULL=1` takes the full numbers.
@Suite("Under load", .serialized, .disabled(if: Engines.isSanitized, "workers do not run under a sanitizer"))
struct LoadTests {
  private static let isFull = ProcessInfo.processInfo.environment["MEDIATOOL_FULL"] == "1"

  @Test func `Killed workers lose no job, and no job ends twice`() async throws {
    let kills = Self.isFull ? 1_000 : 50
    let engine = try await Engines.rogue("--stub", 2) {
      $0.spares = 1
      $0.workerArguments.append("killed")
    }
    var random = SeededGenerator(seed: 9)
    var (answered, number) = (0, 0)
    for kill in 0..<kills {
      // A handful under way at once; one worker dies somewhere between them.
      let results = try await withThrowingTaskGroup(of: (Int, MediaInfo).self) { group in
        for _ in 0..<6 {
          number += 1
          group.addTask { [number] in (number, try await engine.probe(.does("\(number)"))) }
        }
        // Dead before the round is over: one kill meets the jobs of one round.
        let workers = Processes.children(with: "killed")
        if !workers.isEmpty { Processes.killAndAwait(workers[random.below(workers.count)]) }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(results.count == 6, "seed 9, kill \(kill)")
      for (number, info) in results {
        // Its own answer. A job fails only when the workers of both of its tries are killed, and here is one kill a round.
        #expect(info.title == "\(number)", "seed 9, kill \(kill): \(info.error?.description ?? "")")
        answered += 1
      }
    }
    #expect(answered == 6 * kills)
    await engine.shutdown()
  }

  @Test func `A job fails only when both of its workers were killed`() async throws {
    let rounds = Self.isFull ? 300 : 30
    let metrics = TestMetrics()
    let engine = try await Engines.rogue("--stub", 2) {
      $0.metrics = metrics
      $0.workerArguments.append("killed twice")
    }
    var random = SeededGenerator(seed: 10)
    var (kills, crashed, unstarted) = (0, 0, 0)
    for round in 0..<rounds {
      let results = try await withThrowingTaskGroup(of: (Int, MediaInfo?).self) { group in
        for number in 0..<6 {
          group.addTask {
            do {
              return (number, try await engine.probe(.does("\(round) \(number)")))
            } catch let failure as MediaFailure where failure.code == .unavailable {
              // Three workers in a row were killed while they started.
              return (number, nil)
            }
          }
        }
        for _ in 0..<4 {
          let workers = Processes.children(with: "killed twice")
          guard !workers.isEmpty else { continue }
          Processes.killAndAwait(workers[random.below(workers.count)])
          kills += 1
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(Set(results.map(\.0)) == Set(0..<6), "seed 10, round \(round)")
      for (number, info) in results {
        guard let info else {
          unstarted += 1
          continue
        }
        #expect(
          info.title == "\(round) \(number)" || info.error?.code == .decoderCrashed, "seed 10, round \(round)")
        if info.error != nil { crashed += 1 }
      }
    }
    await engine.shutdown()
    // A worker dies over one job at most, by one kill; a failed job has had two of them.
    let deaths = Int(
      (try? metrics.expectCounter("mediatool_worker_deaths_total", [("reason", "killed")]).totalValue) ?? 0)
    #expect(2 * crashed <= deaths, "\(crashed) \(deaths) \(kills)")
    #expect(deaths <= kills, "\(crashed) \(deaths) \(kills)")
    #expect(3 * unstarted <= kills, "\(unstarted) \(kills)")
  }

  /// In a process of its own: memory is counted, and the memory of the tests beside this one would be counted with it.
  @Test func `Hostile and damaged files leave nothing behind`() async {
    await #expect(processExitsWith: .success) { try await LoadTests.previewHostileAndDamagedFiles() }
  }

  private static func previewHostileAndDamagedFiles() async throws {
    let rounds = isFull ? 10_000 : 150
    let temporary = try Set(FileManager.default.contentsOfDirectory(atPath: "/tmp"))
    let engine = try await Engines.real(2) { $0.workerArguments.append("damaged") }
    var workers = Set(Processes.children(with: "damaged"))
    #expect(!workers.isEmpty)
    var request = MediaPreview.Request(renditions: ["grid"].compactMap(RenditionRequest.named))
    request.storyboardFrames = 2
    request.probe.limits.probeSeconds = 1
    request.thumbnails.limits.renderSeconds = 1
    request.thumbnails.limits.posterSeconds = 1
    // Three parts of a second each, and the promise: no deadline is passed by more than 1.5 s. That is for a machine that has nothing else to
    // do; in the quick form beside other tests only a hang is seen.
    let longest = Duration.seconds(isFull ? 1 + 1 + 1 + 1.5 : 600)

    let sources = try hostileFiles()
    var mutator = Mutator(seed: 11)
    var resident = 0
    for round in 0..<(rounds + sources.count) {
      let (name, source) = round < sources.count ? sources[round] : try mutator.next()
      let began = ContinuousClock.now
      let preview = try await engine.preview(source, request)
      let took = began.duration(to: .now)
      if round % 10 == 0 { workers.formUnion(Processes.children(with: "damaged")) }
      #expect(took < longest, "\(name), seed 11, round \(round): \(took)")
      let isReported = preview.info.error != nil || preview.thumbnails.error != nil || preview.thumbnails.icon != nil
      #expect(isReported || !preview.thumbnails.renditions.isEmpty, "\(name), seed 11, round \(round)")
      if round == sources.count { resident = Processes.residentBytes }
    }
    #expect(Processes.residentBytes < resident + 67_108_864)
    await engine.shutdown()
    // Neither alive nor dead and not collected.
    #expect(workers.isDisjoint(with: Processes.children))
    // A process beside this one may have a file of this kind for a while; one that was left stays.
    var left = try Set(FileManager.default.contentsOfDirectory(atPath: "/tmp")).subtracting(temporary).filter { name in
      ["orc", "vips", "magick"].contains { name.hasPrefix($0) }
    }
    for _ in 0..<6_000 where !left.isEmpty {
      try await Task.sleep(for: .milliseconds(100))
      left = left.filter { FileManager.default.fileExists(atPath: "/tmp/" + $0) }
    }
    #expect(left.isEmpty)
  }

  private static func hostileFiles() throws -> [(name: String, source: MediaSource)] {
    let folders = [Corpus.path("hostile"), Fixture.path("broken")].filter(FileManager.default.fileExists)
    return try folders.flatMap { folder in
      try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { name in
        (name: name, source: MediaSource.path(folder + "/" + name))
      }
    }
  }
}

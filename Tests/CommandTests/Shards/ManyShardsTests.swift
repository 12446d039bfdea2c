internal import Dispatch
internal import FileSupport
internal import Foundation
internal import MediaEngine
internal import TestSupport
internal import Testing

@testable internal import MediatoolCommand

@Suite("The status of many shards", .timeLimit(.minutes(30))) struct ManyShardsTests {
  @Test("The sums of 3,000 shards are those of their statistics, and they are listed by name") func sums() throws {
    let scratch = try Scratch()
    try scratch.file("a.txt")
    try scratch.file("good.txt", "a.txt\n")
    try scratch.file("bad.txt", "gone-1\na.txt\n\n{\"id\":7,\"source\":\"gone-2\"}\n{\"source\":1}\n")
    for name in ["good", "bad"] {
      let made = try Command.run(
        ["batch", "--list", PathBytes("\(name).txt"), "-o", "made", "--json"], folder: scratch.path)
      try #require(made.status == 0, "\(made.errors)")
    }
    _ = try scratch.folder("out")
    var files: [String: Data] = [:]
    for name in ["good", "bad"] {
      for type in ["tar", "ndjson", "stats.json"] {
        files["\(name).\(type)"] = try Data(
          contentsOf: URL(fileURLWithPath: scratch("made/\(name).\(type)").text))
      }
    }
    let names = (0..<3_000).map { String(format: "%05d", $0) }
    for (index, name) in names.enumerated() {
      for type in ["tar", "ndjson", "stats.json"] {
        let data = try #require(files["\(index % 3 == 0 ? "bad" : "good").\(type)"])
        // Some have lost the end of their tar file, and some their statistics.
        if type == "stats.json", index % 1_000 == 1 { continue }
        let bytes = type == "tar" && index % 1_000 == 2 ? data.dropLast() : data
        try bytes.write(to: URL(fileURLWithPath: scratch("out/\(name).\(type)").text))
      }
    }
    let output = try Command.run(["batch", "--status", "out", "--json"], folder: scratch.path)
    #expect(output.status == 1, "\(output.errors)")
    let records = try output.records
    let listed = names.enumerated().filter { $0.offset % 1_000 != 1 }.map(\.element)
    #expect(records.dropLast().map { $0["shard"] as? String } == listed)
    let end = try #require(records.last?["end"] as? [String: Any])
    #expect(end["shards"] as? Int == 2_997)
    // A bad one has no statistics, and another one is changed.
    #expect(end["failing"] as? Int == 998)
    #expect(end["changed"] as? Int == 3)
    #expect(end["done"] as? Int == 1_996)
    #expect(end["inputs"] as? Int == 999 * 4 + 1_998)
    #expect(end["failed"] as? Int == 999 * 3)
    #expect(end["codes"] as? [String: Int] == ["notFound": 999 * 2, "invalidRequest": 999])
  }

  /// A store whose first reads wait for each other, and which counts the statistics that are in memory.
  private struct CountingStore: ShardStore {
    struct Counts {
      var begun = 0
      var held = 0
      var maxHeld = 0
    }

    let readers = 4
    let counts = Locked(Counts())
    let gate = DispatchSemaphore(value: 0)
    let statistics: [UInt8]
    var shown: String { "store" }
    func contents() -> ShardContents { ShardContents() }
    func look(at name: String) -> (bytes: Int, stamp: String?)? { nil }
    func begin(_ name: String) throws -> any ShardFile { throw Fault(.software, "not written") }
    func write(_ bytes: [UInt8], to name: String) {}
    func remove(_ name: String) {}

    func read(_ name: String, _ body: ([UInt8]) throws -> Bool) throws -> Bool {
      let number = counts.withLock { counts in
        counts.begun += 1
        counts.held += 1
        counts.maxHeld = max(counts.maxHeld, counts.held)
        return counts.begun
      }
      if number < readers {
        // Far more than a slow machine needs.
        guard gate.wait(timeout: .now() + 300) == .success else { throw Fault(.software, "read alone") }
      } else if number == readers {
        for _ in 1..<readers { gate.signal() }
      }
      _ = try body(statistics)
      return true
    }
  }

  @Test("Some statistics are read at once, and only few are in memory, in the order of the shards") func bounded()
    throws
  {
    let statistics = ShardStatistics(
      shard: "1", inputs: 1, failed: 0, codes: [:], images: 0, seconds: 0, recipe: .init(sha256: "", sizes: []),
      tar: .init(bytes: 0, sha256: ""), versions: .init(mediatool: "", engine: ""))
    let store = CountingStore(statistics: Array(try JSONLine.text(statistics).utf8))
    let shards = try (0..<5_000).map { ShardListing.Found(shard: try #require(ShardName(String($0)))) }
    var delivered: [String] = []
    try ShardListing(store: store, lists: [], reads: false).read(shards) {
      $1?.inputs
    } body: { found, inputs in
      #expect(inputs == 1)
      delivered.append(found.shard.text)
      store.counts.withLock { $0.held -= 1 }
    }
    #expect(delivered == (0..<5_000).map(String.init))
    let counts = store.counts.withLock { $0 }
    #expect(counts.begun == 5_000)
    #expect((4...16).contains(counts.maxHeld), "\(counts.maxHeld)")
  }

  @Test("A failure to read ends the listing with its reason") func failure() throws {
    let store = CountingStore(statistics: [])
    let shards = try (0..<100).map { ShardListing.Found(shard: try #require(ShardName(String($0)))) }
    let error = #expect(throws: Fault.self) {
      try ShardListing(store: store, lists: [], reads: false).read(shards) { found, _ in
        if found.shard.text == "50" { throw Fault(.software, "unreadable") }
      } body: { _, _ in
      }
    }
    #expect(error?.message == "unreadable")
  }
}

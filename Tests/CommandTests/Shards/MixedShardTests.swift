internal import FileSupport
internal import Foundation
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediatoolCommand

@Suite("Shards whose files are of several runs") struct MixedShardTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  private func list() throws -> PathBytes {
    let photo = Corpus.packageRoot.appendingPathComponent("testdata/camera-roll/IMG_0001.jpg").path
    return try scratch.file("00017.ndjson", "\(photo)\nmissing.jpg\n")
  }

  private func make(_ list: PathBytes) throws -> Command.Output {
    try Command.run(["batch", "--list", list, "-o", scratch("out"), "--json"], folder: scratch.path)
  }

  private func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: scratch(name).text)) }

  @Test("A file of the same size that another run has put into a shard is seen without --check; a copy is not changed")
  func mixed() throws {
    let list = try list()
    #expect(try make(list).status == 0)
    func state() throws -> String? {
      let status = try Command.run(["batch", "--status", scratch("out"), "--json"])
      return try status.records.first?["state"] as? String
    }
    #expect(try state() == "failing")
    // As after cp -r: other inodes and times, the same bytes.
    for name in ["00017.tar", "00017.ndjson"] {
      try AtomicFile.write(Array(bytes("out/\(name)")), to: scratch("out/\(name)"))
    }
    #expect(try state() == "failing")
    var other = try Array(bytes("out/00017.ndjson"))
    other[other.count / 2] ^= 1
    try AtomicFile.write(other, to: scratch("out/00017.ndjson"))
    #expect(try state() == "changed")
    #expect(try make(list).status == 0)
    #expect(try Array(bytes("out/00017.ndjson")) != other, "it is made again")
    #expect(try state() == "failing")
  }

  /// A folder in which another run puts a file of its own into a shard, between the files of this run and its statistics.
  private struct ContestedFolder: ShardStore {
    let folder: ShardFolder
    let meanwhile: @Sendable () throws -> Void
    var shown: String { folder.shown }
    func look(at name: String) -> (bytes: Int, stamp: String?)? { folder.look(at: name) }
    func read(_ name: String, _ body: ([UInt8]) throws -> Bool) throws -> Bool { try folder.read(name, body) }
    var readers: Int { folder.readers }
    func contents() throws -> ShardContents { try folder.contents() }
    func begin(_ name: String) throws -> any ShardFile { try folder.begin(name) }
    func remove(_ name: String) throws { try folder.remove(name) }
    func write(_ bytes: [UInt8], to name: String) throws {
      try meanwhile()
      try folder.write(bytes, to: name)
    }
  }

  /// The statistics of a shard with one line, as a run writes them that another one disturbs.
  private func commit(_ line: String, meanwhile: @escaping @Sendable () throws -> Void) throws -> ShardStatistics {
    let folder = ShardFolder(path: try scratch.folder("out"))
    let shard = try #require(ShardName("1"))
    var writer = try ShardWriter(shard, in: ContestedFolder(folder: folder, meanwhile: meanwhile))
    let failure = MediaFailure(.notFound, "The file does not exist.")
    let record = ShardRecord(key: shard.key(1), line: 1, facts: ProbeRecord(path: PathBytes("a"), failure: failure))
    try writer.append(.init(record: record, line: line, images: []))
    return try writer.commit { counts, tar, results in
      ShardStatistics(
        shard: "1", inputs: counts.inputs, failed: counts.failed, codes: counts.codes, images: counts.images,
        seconds: 0,
        recipe: .init(sha256: "", sizes: []), tar: tar, results: results, versions: .init(mediatool: "", engine: ""))
    }
  }

  @Test("Two runs that mix their files do not report the shard as done; with equal bytes they do") func contested()
    throws
  {
    let folder = ShardFolder(path: try scratch.folder("out"))
    let shard = try #require(ShardName("1"))
    let path = folder.path(of: shard.results)
    let mine = "{\"a\":1}"
    let error = #expect(throws: Fault.self) {
      try commit(mine) { try AtomicFile.write(Array("{\"a\":2}\n".utf8), to: path) }
    }
    #expect(error?.status == .software)
    let mixed = try #require(try folder.statistics(of: shard))
    #expect(try !folder.hasFiles(of: shard, mixed, reads: false))
    let whole = try commit(mine) { try AtomicFile.write(Array("{\"a\":1}\n".utf8), to: path) }
    #expect(try folder.hasFiles(of: shard, whole, reads: false))
  }

  @Test("A run whose statistics are replaced by those of an equal run reports the other ones") func equal() throws {
    let folder = ShardFolder(path: try scratch.folder("out"))
    let shard = try #require(ShardName("1"))
    var first = try commit("{}") {}
    first.seconds = 9
    let line = try Array(JSONLine.text(first).utf8)
    try folder.remove(shard.statistics)
    let replaced = MediaFailure(.unavailable, "The object was replaced after its upload.")
    let second = try commit("{}") {
      try folder.write(line, to: shard.statistics)
      throw replaced
    }
    #expect(second.seconds == 9)
    // Those of another run are no reason.
    first.recipe.sha256 = "other"
    let others = try Array(JSONLine.text(first).utf8)
    try folder.remove(shard.statistics)
    #expect(throws: replaced) {
      try commit("{}") {
        try folder.write(others, to: shard.statistics)
        throw replaced
      }
    }
  }
}

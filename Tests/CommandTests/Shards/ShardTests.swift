internal import FileSupport
internal import Foundation
internal import Glibc
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediatoolCommand

@Suite("Shards") struct ShardTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  static let photos = Corpus.packageRoot.appendingPathComponent("testdata/camera-roll").path

  /// A list of a photo, a file that does not exist, a text, a request with an id and another size, and a line that is no request.
  @discardableResult
  func list(_ name: String = "00017.ndjson") throws -> PathBytes {
    try scratch.file("note.txt")
    return try scratch.file(
      name,
      """
      \(Self.photos)/IMG_0001.jpg
      missing.jpg
      \(scratch("note.txt").text)
      {"id":{"row":4},"source":"\(Self.photos)/IMG_0003.jpg","sizes":["64"]}
      {"source":

      """)
  }

  func make(_ list: PathBytes, _ more: [PathBytes] = []) throws -> Command.Output {
    try Command.run(["batch", "--list", list, "-o", scratch("out"), "--json"] + more, folder: scratch.path)
  }

  private func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: scratch(name).text)) }

  private func results(_ name: String) throws -> [[String: Any]] {
    try bytes(name).split(separator: 10).map { line in
      try #require(try JSONSerialization.jsonObject(with: line) as? [String: Any])
    }
  }

  func names(_ tar: String) throws -> [String] {
    try Tool("tar", package: "tar").run(["-tf", scratch(tar).text]).text.split(separator: "\n").map(String.init)
  }

  @Test("Every line has a result, images are in the tar file, and the statistics count both") func whole() throws {
    let output = try make(try list())
    #expect(output.status == 0, "\(output.errors)")
    #expect(scratch.files(below: "out") == ["00017.ndjson", "00017.stats.json", "00017.tar"])

    let results = try results("out/00017.ndjson")
    #expect(results.map { $0["line"] as? Int } == [1, 2, 3, 4, 5])
    #expect(results.map { $0["key"] as? String } == (1...5).map { "00017-00000000\($0)" })
    let codes = results.map { ($0["error"] as? [String: Any])?["code"] as? String }
    #expect(codes == [nil, "notFound", nil, nil, "invalidRequest"])
    #expect((results[3]["id"] as? [String: Any])?["row"] as? Int == 4)
    #expect(results[0]["type"] as? String == "image/jpeg")

    let expected = [
      "00017-000000001.json", "00017-000000001.grid.webp", "__failed__/00017-000000002.json",
      "__failed__/00017-000000003.json", "00017-000000004.json", "00017-000000004.64.webp",
      "__failed__/00017-000000005.json",
    ]
    #expect(try names("out/00017.tar") == expected)

    let statistics = try JSONDecoder().decode(ShardStatistics.self, from: try bytes("out/00017.stats.json"))
    #expect(statistics.inputs == 5)
    #expect(statistics.failed == 2)
    #expect(statistics.codes == ["notFound": 1, "invalidRequest": 1])
    #expect(statistics.images == 2)
    #expect(statistics.recipe.sizes == ["grid"])
    #expect(statistics.list?.path == scratch("00017.ndjson").text)
    #expect(try Array(bytes("out/00017.stats.json")) == Array(output.output.utf8))
    for (name, file) in [("out/00017.tar", statistics.tar), ("out/00017.ndjson", try #require(statistics.results))] {
      let sum = try Tool("sha256sum", package: "coreutils").run([scratch(name).text]).text
      #expect(sum.hasPrefix(file.sha256), "\(name)")
      #expect(try bytes(name).count == file.bytes, "\(name)")
    }
  }

  @Test("The JSON and the images in the tar file are those of the results and of thumbnail") func members() throws {
    _ = try make(try list())
    let tar = try Tool("tar", package: "tar")
    let json = try tar.run(["-xOf", scratch("out/00017.tar").text, "00017-000000001.json"]).text
    #expect(json == String(decoding: try bytes("out/00017.ndjson").split(separator: 10)[0], as: UTF8.self) + "\n")
    let image = try tar.run(["-xOf", scratch("out/00017.tar").text, "00017-000000001.grid.webp"]).bytes
    let folder = scratch("thumbnails")
    _ = try Command.run(["thumbnail", PathBytes("\(Self.photos)/IMG_0001.jpg"), "-o", folder, "--json"])
    #expect(try Array(bytes("thumbnails/IMG_0001.grid.webp")) == image)
  }

  @Test("A shard that is done is not made again") func done() throws {
    let list = try list()
    let first = try make(list)
    let before = try FileStatus(at: scratch("out/00017.tar"))
    let second = try make(list)
    #expect(second.status == 0, "\(second.errors)")
    #expect(second.output == first.output)
    #expect(try FileStatus(at: scratch("out/00017.tar")) == before)
  }

  @Test(
    "A shard with other options, another list or a damaged file is made again",
    arguments: ["size", "list", "tar", "stats"])
  func again(change: String) throws {
    let list = try list()
    _ = try make(list)
    let before = try bytes("out/00017.stats.json")
    var more: [PathBytes] = []
    switch change {
    case "size": more = ["--size", "96"]
    case "list": try scratch.file("00017.ndjson", "\(Self.photos)/IMG_0001.jpg\n")
    case "tar": try scratch.file("out/00017.tar", "short")
    default: try scratch.file("out/00017.stats.json", "{}")
    }
    let output = try make(list, more)
    #expect(output.status == 0, "\(output.errors)")
    let statistics = try JSONDecoder().decode(ShardStatistics.self, from: try bytes("out/00017.stats.json"))
    #expect(statistics.tar.bytes == (try bytes("out/00017.tar").count))
    #expect(try names("out/00017.tar").contains("00017-000000001.96.webp") == (change == "size"))
    #expect(statistics.inputs == (change == "list" ? 1 : 5))
    let old = try JSONDecoder().decode(ShardStatistics.self, from: before)
    #expect((statistics.recipe == old.recipe) == (change != "size"))
  }

  @Test("Two runs give the same bytes, whatever the number of jobs") func sameBytes() throws {
    let list = try list()
    _ = try make(list, ["-j", "1"])
    let first = (try bytes("out/00017.tar"), try bytes("out/00017.ndjson"))
    try FileManager.default.removeItem(atPath: scratch("out").text)
    _ = try make(list, ["-j", "4"])
    #expect(try bytes("out/00017.tar") == first.0)
    #expect(try bytes("out/00017.ndjson") == first.1)
  }

  @Test("Two runs at once leave one whole shard, and no other files") func twoAtOnce() throws {
    let list = try list()
    let arguments: [PathBytes] = ["batch", "--list", list, "-o", scratch("out"), "--json"]
    let runs = try (0..<2).map { _ in try Command(arguments, folder: scratch.path) }
    for run in runs { #expect(try run.finish().status == 0) }
    #expect(scratch.files(below: "out") == ["00017.ndjson", "00017.stats.json", "00017.tar"])
    let status = try Command.run(["batch", "--status", scratch("out"), "--check", "--json"])
    #expect(try status.records.first?["state"] as? String == "failing")
  }

  @Test("The second of two equal runs keeps the shard of the first one, and one that differs replaces it")
  func second() throws {
    let folder = ShardFolder(path: try scratch.folder("out"))
    let shard = try #require(ShardName("1"))
    let writers = try (0..<3).map { number in
      var writer = try ShardWriter(shard, in: folder)
      let failure = MediaFailure(.notFound, "The file does not exist.")
      let record = ShardRecord(
        key: shard.key(1), line: 1, facts: ProbeRecord(path: PathBytes("a"), failure: failure))
      // The third run has another result.
      try writer.append(.init(record: record, line: number < 2 ? "{}" : "{ }", images: []))
      return writer
    }
    let kept = try writers.enumerated().map { number, writer in
      try writer.commit { counts, tar, results in
        ShardStatistics(
          shard: "1", inputs: counts.inputs, failed: counts.failed, codes: counts.codes, images: counts.images,
          seconds: Double(number), recipe: .init(sha256: "", sizes: []), tar: tar, results: results,
          versions: .init(mediatool: "", engine: ""))
      }
    }
    #expect(kept.map(\.seconds) == [0, 0, 2])
    #expect(try folder.statistics(of: shard)?.seconds == 2)
    #expect(scratch.files(below: "out").filter { !$0.hasPrefix(".") } == ["1.ndjson", "1.stats.json", "1.tar"])
  }

  @Test("A run that is killed leaves no shard under its name, and the next one makes the same") func killed() throws {
    let photos = (1...6).map { "\(Self.photos)/IMG_000\($0).jpg\n" }.joined()
    let list = try scratch.file("00001.txt", String(repeating: photos, count: 20))
    let arguments: [PathBytes] = ["batch", "--list", list, "-o", scratch("out"), "--json", "-j", "1"]
    let run = try Command(arguments, folder: scratch.path)
    // It has begun when its temporary files are there.
    while scratch.files(below: "out").isEmpty { usleep(1_000) }
    kill(run.process, SIGKILL)
    _ = try run.finish()
    #expect(!scratch.files(below: "out").contains { $0.hasPrefix("00001") })
    #expect(try Command.run(arguments, folder: scratch.path).status == 0)
    #expect(scratch.files(below: "out").filter { $0.hasPrefix("00001") }.count == 3)
  }

  @Test("A shard with another time limit is made again") func deadline() throws {
    let list = try list()
    #expect(try make(list, ["--deadline", "600"]).status == 0)
    let first = try bytes("out/00017.stats.json")
    #expect(try make(list, ["--deadline", "600"]).errors.contains("is done"))
    #expect(try make(list, ["--deadline", "500"]).status == 0)
    #expect(try bytes("out/00017.stats.json") != first)
  }

  @Test("Neither the list nor an input is replaced by the shard") func sources() throws {
    let list = try list("out/00017.ndjson")
    let output = try make(list)
    #expect(output.status == 64)
    #expect(output.errors.contains("would replace"))
    #expect(scratch.files(below: "out") == ["00017.ndjson"])

    // A list that names the file which the shard would replace, and a file that is of no shard.
    let photo = try Data(contentsOf: URL(fileURLWithPath: "\(Self.photos)/IMG_0001.jpg"))
    for name in ["00018.tar", "00018.ndjson"] {
      try photo.write(to: URL(fileURLWithPath: scratch("out/\(name)").text))
      let other = try make(try scratch.file("00018.txt", "a.jpg\n\(scratch("out/\(name)").text)\n"))
      #expect(other.status == 64, "\(other.errors)")
      #expect(other.errors.contains(name), "\(other.errors)")
      #expect(try bytes("out/\(name)") == photo)
      try FileManager.default.removeItem(atPath: scratch("out/\(name)").text)
    }
  }

  @Test("The statistics of another tool under the shard's name are not replaced") func foreignStatistics() throws {
    let foreign = "{\"assets\":[]}"
    try scratch.file("out/00017.stats.json", foreign)
    let output = try make(try list())
    #expect(output.status == 64, "\(output.errors)")
    #expect(output.errors.contains("00017.stats.json"), "\(output.errors)")
    #expect(try bytes("out/00017.stats.json") == Data(foreign.utf8))
    #expect(scratch.files(below: "out") == ["00017.stats.json"])
  }

  @Test("An input that is a file of the shard itself ends the run, and is not replaced") func ownFile() throws {
    let list = try list()
    _ = try make(list)
    let before = try bytes("out/00017.tar")
    try scratch.file("00017.ndjson", "\(scratch("out/00017.tar").text)\n")
    let output = try make(list)
    #expect(output.status == 64)
    #expect(output.errors.contains("would replace its input"), "\(output.errors)")
    #expect(try bytes("out/00017.tar") == before)
  }

  @Test("A finished shard is not replaced by that of another list of the same name") func sameName() throws {
    _ = try make(try list())
    let before = try bytes("out/00017.tar")
    let output = try make(try scratch.file("other/00017.txt", "a.jpg\n"))
    #expect(output.status == 64)
    #expect(output.errors.contains("--name"), "\(output.errors)")
    #expect(try bytes("out/00017.tar") == before)
  }

  @Test("The signature of a URL is in no result and on no standard error") func signature() throws {
    let list = try scratch.file("1.txt", "https://127.0.0.1:9/a.jpg?X-Amz-Signature=secret\n")
    let output = try make(list)
    #expect(output.status == 0, "\(output.errors)")
    #expect(!output.errors.contains("secret"))
    #expect(try results("out/1.ndjson")[0]["path"] as? String == "https://127.0.0.1:9/a.jpg")
    #expect(!(try String(decoding: bytes("out/1.tar"), as: UTF8.self)).contains("secret"))
  }

  @Test("A line of a list that ends in CR LF or begins with a byte order mark fails with that reason")
  func foreignLines() throws {
    try scratch.file("a.txt", "text")
    try scratch.file("list.txt", "\u{FEFF}a.txt\na.txt\r\na.txt\n")
    let output = try Command.run(
      ["batch", "--list", scratch("list.txt"), "-o", scratch("out"), "--json"], folder: scratch.path)
    #expect(output.status == 0, "\(output.errors)")
    let lines = try String(contentsOfFile: scratch("out/list.ndjson").text, encoding: .utf8).split(separator: "\n")
    try #require(lines.count == 3)
    #expect(lines[0].contains("byte order mark"))
    #expect(lines[1].contains("carriage return"))
    #expect(!lines[2].contains("\"error\""))
  }

  @Test("A name with dots or other characters gives keys without them, different for each name") func keys() throws {
    let names = ["00017", "a.b", "a_b", "a b", "ä", String(repeating: "x", count: 60)]
    let keys = try names.map { try #require(ShardName($0)).key(1) }
    #expect(Set(keys).count == names.count)
    for key in keys { #expect(key.wholeMatch(of: /[A-Za-z0-9_-]+-000000001/) != nil, "\(key)") }
    for name in ["", ".", ".hidden", "a/b", "a/\u{301}b", String(repeating: "x", count: 201), "a\u{1B}b"] {
      #expect(ShardName(name) == nil, "\(name)")
    }
    #expect(ShardName(list: PathBytes("lists/part.0001.ndjson"))?.text == "part.0001")
  }
}

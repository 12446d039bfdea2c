internal import FileSupport
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import MediatoolCommand

@Suite("The status of shards") struct ShardStatusTests {
  let scratch: Scratch

  /// Three lists: all files are intact in the first one, two are missing in the second one, and the third one has no shard.
  init() throws {
    scratch = try Scratch()
    try scratch.file("a.txt")
    try scratch.file("lists/1.txt", "a.txt\n")
    try scratch.file("lists/2.txt", "gone-1\na.txt\n\n{\"id\":7,\"source\":\"gone-2\"}\n{\"source\":1}\n")
    try scratch.file("lists/3.txt", "a.txt\n")
    for name in ["1", "2"] {
      let output = try Command.run(
        ["batch", "--list", PathBytes("lists/\(name).txt"), "-o", "out", "--json"], folder: scratch.path)
      try #require(output.status == 0, "\(output.errors)")
    }
  }

  private func status(_ more: [PathBytes]) throws -> Command.Output {
    try Command.run(["batch", "--status", "out"] + more, folder: scratch.path)
  }

  private let all: [PathBytes] = ["--list", "lists/1.txt", "--list", "lists/2.txt", "--list", "lists/3.txt"]

  @Test("Shards are done, failing or missing, and the last line sums the failures by code") func states() throws {
    let output = try status(all + ["--json"])
    #expect(output.status == 1)
    let records = try output.records
    #expect(records.dropLast().map { $0["state"] as? String } == ["done", "failing", "missing"])
    #expect(records.dropLast().map { $0["shard"] as? String } == ["1", "2", "3"])
    let end = try #require(records.last?["end"] as? [String: Any])
    #expect(end["shards"] as? Int == 3)
    #expect(end["inputs"] as? Int == 5)
    #expect(end["failed"] as? Int == 3)
    #expect(end["codes"] as? [String: Int] == ["notFound": 2, "invalidRequest": 1])
    #expect(try status(["--json"]).status == 0)
  }

  @Test("A shard whose file or list is another one is changed", arguments: ["tar", "list", "same size"])
  func changed(what: String) throws {
    switch what {
    case "tar": try scratch.file("out/1.tar", "short")
    case "list": try scratch.file("lists/1.txt", "b.txt\n")
    default:
      var bytes = try Data(contentsOf: URL(fileURLWithPath: scratch("out/1.tar").text))
      bytes[600] ^= 1
      try bytes.write(to: URL(fileURLWithPath: scratch("out/1.tar").text))
    }
    let output = try status(["--list", "lists/1.txt", "--check", "--json"])
    #expect(output.status == 1)
    #expect(try output.records.first?["state"] as? String == "changed")
  }

  @Test("The folder of shards may have a name that is not UTF-8") func folderOfBytes() throws {
    let folder = PathBytes([0x73, 0x68, 0xFF])
    for options in [["--list", "lists/1.txt", "-o"], ["--status"]] as [[PathBytes]] {
      let output = try Command.run(["batch"] + options + [folder, "--json"], folder: scratch.path)
      #expect(output.status == 0, "\(options) \(output.errors)")
    }
  }

  @Test("--retry prints the lines whose files failed with the code, as they were") func retry() throws {
    let output = try status(["--retry", "notFound"])
    #expect(output.status == 0, "\(output.errors)")
    #expect(output.output == "gone-1\n{\"id\":7,\"source\":\"gone-2\"}\n")
    #expect(try status(["--retry", "invalidRequest"]).output == "{\"source\":1}\n")
    #expect(try status(["--retry", "timedOut"]).output == "")
  }

  @Test("--retry does not take lines from a list that has changed or is missing") func retryOfAnother() throws {
    try scratch.file("lists/2.txt", "x\ny\n")
    for _ in 0..<2 {
      let output = try status(["--retry", "notFound"])
      #expect(output.status == 1)
      #expect(output.output == "")
      #expect(output.errors.contains("lists/2.txt"))
      try? FileManager.default.removeItem(atPath: scratch("lists/2.txt").text)
    }
  }

  @Test("The table fits terminals of 60 and 200 columns", arguments: [60, 200]) func table(columns: Int) throws {
    let output = try Command.run(
      ["batch", "--status", "out", "--table"] + all, environment: ["COLUMNS": "\(columns)"], folder: scratch.path)
    for line in output.output.split(separator: "\n") { #expect(line.count <= columns, "\(line)") }
    #expect(output.output.contains("notFound: 2"))
  }

  @Test(
    "Options that contradict each other are refused",
    arguments: [
      ["--list", "lists/1.txt"], ["-o", "out"], ["--list", "lists/1.txt", "--list", "lists/2.txt", "-o", "out"],
      ["--list", "-", "-o", "out"], ["--list", "-", "--tar", "-"], ["--list", "lists/1.txt", "-o", "https://host/x"],
      ["--list", "lists/1.txt", "-o", "out", "--tar", "-"], ["--list", "lists/1.txt", "-o", "out", "--check"],
      ["--status", "out", "-o", "out"], ["--status", "out", "--retry", ""], ["--status", "gone"],
      ["--list", "lists/1.txt", "-o", "out", "--name", "a/b"], ["--list", "lists", "-o", "out"],
      ["--list", "lists/gone.txt", "-o", "out"],
      ["--status", "out", "--list", "lists/1.txt", "--list", "out/1.txt"], ["--list", "lists/1.txt", "--tar", "x.tar"],
    ])
  func refused(arguments: [String]) throws {
    let output = try Command.run(["batch"] + arguments.map { PathBytes($0) }, folder: scratch.path)
    #expect(output.status == 64, "\(output.errors)")
  }
}

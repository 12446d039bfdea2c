internal import FileSupport
internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing

@testable internal import MediatoolCommand

/// Commands that other engines drive through pipes: Spark's `pipe`, GNU parallel, a Slurm array.
@Suite("As a filter in a pipe") struct ScanFilterTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  @Test(arguments: [[], ["--json"], ["--table"]] as [[PathBytes]])
  func `A scan without a library stores nothing, whatever its format`(format: [PathBytes]) throws {
    for name in ["a/1", "a/2", "b"] { try scratch.file("tree/\(name)") }
    try scratch.folder("home")
    let result = try Command.run(
      ["scan", "tree", "--no-library"] + format,
      environment: ["HOME": scratch("home").text, "XDG_DATA_HOME": "", "XDG_CACHE_HOME": ""],
      folder: scratch.path)
    #expect(result.status == 0)
    #expect(scratch.files(below: "home").isEmpty)
    guard format != ["--table"] else { return }
    #expect(try result.records.compactMap { $0["path"] as? String } == ["tree/b", "tree/a/1", "tree/a/2"])
    #expect(try result.records.allSatisfy { $0["state"] == nil && $0["type"] as? String == "text/plain" })
  }

  @Test(arguments: [[], ["--json"], ["--table"]] as [[PathBytes]])
  func `The user's own library is updated, whatever the format`(format: [PathBytes]) throws {
    try scratch.file("tree/a")
    try scratch.folder("home")
    let environment = ["HOME": scratch("home").text, "XDG_DATA_HOME": "", "XDG_CACHE_HOME": scratch("cache").text]
    let result = try Command.run(["scan", "tree"] + format, environment: environment, folder: scratch.path)
    #expect(result.status == 0)
    if format != ["--table"] { #expect(try result.records.first?["state"] as? String == "new") }
    #expect(scratch.files(below: "home").contains { $0.hasPrefix(".local/share/mediatool/") })
  }

  /// Every input has a line, in order, whatever it is, and the line is there before the next input is written.
  @Test(arguments: ["probe", "thumbnail"])
  func `Each input has its line before the next input is read`(verb: String) throws {
    try scratch.file("text")
    try scratch.file("empty", "")
    try scratch.folder("closed")
    try scratch.link("dead", to: "nowhere")
    try scratch.fifo("fifo")
    try scratch.file(Array("not".utf8) + [0xE9, 0x0A] + Array("UTF-8".utf8))
    let inputs: [[UInt8]] =
      ["text", "none", "empty", "dead", "fifo", "text", String(repeating: "x", count: 70_000), " ", "text"]
      .map { Array($0.utf8) } + [Array("not".utf8) + [0xE9, 0x0A] + Array("UTF-8".utf8), Array("text".utf8)]
    let command = try Command(
      [PathBytes(verb), "--files-from", "-", "-0", "--json"], input: .pipe, drains: false, folder: scratch.path)
    for input in inputs {
      command.write(input + [0])
      let line = command.readLine()
      let record = try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line) for \(input.prefix(20))")
      let bytes = (record["pathBytes"] as? String).flatMap { Data(base64Encoded: $0) }.map(Array.init)
      let path = try bytes ?? Array(#require(record["path"] as? String).utf8)
      #expect(path == Array(input.prefix(100)))
    }
    command.closeInput()
    #expect(try command.finish().status == 1)
    command.closeOutput()
  }

  @Test(arguments: ["probe", "scan"])
  func `A reader that closes the pipe ends the scan silently`(verb: String) throws {
    for number in 0..<200 { try scratch.file("tree/\(number)") }
    let arguments: [PathBytes] =
      verb == "scan" ? ["scan", "tree", "--no-library"] : ["probe", "--json", "--files-from", "-", "-0"]
    let command = try Command(arguments, input: .pipe, drains: false, folder: scratch.path)
    if verb == "probe" {
      Thread.detachNewThread {
        for _ in 0..<50 { for number in 0..<200 { command.write(Array("tree/\(number)\0".utf8)) } }
        command.closeInput()
      }
    }
    #expect(command.readLine().contains("tree/"))
    command.closeOutput()
    let result = try command.finish()
    #expect(result.signal == SIGPIPE)
    #expect(result.errors == "")
  }

  /// A list far longer than what a pipe and the queue hold: it is read as the files are done, not before.
  @Test func `A list is read no faster than its files are done`() throws {
    try scratch.file("a")
    let command = try Command(
      ["probe", "--files-from", "-", "-0", "--json", "--jobs", "2"], input: .pipe, drains: false, folder: scratch.path)
    let written = Counter()
    let writer = Thread {
      for _ in 0..<200_000 {
        command.write(Array("a\0".utf8))
        written.add(1)
      }
      command.closeInput()
    }
    writer.start()
    let line = command.readLine().utf8.count + 1
    // Nobody reads on: the pipe of results fills, and everything stands still.
    #expect(command.waitForOutput(bytes: Command.smallPipe / line * line - line))
    #expect(command.waitUntilAtRest())
    // What the pipe of inputs (64 KiB), a piece of it that was read, and the window of files hold.
    #expect(written.value < 100_000)
    command.closeOutput()
    #expect(try command.finish().signal == SIGPIPE)
  }
}

/// A number that threads share.
private final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  // Touched under the lock alone, which is what makes the class Sendable.
  private var number = 0
  var value: Int { lock.withLock { number } }
  func add(_ more: Int) { lock.withLock { number += more } }
}

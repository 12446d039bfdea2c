internal import FileSupport
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import MediatoolCommand

@Suite("The order of results") struct OrderTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  @Test func `The same inputs give the same bytes, whatever the number of jobs`() throws {
    var generator = SeededGenerator(seed: 7)
    for index in 0..<120 {
      let name = String(UInt32.random(in: 0..<5_000, using: &generator), radix: 36)
      // Small and large by turns, so that a later file is done before an earlier one.
      let repeats = index % 3 == 0 ? 100_000 : 1
      try scratch.file("in/\(index % 7)/\(name).bin", String(repeating: "\0\(name)", count: repeats))
    }
    try scratch.fifo("in/3/fifo")
    let arguments: [PathBytes] = ["probe", "--digest", "in", "none", "in/3/fifo", "in/2"]
    let results = try [1, 2, 8].map { jobs in
      try Command.run(arguments + ["--jobs", PathBytes("\(jobs)")], folder: scratch.path)
    }
    #expect(results[0].status == 1)
    #expect(try results[0].records.count > 100)
    for result in results.dropFirst() {
      #expect(result.output == results[0].output)
      #expect(result.errors == results[0].errors)
      #expect(result.status == results[0].status)
    }
  }

  @Test func `Tables have the same order`() throws {
    for name in ["b", "a", "c"] { try scratch.file(name) }
    let result = try Command.run(["probe", "--table", "b", "none", "a", "c"], folder: scratch.path)
    #expect(result.status == 1)
    let names = result.output.split(separator: "\n").map { $0.prefix { $0 != " " } }
    // The problem of a file has the line after it.
    #expect(names == ["NAME", "b", "none", "", "a", "c"])
    #expect(result.errors == "mediatool: none: notFound: The file does not exist.\nmediatool: 4 files, 1 failed\n")
  }
}

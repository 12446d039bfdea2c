internal import FileSupport
internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing

@testable internal import MediatoolCommand

@Suite("On a terminal") struct TerminalTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  /// What a terminal shows of the results.
  private func shown(_ arguments: [PathBytes], environment: [String: String] = [:]) throws -> String {
    let terminal = try PseudoTerminal()
    let command = try Command(
      arguments, output: .file(terminal.path),
      environment: ["TERM": "xterm", "COLUMNS": "90"].merging(environment) { $1 }, folder: scratch.path)
    _ = try command.finish()
    return terminal.text()
  }

  @Test func `Results are a table in colors`() throws {
    try scratch.file("a.txt")
    let text = try shown(["probe", "a.txt", "none"])
    #expect(text.hasPrefix("\u{1B}[1mNAME\u{1B}[0m"))
    #expect(text.contains("a.txt  "))
    #expect(text.contains("\u{1B}[31mnotFound: The file does not exist.\u{1B}[0m"))
  }

  @Test(arguments: [["NO_COLOR": "1"], ["TERM": "dumb"]])
  func `Colors can be switched off`(environment: [String: String]) throws {
    try scratch.file("a.txt")
    let text = try shown(["probe", "a.txt", "none"], environment: environment)
    #expect(text.hasPrefix("NAME"))
    #expect(!text.contains("\u{1B}"))
  }

  @Test func `JSON on a terminal is JSON too`() throws {
    try scratch.file("a.txt")
    let text = try shown(["probe", "--json", "a.txt"])
    #expect(text.hasPrefix("{"))
    #expect(text.contains(#""path":"a.txt""#))
  }

  @Test func `No name reaches the terminal as an escape sequence`() throws {
    try scratch.file("x\u{1B}[2J\u{9B}31m\r.txt")
    for flag: PathBytes in ["--table", "--json"] {
      let text = try shown(["probe", flag, "."], environment: ["NO_COLOR": "1"])
      #expect(!text.contains("\u{1B}"))
      #expect(!text.contains("\u{9B}"))
      // The terminal itself puts a carriage return before each newline.
      #expect(!text.replacingOccurrences(of: "\r\n", with: "\n").contains("\r"))
      #expect(text.contains(".txt"))
    }
  }

  @Test("A table follows the width of the terminal while it runs: rows after a resize fit the new width")
  func resizedWhileRunning() throws {
    let long = String(repeating: "name", count: 8)
    for name in ["wide", "narrow", "wider"] {
      try FileManager.default.copyItem(
        atPath: Fixture.path("color/grey.jpg"), toPath: scratch("\(name)-\(long).jpg").text)
    }
    let terminal = try PseudoTerminal(width: 160)
    // SIGWINCH goes to the processes of a terminal; without a handler it is ignored, with one it must not end anything.
    let command = try Command(
      ["probe", "--files-from", "-"], input: .pipe, output: .file(terminal.path),
      environment: ["NO_COLOR": "1", "TERM": "xterm"], folder: scratch.path)
    for (width, name) in [(UInt16(160), "wide"), (44, "narrow"), (200, "wider")] {
      terminal.resize(to: width)
      kill(command.process, SIGWINCH)
      command.write(Array("\(name)-\(long).jpg\n".utf8))
      try terminal.waitUntilShown(name == "narrow" ? "…" : "\(name)-\(long).jpg")
    }
    command.closeInput()
    #expect(try command.finish().status == 0)
    let lines = terminal.text().split(separator: "\r\n").map(String.init)
    // The heading comes again with each width.
    #expect(lines.count { $0.hasPrefix("NAME") } == 3)
    let rows = lines.filter { $0.contains(".jpg") }
    try #require(rows.count == 3)
    #expect(rows[0].hasPrefix("wide-\(long).jpg"))
    #expect(rows[0].contains("image"))
    // The end of a name is kept.
    #expect(rows[1].hasPrefix("…"))
    #expect(rows[1].contains("name.jpg"))
    #expect(rows[1].count <= 44)
    #expect(rows[2].hasPrefix("wider-\(long).jpg"))
  }

  @Test func `Progress of many inputs is shown while results go elsewhere`() throws {
    for index in 0..<30 { try scratch.file("IN/\(index)\u{1B}[2J.txt") }
    let terminal = try PseudoTerminal()
    let command = try Command(["probe", "IN"], errors: .file(terminal.path), folder: scratch.path)
    #expect(try command.finish().records.count == 30)
    let text = terminal.text()
    #expect(text.hasPrefix("\r\u{1B}[K20 done  "))
    // Nothing of it is left in the end.
    #expect(text.hasSuffix("\r\u{1B}[K"))
    #expect(!text.contains("\u{1B}[2J"))
  }

  @Test func `Progress of a few inputs is not shown`() throws {
    for index in 0..<5 { try scratch.file("IN/\(index)") }
    let terminal = try PseudoTerminal()
    let command = try Command(["probe", "IN"], errors: .file(terminal.path), folder: scratch.path)
    _ = try command.finish()
    #expect(terminal.text() == "")
  }
}

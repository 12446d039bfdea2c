internal import FileSupport
internal import Foundation
internal import Glibc
internal import Testing

@testable internal import MediatoolCommand

@Suite("mediatool text") struct TextTests {
  private func run(_ input: String, _ arguments: [PathBytes] = []) throws -> Command.Output {
    try Command.run(["text"] + arguments, input: Array(input.utf8))
  }

  @Test("A text has its links and its segments, in one line with the documented keys")
  func answer() throws {
    let result = try run(#""😀 mzl.la""# + "\n")
    #expect(result.status == 0)
    #expect(result.errors == "")
    #expect(
      result.output
        == #"{"links":[{"kind":"url","scalars":[2,8],"target":"http://mzl.la","text":"mzl.la","utf16":[3,9],"utf8":[5,11]}],"#
        + #""segments":{"alphabet":"ucs2","available":61,"count":1,"perSegment":70,"showsCounter":false}}"# + "\n")
  }

  @Test("Escapes in JSON are decoded, and characters that affect a terminal are escaped")
  func escapes() throws {
    let records = try run(#""a\nb@c.de \u00e9""# + "\n" + #""http://a.de/\u202e""# + "\n")
    #expect(records.status == 0)
    #expect(records.output.utf8.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0x0A })
    let links = try records.records.map { try #require($0["links"] as? [[String: Any]]) }
    #expect(links[0].first?["scalars"] as? [Int] == [2, 8])
    #expect(links[1].first?["text"] as? String == "http://a.de/\u{202E}")
  }

  @Test("Invalid lines are reported by number, the others are answered, and the status is 1")
  func badLines() throws {
    let result = try run("\"a\"\n\nnull\n[\"a\"]\n\"a\n\"\\ud800\"\n \"b\" \n{\n\"c\"")
    #expect(result.status == 1)
    let named = result.errors.split(separator: "\n").map { $0.prefix { $0 != "c" } }
    #expect(named == [2, 3, 4, 5, 6, 8].map { "mediatool: line \($0): " })
    let records = try result.records
    #expect(records.map { $0["error"] == nil } == [true, false, false, false, false, false, true, false, true])
    #expect(records.compactMap { $0["line"] as? Int } == [2, 3, 4, 5, 6, 8])
    #expect((records[1]["error"] as? [String: String])?["code"] == "corrupt")
    let invalid = try Command.run(["text"], input: [0x22, 0xFF, 0x22, 0x0A])
    #expect(invalid.status == 1)
    #expect(try invalid.records.count == 1)
  }

  @Test("Empty input gives empty output")
  func empty() throws {
    let result = try run("")
    #expect(result.status == 0)
    #expect(result.output == "")
    #expect(try run("\"\"\n").records.first?["segments"] != nil)
  }

  @Test("A line that is too long has an error, and the next one an answer")
  func tooLong() throws {
    let long = String(repeating: "a", count: TextLines.longest)
    let result = try run("\"\(long)\"\n\"b\"\n\"\(long.dropLast(2))\"\n")
    #expect(try result.records.map { ($0["error"] as? [String: String])?["code"] } == ["tooLarge", nil, nil])
  }

  @Test("Many lines stay in order, in whatever chunks they arrive")
  func order() throws {
    let texts = (0..<5_000).map { String(repeating: "a", count: $0 % 170) }
    let result = try run(texts.map { "\"\($0)\"\n" }.joined())
    let segments = try result.records.map { try #require($0["segments"] as? [String: Any]) }
    #expect(segments.map { $0["count"] as? Int } == texts.map { $0.count > 160 ? 2 : 1 })
  }

  @Test("Answers come as soon as there is a line, and Ctrl-C states after which line it stopped")
  func streaming() throws {
    let command = try Command(["text"], input: .pipe, drains: false)
    command.write(Array("\"a\"\n\"b".utf8))
    #expect(command.readLine().contains("segments"))
    command.send(SIGINT)
    let result = try command.finish()
    #expect(result.status == 130)
    #expect(result.errors == "mediatool: interrupted after line 1; the results of later lines are missing\n")
  }

  @Test("National alphabets are an option")
  func national() throws {
    let result = try run("\"ş\"\n", ["--national", "Turkish"])
    let segments = try #require(try result.records.first?["segments"] as? [String: Any])
    #expect(segments["alphabet"] as? String == "gsm7")
    #expect(segments["locking"] as? String == "turkish")
    let wrong = try run("", ["--national", "latin"])
    #expect(wrong.status == 64)
    #expect(wrong.errors.contains("turkish"))
  }
}

internal import FileSupport
internal import Foundation
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediatoolCommand

/// Malformed lines among requests: 100 in 10,000, and with `MEDIATOOL_FULL=1` 10,000 in a million.
@Suite("Noise among requests", .timeLimit(.minutes(60))) struct NoiseTests {
  /// A malformed line, and its result.
  struct Noise: Sendable {
    /// The bytes of the line with a number.
    let line: @Sendable (Int) -> [UInt8]
    /// The code of its failure.
    var code = "invalidRequest"
    /// Whether its id is found.
    var hasID = false

    /// A text with the number in place of #.
    init(_ text: String, code: String = "invalidRequest", hasID: Bool = false) {
      line = { Array(text.replacing("#", with: String($0)).utf8) }
      (self.code, self.hasID) = (code, hasID)
    }

    /// Bytes between texts.
    init(_ text: String, _ bytes: [UInt8], _ end: String = "", code: String = "invalidRequest", hasID: Bool = false) {
      line = { Array(text.replacing("#", with: String($0)).utf8) + bytes + Array(end.utf8) }
      (self.code, self.hasID) = (code, hasID)
    }
  }

  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private static let kinds = [
    // Cut.
    Noise(#"{"id":#,"source":"a"#), Noise(#"{"id":#,"source":"#), Noise(#"{"id":#"#), Noise("{"),
    // Wrong types.
    Noise(#"{"id":#,"source":1}"#, hasID: true), Noise(#"{"id":#,"source":null}"#, hasID: true),
    Noise(#"{"id":#,"source":["a"]}"#, hasID: true), Noise(#"{"id":#,"source":{"a":1}}"#, hasID: true),
    Noise(#"{"id":#,"source":"a","bytes":1.5}"#, hasID: true), Noise(#"{"id":#,"source":"a","sizes":1}"#, hasID: true),
    Noise(#"{"id":#,"source":"a","bytes":-1}"#, hasID: true), Noise(#"{"id":#,"source":"a","bytes":1e400}"#),
    Noise(#"{"id":#}"#, hasID: true), Noise(#"{"id":#,"source":"a","other":1}"#, hasID: true),
    Noise(#"{"id":#,"source":""}"#, hasID: true), Noise(#"{"id":#,"source":"a","name":"b/c"}"#, hasID: true),
    // NUL.
    Noise(#"{"id":#,"source":"a"#, [0], #""}"#), Noise(#"{"id":#,"source":"a\u0000"}"#, hasID: true),
    Noise("missing-#", [0], code: "notFound"),
    // Invalid UTF-8, and half of a pair.
    Noise(#"{"id":#,"source":""#, [0xFF], #""}"#), Noise(#"{"id":#,"source":""#, [0xC0, 0x80], #""}"#),
    Noise(#"{"source":"a","id":""#, [0xFF], #""}"#), Noise("missing-#", [0xFF], code: "notFound"),
    Noise(#"{"id":#,"source":"\ud800"}"#),
    // A byte order mark that is not the first thing.
    Noise("", mark, #"{"id":1,"source":"a"}"#, code: "notFound"), Noise("missing-#", mark, code: "notFound"),
    // Too long; longer ones are below.
    Noise("a", [UInt8](repeating: 0x78, count: 65_536)),
    Noise(#"{"id":#,"source":""#, [UInt8](repeating: 0x78, count: 65_537), #""}"#, hasID: true),
    // Nested.
    Noise(#"{"id":#,"source":"#, [UInt8](repeating: 0x5B, count: 20_000), "}"),
    Noise(
      #"{"source":"a","id":"#, [UInt8](repeating: 0x5B, count: 9_000) + [UInt8](repeating: 0x5D, count: 9_000), "}"),
    Noise(#"[{"id":#,"source":"a"}]"#, code: "notFound"), Noise(#"{"request":{"id":#,"source":"a"}}"#),
    // Twice.
    Noise(#"{"id":#,"source":"a","source":"a"}"#, hasID: true), Noise(#"{"id":1,"id":#,"source":"a"}"#, hasID: true),
    Noise(#"{"id":#,"source":"a"}{"id":#,"source":"a"}"#), Noise(#"{"id":#,"source":"a"} a"#),
    // What is no number.
    Noise(#"{"id":0#,"source":"a"}"#), Noise(#"{"id":+#,"source":"a"}"#), Noise(#"{"id":#.,"source":"a"}"#),
    Noise(#"{"id":NaN,"source":"a"}"#), Noise(#"{"id":[0#],"source":1}"#),
    // What is no string, and other grammars.
    Noise(#"{"id":"\q","source":"a"}"#), Noise(#"{"id":"#, Array("\"a\tb\"".utf8), #","source":"a"}"#),
    Noise("{'id':#,'source':'a'}"), Noise(#"{"id":#,/**/"source":"a"}"#), Noise(#"{"id":[#,],"source":"a"}"#),
    Noise(##"{"#~"\\["##),
  ]

  /// Lines that no list should have many of.
  private static let longKinds = [
    Noise(#"{"id":#,"source":""#, [UInt8](repeating: 0x78, count: 1_048_576), #""}"#, hasID: true),
    Noise(#"{"source":""#, [UInt8](repeating: 0x78, count: 1_048_576), #"","id":1}"#),
  ]

  @Test("Every line has its result in its position, whatever other lines are") func noise() throws {
    let scratch = try Scratch()
    try scratch.file("a")
    let blocks = ProcessInfo.processInfo.environment["MEDIATOOL_FULL"] == "1" ? 10_000 : 100
    let list = try scratch.file("list", "")
    let writer = try FileHandle(forWritingTo: URL(fileURLWithPath: list.text))
    var generator = SeededGenerator(seed: 20)
    var noisy: [Int: Noise] = [:]
    for block in 0..<blocks {
      let place = Int.random(in: 1...100, using: &generator)
      var bytes = block == 0 ? Data(Self.mark) : Data()
      for line in 100 * block + 1...100 * (block + 1) {
        if line == 100 * block + place, line > 1 {
          let isLong = block % 50 == 0 && block < 1_000
          let noise = isLong ? Self.longKinds[block / 50 % 2] : Self.kinds[block % Self.kinds.count]
          noisy[line] = noise
          bytes += noise.line(line)
        } else {
          bytes += Data("{\"id\":\(line),\"source\":\"a\"}".utf8)
        }
        bytes.append(UInt8(ascii: "\n"))
      }
      try writer.write(contentsOf: bytes)
    }
    try writer.close()
    #expect(noisy.count >= blocks - 1)
    let output = try scratch.file("results", "")
    let command = try Command(
      ["probe", "--requests", list, "--results-only-status", "-q"], output: .file(output.text), folder: scratch.path)
    #expect(try command.finish().status == 0)
    let results = try Data(contentsOf: URL(fileURLWithPath: output.text)).split(separator: UInt8(ascii: "\n"))
    try #require(results.count == 100 * blocks + 1)
    for (index, result) in results.dropLast().enumerated() {
      let line = index + 1
      guard let noise = noisy[line] else {
        #expect(result.starts(with: Data("{\"id\":\(line),\"bytes\":6,".utf8)), "line \(line)")
        continue
      }
      let text = String(decoding: result.prefix(300), as: UTF8.self)
      let record = try #require(try JSONSerialization.jsonObject(with: result) as? [String: Any], "\(line): \(text)")
      #expect((record["error"] as? [String: Any])?["code"] as? String == noise.code, "line \(line): \(text)")
      #expect(record["id"] as? Int == (noise.hasID ? line : nil), "line \(line): \(text)")
      #expect(record["line"] as? Int == (noise.code == "invalidRequest" ? line : nil), "line \(line): \(text)")
    }
    let end = String(decoding: try #require(results.last), as: UTF8.self)
    #expect(end.contains("\"failed\":\(noisy.count),\"inputs\":\(100 * blocks)"))
  }

  @Test(
    "An id comes back as it was written if it is a value of JSON",
    arguments: [
      "1e400", "-0", "-0.0", "0e0", "1E+2", "123456789012345678901234567890", #""\ud800""#, #""\u0000""#, "null", "[]",
      #"{"a":[1,{"b":"é"}],"c":{}}"#, "[ 1 , 2 ]",
      String(repeating: "[", count: 200) + String(repeating: "]", count: 200),
    ]) func ids(id: String) throws
  {
    let request = FileRequest(json: Array("{\"source\":\"a\",\"id\":\(id)}".utf8), line: 1)
    #expect(request.refusal == nil)
    #expect(request.id == id)
  }

  @Test(
    "An id that is no value of JSON is refused, and not in the result",
    arguments: [
      "01", "-", "1.", "1e", "1e+", "-01", "--1", "1-1", "1e5e5", "01.5", #""\q""#, "\"a\tb\"", "[1,]", "[01]",
      #"{"a":01}"#,
      #"{"a":1,}"#, #"["\q"]"#, #"{"b":{"a":-}}"#, "\"\u{1}\"",
    ]) func invalidIDs(id: String) throws
  {
    for source in [#""a""#, "1"] {
      let request = FileRequest(json: Array("{\"source\":\(source),\"id\":\(id)}".utf8), line: 1)
      #expect(request.refusal?.code == .invalidRequest)
      #expect(request.id == nil)
    }
  }

  @Test(
    "Texts that are no value of JSON are recognised",
    arguments: [
      ("1", true), (" 1 ", true), ("\"\"", true), ("{}", true), (#"{"a":{"b":[]},"c":[[],{}]}"#, true), ("true", true),
      ("", false), (" ", false), ("1 2", false), ("[", false), ("]", false), ("[1}", false), (#"{"a"}"#, false),
      (#"{"a":}"#, false), ("{1:2}", false), ("[1,,2]", false), ("[,1]", false), ("tru", false), ("truefalse", false),
      (#""\u12""#, false), (#""\u12G4""#, false), ("\"", false), ("\"\\", false), (".5", false), ("+1", false),
      ("0x1", false),
      ("Infinity", false), (#""a""b""#, false), (#"{"a":1 "b":2}"#, false),
    ]) func syntax(text: String, expected: Bool)
  {
    #expect(JSONSyntax.isValue(Array(text.utf8)[...]) == expected)
  }
}

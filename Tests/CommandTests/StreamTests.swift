internal import FileSupport
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import MediatoolCommand

@Suite("Requests of engines") struct StreamTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  /// The object before the path: the id as its sender wrote it.
  private static func id(of line: Substring) -> String? {
    guard line.hasPrefix("{\"id\":"), let end = line.range(of: ",\"")?.lowerBound else { return nil }
    return String(line[line.index(line.startIndex, offsetBy: 6)..<end])
  }

  @Test(
    "The id comes back as it was written",
    arguments: [
      "17", "1.0", "-0", "1e400", "123456789012345678901234567890", "null", "true", "\"\"", "\"a \\u00e9 \\\" \\\\ \"",
      "[1, {\"a\": \"],}\"}]", "{ \"b\" : [ ] }",
    ])
  func ids(id: String) throws {
    let path = try scratch.file("a.txt")
    let line = "{\"source\": \"\(path.text)\", \"id\" : \(id) }\n"
    let list = try scratch.file("list", line)
    let result = try Command.run(["probe", "--requests", list])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.hasPrefix("{\"id\":\(id),\"bytes\":6,"), "\(result.output)")
    #expect(result.output.split(separator: "\n").count == 1)
  }

  @Test("Names and requests may be mixed, and results come in the order of the lines") func mixed() throws {
    for name in ["a", "b", "c"] { try scratch.file(name) }
    let list = try scratch.file("list", "a\n\n{\"id\":2,\"source\":\"b\"}\nc\n")
    let result = try Command.run(["probe", "--requests", list], folder: scratch.path)
    #expect(try result.records.map { $0["path"] as? String } == ["a", "b", "c"])
    #expect(result.output.split(separator: "\n").map(Self.id) == [nil, "2", nil])
  }

  @Test(
    "A line that is no request has a result with its number",
    arguments: [
      ("{", "The line is not valid JSON."), ("{}", "The request has no source."),
      ("{\"source\":1}", "The request's source has the wrong type."),
      ("{\"source\":\"\"}", "The request's source is empty."),
      ("{\"source\":\"a\\u0000b\"}", "The request's source contains a NUL byte."),
      ("{\"source\":\"a\",\"size\":[]}", "The request has an unknown key: size."),
      ("{\"source\":\"a\",\"source\":\"b\"}", "The request has source twice."),
      ("{\"source\":\"a\",\"name\":\"../b\"}", "The request's name is not a file name."),
      ("{\"source\":\"a\",}", "The request is not a JSON object."),
      ("{\"source\":\"a\" \"b\"}", "The line is not valid JSON."),
      ("{\"source\":\"a\",\"bytes\":01}", "The line is not valid JSON."),
      ("{\"source\":\"a\",\"bytes\":-1}", "The request's bytes are negative."),
      ("{\"source\":\"a\",\"bytes\":\"1\"}", "The request's bytes has the wrong type."),
      ("{\"source\":\"a\"} x", "The line is not valid JSON."), ("{\"source\":\"a\"", "The line is not valid JSON."),
      ("{\"source\":\"a\",\"sizes\":[\"0\"]}", "The request's size 0 is invalid; allowed: \(SizeArgument.allowed)."),
    ])
  func refusals(line: String, message: String) throws {
    try scratch.file("a")
    let list = try scratch.file("list", "a\n\(line)\na\n")
    let result = try Command.run(["probe", "--requests", list], folder: scratch.path)
    #expect(result.status == 1)
    let records = try result.records
    #expect(records.count == 3)
    #expect(records[1]["line"] as? Int == 2)
    let error = try #require(records[1]["error"] as? [String: Any])
    #expect(error["code"] as? String == "invalidRequest")
    #expect(error["message"] as? String == message)
    #expect(error["retry"] as? String == "never")
    #expect(result.errors.contains("list:2: invalidRequest: "))
  }

  @Test("A line that names a folder has one result, which fails") func folders() throws {
    for name in ["full/a", "full/b", "c"] { try scratch.file(name) }
    try scratch.folder("empty")
    let list = try scratch.file("list", "full\nempty\nc\n")
    let records = try Command.run(["probe", "--requests", list], folder: scratch.path).records
    #expect(records.map { $0["path"] as? String } == ["full", "empty", "c"])
    #expect(records.map { $0["error"] == nil } == [false, false, true])
  }

  @Test("A request that cannot be served has its id in the result") func refusedID() throws {
    let list = try scratch.file("list", "{\"id\":\"x\"}\n{\"id\":\"y\",\"source\":\"ftp://bucket/key\"}\n")
    let result = try Command.run(["probe", "--requests", list])
    #expect(result.output.split(separator: "\n").map(Self.id) == ["\"x\"", "\"y\""])
    let error = try #require(try result.records[1]["error"] as? [String: Any])
    #expect(error["code"] as? String == "unsupported")
  }

  @Test("A line above a mebibyte is refused with its id if that comes first, and the next one is read") func longLine()
    throws
  {
    try scratch.file("a")
    let long = "\"source\":\"\(String(repeating: "a", count: 1_100_000))\""
    let id = "\"\(String(repeating: "i", count: 100_000))\""
    let lines = [
      "{\(long)}", "{\"name\":\"b\",\"id\" : [1, {\"a\":\"],\"}],\(long)}", "{\"id\":1\(long)}", "{\"id\":tru,\(long)}",
      "{\"id\":\(id),\"source\":\"a\"}", String(repeating: "a", count: 70_000),
      "{\"id\":2,\"source\":\"\(String(repeating: "a", count: 70_000))\"}", "{\"id\":1,\"source\":\"a\"}",
    ]
    let list = try scratch.file("list", lines.joined(separator: "\n"))
    let result = try Command.run(["probe", "--requests", list], folder: scratch.path)
    let records = try result.records
    #expect(records.map { $0["line"] as? Int } == [1, 2, 3, 4, nil, 6, 7, nil])
    #expect(records.map { $0["id"] == nil } == [true, false, true, true, false, true, false, false])
    #expect(result.output.contains("\n{\"id\":[1, {\"a\":\"],\"}],"))
    #expect(result.output.contains("\n{\"id\":\(id),"))
    #expect(records.last?["path"] as? String == "a")
  }

  @Test("A request may begin with spaces and tabs", arguments: [" ", "\t", " \t  "]) func blanks(before: String) throws
  {
    try scratch.file("a")
    let list = try scratch.file("list.txt", "\(before){\"id\":1,\"source\":\"a\"}\n\(before){\"id\":2}\n")
    let result = try Command.run(["probe", "--requests", list], folder: scratch.path)
    #expect(try result.records.map { $0["id"] as? Int } == [1, 2])
    #expect(try result.records.map { $0["path"] as? String } == ["a", nil])
    #expect(try result.records[1]["line"] as? Int == 2)
    let made = try Command.run(["batch", "--list", list, "-o", scratch("out")], folder: scratch.path)
    #expect(made.status == 0, "\(made.errors)")
    let lines = try String(contentsOfFile: scratch("out/list.ndjson").text, encoding: .utf8).split(separator: "\n")
    #expect(lines.map(Self.id) == ["1", "2"])
  }

  @Test("Without any variable of the environment the results are the same") func emptyEnvironment() throws {
    let photo = Fixture.path("camera-roll/IMG_0001.jpg")
    let list = try scratch.file("list.txt", "{\"id\":1,\"source\":\"\(photo)\"}\n\(scratch("missing").text)\n")
    let program = BuiltProduct.path("mediatool")
    for verb in ["probe --requests -", "thumbnail --requests - -o \(scratch("images").text)"] {
      let script = "cd / && exec \"$@\" \(program) \(verb) <\(list.text)"
      let runs = try [["-i"], ["LANG=C.UTF-8"]].map { variables in
        try Tool("sh", package: "dash").run(["-c", script, "sh", "/usr/bin/env"] + variables, seconds: 600)
      }
      #expect(runs.map(\.status) == [1, 1], "\(runs[0].errors)")
      #expect(runs[0].text == runs[1].text)
      #expect(runs[0].text.contains("notFound"))
    }
    let shards = try [["-i"], ["LANG=C.UTF-8"]].enumerated().map { number, variables in
      let folder = scratch("shards\(number)").text
      let output = try Tool("env", package: "coreutils").run(
        variables + [program, "batch", "--list", list.text, "-o", folder], seconds: 600)
      #expect(output.status == 0, "\(output.errors)")
      return try Data(contentsOf: URL(fileURLWithPath: folder + "/list.tar"))
    }
    #expect(shards[0] == shards[1])
  }

  @Test("A line of 20 MB is refused with its number, and the next one is read") func endlessLine() throws {
    try scratch.file("a")
    let long = "{\"source\":\"\(String(repeating: "a", count: 20_000_000))\"}"
    let list = try scratch.file("list", "\(long)\n{\"id\":1,\"source\":\"a\"}\n")
    let result = try Command.run(["probe", "--requests", list], folder: scratch.path)
    #expect(result.status == 1)
    #expect(try result.records.map { $0["line"] as? Int } == [1, nil])
    #expect(result.output.split(separator: "\n").map(Self.id) == [nil, "1"])
  }

  @Test(
    "A request with a number that cannot be a size has its id in the result",
    arguments: ["1.5", "1e30", "99999999999999999999"])
  func impossibleBytes(bytes: String) throws {
    let list = try scratch.file("list", "{\"id\":\"x\",\"source\":\"a\",\"bytes\":\(bytes)}\n")
    let result = try Command.run(["probe", "--requests", list])
    #expect(result.output.split(separator: "\n").map(Self.id) == ["\"x\""])
    let error = try #require(try result.records[0]["error"] as? [String: Any])
    #expect(error["code"] as? String == "invalidRequest")
    #expect(error["message"] as? String == "The request's bytes has the wrong type.")
  }

  @Test("A byte order mark before the first request is ignored") func byteOrderMark() throws {
    try scratch.file("a")
    let list = try scratch.file("list", "\u{FEFF}{\"id\":1,\"source\":\"a\"}\n{\"id\":2,\"source\":\"a\"}\n")
    let result = try Command.run(["probe", "--requests", list], folder: scratch.path)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.split(separator: "\n").map(Self.id) == ["1", "2"])
  }

  @Test("Nesting without end is refused, not followed") func deep() throws {
    let list = try scratch.file("list", "{\"id\":\(String(repeating: "[", count: 60_000))\n")
    #expect(try Command.run(["probe", "--requests", list]).records[0]["line"] as? Int == 1)
  }

  @Test("A request's name says what type is claimed, and names the images") func names() throws {
    let photo = Fixture.path("camera-roll/IMG_0001.jpg")
    let list = try scratch.file(
      "list", "{\"source\":\"\(photo)\",\"name\":\"b.png\",\"sizes\":[\"64\",\"view\"]}\n{\"source\":\"\(photo)\"}\n")
    let probed = try Command.run(["probe", "--requests", list]).records
    #expect((probed[0]["mismatch"] as? [String: Any])?["declared"] as? String == "png")
    #expect(probed[1]["mismatch"] == nil)
    let made = try Command.run(["thumbnail", "--requests", list, "-o", scratch("out"), "-s", "32"]).records
    let files = made.map { ($0["renditions"] as? [[String: Any]])?.compactMap { $0["file"] as? String } }
    let folder = scratch("out").text
    #expect(
      files == [["\(folder)/b.64.webp", "\(folder)/b.view.webp"], ["\(folder)/IMG_0001.32.webp"]])
  }

  @Test("Failed files do not change the status that is for results only, and the trailer counts them") func trailer()
    throws
  {
    try scratch.file("a")
    let list = try scratch.file("list", "a\nmissing\n{\n")
    let result = try Command.run(["probe", "--requests", list, "--results-only-status"], folder: scratch.path)
    #expect(result.status == 0)
    let records = try result.records
    #expect(records.count == 4)
    let end = try #require(records[3]["end"] as? [String: Any])
    #expect(end["inputs"] as? Int == 3)
    #expect(end["failed"] as? Int == 2)
    #expect(try #require(end["seconds"] as? Double) >= 0)
    let plain = try Command.run(["probe", "--requests", list, "--trailer"], folder: scratch.path)
    #expect(plain.status == 1)
    #expect(try plain.records.count == 4)
    let none = try Command.run(["probe", "--requests", scratch.file("empty", ""), "--trailer"])
    #expect(none.status == 0)
    #expect(try none.records.count == 1)
  }

  @Test("Without order every input has its result too") func unordered() throws {
    try scratch.file("a")
    let list = try scratch.file("list", "a\nmissing\na\n")
    let result = try Command.run(["probe", "--requests", list, "--unordered", "-j", "3"], folder: scratch.path)
    #expect(try result.records.compactMap { $0["path"] as? String }.sorted() == ["a", "a", "missing"])
  }

  @Test("Signs of life come while nothing happens") func heartbeat() throws {
    let command = try Command(["probe", "--requests", "-", "--heartbeat", "0.01", "-q"], input: .pipe)
    #expect(command.waitForErrors("reporter:status:0 done, 0 failed\n"))
    command.write(Array("missing\n".utf8))
    #expect(command.waitForErrors("reporter:status:1 done, 1 failed\n"))
    command.closeInput()
    #expect(try command.finish().status == 1)
  }

  @Test(
    "Options that contradict each other are usage errors",
    arguments: [["a", "--requests", "b"], ["--requests", "b", "--files-from", "c"], ["--requests", ""], []])
  func usage(arguments: [String]) throws {
    let result = try Command.run(["probe"] + arguments.map { PathBytes($0) })
    #expect(result.status == 64)
  }
}

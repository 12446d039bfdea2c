internal import FileSupport
internal import Foundation
internal import MMSCodec
internal import MediaModel
internal import Messaging
internal import TestSupport
internal import Testing

@testable internal import MediatoolCommand

@Suite("modules") struct ModulesCommandTests {
  private func records(_ arguments: [PathBytes]) throws -> (output: Command.Output, records: [[String: Any]]) {
    let output = try Command.run(["modules"] + arguments + ["--json"])
    return (output, try output.records)
  }

  private func modules(_ record: [String: Any]) -> [[String: Any]] { record["modules"] as? [[String: Any]] ?? [] }

  private func fixture(_ name: String) -> PathBytes {
    PathBytes(Corpus.packageRoot.appendingPathComponent("testdata/camera-roll/\(name)").path)
  }

  @Test func `Without files the command line is refused`() throws { #expect(try Command.run(["modules"]).status == 64) }

  @Test("Files are the modules of one message, in order, with real images") func files() throws {
    let names = ["IMG_0001.jpg", "VID_0008.mp4", "two-notes.mp3", "ada.vcf", "notes.txt"]
    let (output, records) = try records(names.map(fixture))
    #expect(output.status == 0)
    #expect(output.errors == "")
    let message = try #require(records.first)
    #expect(records.count == 1)
    #expect(message["type"] as? String == "mms")
    #expect(message["direction"] as? String == "outgoing")
    let modules = modules(message)
    #expect(modules.map { $0["kind"] as? String } == ["image", "video", "audio", "contact", "other"])
    #expect(modules.map { $0["filename"] as? String } == names)
    #expect(modules.map { $0["showsName"] as? Bool } == [false, true, true, true, true])
    #expect(modules.map { $0["state"] as? String } == Array(repeating: "ready", count: 5))
    #expect(modules.map { $0["action"] as? String } == ["view", "play", "play", "view", "view"])
    for (index, key) in [(0, "thumbnail"), (1, "poster"), (2, "cover"), (2, "waveform")] {
      let address = try #require(modules[index][key] as? String)
      let data = try #require(Data(base64Encoded: String(address.drop { $0 != "," }.dropFirst())))
      #expect(address.hasPrefix("data:image/webp;base64,"), "\(key)")
      #expect(data.starts(with: Data("RIFF".utf8)), "\(key)")
    }
    #expect(modules[1]["duration"] as? Double == 2)
    #expect((modules[2]["peaks"] as? [Double])?.count == 100)
    #expect(modules.map { $0["icon"] as? String } == [nil, nil, "audio", "contact", "text"])
  }

  @Test("R-MMS-38: a message has its headers, and its modules in the order of composition")
  func message() throws {
    let thread = try SampleThread()
    let file = try thread.file(
      "sent.mms",
      SampleThread.outgoing([
        MessageSlides.Slide(text: SampleThread.text("first", name: "text_0.txt")),
        MessageSlides.Slide(
          media: try SampleThread.part("camera-roll/IMG_0003.jpg", type: "image/jpeg", name: "pier.jpg"),
          text: SampleThread.text("see example.org", name: "text_1.txt")),
      ]))
    let (output, records) = try records([file])
    #expect(output.status == 0)
    let message = try #require(records.first)
    #expect(message["messageType"] as? String == "m-send-req")
    #expect(message["direction"] as? String == "outgoing")
    #expect(message["to"] as? [String] == ["+15551234567", "+15557654321"])
    #expect(message["from"] == nil)
    #expect(message["date"] as? String == "2024-05-01T10:00:00Z")
    #expect(message["transactionID"] as? String == "T2")
    let modules = modules(message)
    #expect(modules.map { $0["kind"] as? String } == ["text", "image", "text"])
    #expect(modules.map { $0["text"] as? String } == ["first", nil, "see example.org"])
    let link = try #require((modules[2]["links"] as? [[String: Any]])?.first)
    #expect(link["target"] as? String == "http://example.org")
    #expect(link["utf16"] as? [Int] == [4, 15])
    #expect(modules[1]["width"] as? Int == 1_600)
    #expect(modules[1]["id"] as? String == "pier.jpg")
  }

  @Test("R-MMS-46, R-MMS-48: a notification is a message that is not downloaded, with its size and its expiry")
  func notification() throws {
    let thread = try SampleThread()
    let (output, records) = try records([try thread.file("wait", SampleThread.notification())])
    #expect(output.status == 0)
    let message = try #require(records.first)
    #expect(message["expiresAfter"] as? Int == 259_200)
    #expect(message["messageSize"] as? Int == 307_200)
    let module = try #require(modules(message).first)
    #expect(module["state"] as? String == "notDownloaded")
    #expect(module["action"] as? String == "download")
    #expect(module["label"] as? String == "Message, 307 kB, not downloaded")
  }

  @Test("An unreadable input is reported in its position, and the others are shown") func failures() throws {
    let thread = try SampleThread()
    let broken = try thread.scratch.file("broken.mms", "no message")
    let (output, records) = try records([fixture("IMG_0001.jpg"), broken, thread.scratch("gone.jpg")])
    #expect(output.status == 1)
    try #require(records.count == 2)
    try #require(modules(records[0]).count == 2)
    #expect(modules(records[0])[1]["state"] as? String == "placeholder")
    #expect((modules(records[0])[1]["error"] as? [String: Any])?["code"] as? String == "notFound")
    #expect((records[1]["error"] as? [String: Any])?["code"] as? String == "corrupt")
    #expect(records[1]["path"] as? String == broken.text)
  }

  @Test("Standard input is a message or a file, depending on its content") func standardInput() throws {
    let message = try SampleThread.incoming([SampleThread.text("hello")]).encoded()
    let output = try Command.run(["modules", "-", "--json"], input: message)
    #expect(modules(try #require(output.records.first)).first?["text"] as? String == "hello")
    let image = try Data(contentsOf: URL(fileURLWithPath: fixture("IMG_0001.jpg").text))
    let other = try Command.run(["modules", "-", "--json"], input: Array(image))
    #expect(modules(try #require(other.records.first)).first?["kind"] as? String == "image")
  }

  @Test("R-MMS-62: names in a message are safe, and equal names are distinguished") func names() throws {
    let thread = try SampleThread()
    let parts = try ["../../etc/passwd", SampleThread.hostileName, "a\u{202E}gpj.exe", "a.jpg"].map { name in
      var part = try SampleThread.part("camera-roll/IMG_0001.jpg", type: "image/jpeg", name: "x")
      part.headers = []
      part.contentType = ContentType("image/jpeg", parameters: [WSPHeader.Parameter(.name, name)])
      return part
    }
    let (_, records) = try records([try thread.file("m.mms", SampleThread.incoming(parts + parts.suffix(1)))])
    #expect(
      modules(try #require(records.first)).map { $0["filename"] as? String } == [
        "passwd.jpg", "_img src=x onerror=alert(1)_.jpg", "agpj.exe.jpg", "a.jpg", "a_2.jpg",
      ])
  }

  @Test("R-MMS-62: -o writes the parts of a message under safe names, whatever their senders called them")
  func parts() throws {
    let thread = try SampleThread()
    let image = try SampleThread.part("camera-roll/IMG_0001.jpg", type: "image/jpeg", name: "x")
    let hostile = ["../../../evil.jpg", "/etc/passwd", "..", "a/b\u{7}c", "text.txt", "A.JPG", "a.jpg", ".hidden"].map {
      name in
      MMSMessage.Part(
        contentType: ContentType("image/jpeg", parameters: [WSPHeader.Parameter(.name, name)]), headers: [],
        body: image.body)
    }
    let file = try thread.file(
      "m.mms", SampleThread.incoming(hostile + [SampleThread.text("caf\u{E9}"), SampleThread.text("two")]))
    let out = thread.scratch("out")
    let output = try Command.run(["modules", file, "-o", out, "--json"])
    #expect(output.status == 0, "\(output.errors)")
    #expect(thread.scratch.files() == ["m.mms"] + thread.scratch.files(below: "out").map { "out/\($0)" })
    let record = try #require(output.records.first)
    let written = modules(record).compactMap { $0["written"] as? String }
    #expect(written.count == 10)
    #expect(Set(written.map { $0.lowercased() }).count == 10, "none replaces another: \(written)")
    for (path, part) in zip(written, hostile) {
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(part.body))
      #expect((path as NSString).deletingLastPathComponent == out.text)
      #expect(path.hasSuffix(".jpg") || path.hasSuffix(".JPG"), "the extension of its content: \(path)")
    }
    #expect(try String(contentsOfFile: written[8], encoding: .utf8) == "caf\u{E9}")
    #expect(try String(contentsOfFile: written[9], encoding: .utf8) == "two")
    #expect(modules(record).map { ($0["filename"] as? String) ?? "" }.prefix(8).allSatisfy { !$0.contains("/") })
  }

  @Test("A26: a WBMP of a message is decoded to PNG, and named .png") func wirelessBitmap() throws {
    let thread = try SampleThread()
    let file = try thread.file(
      "m.mms",
      SampleThread.incoming([
        try SampleThread.part("formats/bilevel.wbmp", type: "image/vnd.wap.wbmp", name: "Logo.WBMP")
      ]))
    let out = thread.scratch("out")
    let record = try #require(try Command.run(["modules", file, "-o", out, "--json"]).records.first)
    let module = try #require(modules(record).first)
    #expect(module["filename"] as? String == "Logo.png")
    #expect(module["kind"] as? String == "image")
    let written = try #require(module["written"] as? String)
    #expect(written.hasSuffix("/Logo.png"))
    let facts = try #require(try Command.run(["probe", "--json", PathBytes(written)]).records.first)
    let source = try #require(
      try Command.run(["probe", "--json", PathBytes(Fixture.path("formats/bilevel.wbmp"))]).records.first)
    #expect(facts["type"] as? String == "image/png")
    #expect(facts["width"] as? Int == source["width"] as? Int)
    #expect(facts["height"] as? Int == source["height"] as? Int)
  }

  @Test("-o replaces no file of the user, whatever a sender called the parts") func partsReplaceNothing() throws {
    let thread = try SampleThread()
    let image = try SampleThread.part("camera-roll/IMG_0001.jpg", type: "image/jpeg", name: "x")
    let part = MMSMessage.Part(
      contentType: ContentType("image/jpeg", parameters: [WSPHeader.Parameter(.name, "thesis.jpg")]), headers: [],
      body: image.body)
    let file = try thread.file("m.mms", SampleThread.incoming([part, SampleThread.text("one")]))
    try thread.scratch.file("out/thesis.jpg", "mine")
    try thread.scratch.file("out/text_2.txt", "mine too")
    let out = thread.scratch("out")
    var written: [String] = []
    for _ in 0..<2 {
      let output = try Command.run(["modules", file, "-o", out, "--json"])
      #expect(output.status == 0, "\(output.errors)")
      written += modules(try #require(output.records.first)).compactMap { $0["written"] as? String }
    }
    #expect(
      written.map { ($0 as NSString).lastPathComponent } == ["thesis_2.jpg", "text.txt", "thesis_3.jpg", "text_3.txt"])
    #expect(try String(contentsOfFile: out.text + "/thesis.jpg", encoding: .utf8) == "mine")
    #expect(try String(contentsOfFile: out.text + "/text_2.txt", encoding: .utf8) == "mine too")
    #expect(try Data(contentsOf: URL(fileURLWithPath: out.text + "/thesis_2.jpg")) == Data(image.body))
  }

  @Test("Of several messages each has a folder of its own; a notification has no parts") func partsOfSeveral() throws {
    let thread = try SampleThread()
    let one = try thread.file("one.mms", SampleThread.incoming([SampleThread.text("1")]))
    let two = try thread.file("two.mms", SampleThread.incoming([SampleThread.text("2")]))
    let wait = try thread.file("wait.mms", SampleThread.notification())
    let out = thread.scratch("out")
    let output = try Command.run(["modules", one, two, wait, fixture("IMG_0001.jpg"), "-o", out, "--json"])
    #expect(output.status == 0, "\(output.errors)")
    #expect(thread.scratch.files(below: "out") == ["one/text.txt", "two/text.txt"])
    #expect(try Command.run(["modules", one, "-o", ""]).status == 64)
  }

  @Test("On a terminal a message is its headers and a table, and untrusted text has no effect on the terminal")
  func table() throws {
    let thread = try SampleThread()
    let text = SampleThread.text("red \u{1B}[31m\nat a.de")
    let file = try thread.file("m.mms", SampleThread.incoming([text], subject: "Hi\u{07}"))
    let output = try Command.run(["modules", file, "--table"], environment: ["COLUMNS": "120"]).output
    #expect(output.hasPrefix("File     \(file.text)\nType     m-retrieve-conf\n"), "\(output)")
    #expect(output.contains("From     +15551234567\n"))
    #expect(output.contains("Subject  Hi\\u{7}\n"))
    #expect(output.contains("  red \\u{1B}[31m\\nat a.de\n  url http://a.de\n"))
    #expect(!output.contains("\u{1B}"))
    #expect(!output.contains("\u{07}"))
  }

  @Test("R-MMS-33: a name is shown with its extension; an unreadable file keeps its name") func gone() throws {
    let thread = try SampleThread()
    let (_, records) = try records([thread.scratch("holiday.jpg")])
    #expect(modules(try #require(records.first)).first?["filename"] as? String == "holiday.jpg.bin")
  }
}

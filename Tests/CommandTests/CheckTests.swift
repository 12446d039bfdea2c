internal import AttachmentPolicy
internal import FileSupport
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import MediatoolCommand

@Suite("check") struct CheckTests {
  private func record(_ output: Command.Output) throws -> [String: Any] { try #require(try output.records.first) }

  private func files(_ record: [String: Any]) -> [[String: Any]] { record["files"] as? [[String: Any]] ?? [] }

  private func codes(_ record: [String: Any]) -> [[String]] {
    files(record).map { ($0["reasons"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String } }
  }

  @Test("The result is one JSON object as designed, and the status states whether all files are accepted") func json()
    throws
  {
    let roll = try CameraRoll.varied()
    let good = roll.path.appending("IMG_0001.jpg".utf8)
    let beach = roll.path.appending("beach.mp4".utf8)
    let all = try Command.run(["check", good])
    #expect(
      all.output
        == #"{"accepted":true,"files":[{"accepted":true,"path":"\#(good.text)","reasons":[]}],"remaining":9,"suggestions":[]}"#
        + "\n")
    #expect(all.status == 0)
    let some = try Command.run(["check", good, beach, "--json"])
    #expect(some.status == 2)
    #expect(
      some.output
        == #"{"accepted":false,"files":[{"accepted":true,"path":"\#(good.text)","reasons":[]},"#
        + #"{"accepted":false,"path":"\#(beach.text)","reasons":[{"actual":137363456,"code":"fileTooLarge","limit":104857600}]}],"#
        + #""remaining":9,"suggestions":[{"action":"drop","files":["\#(beach.text)"]}]}"# + "\n")
  }

  @Test(
    "C21, C24: mattermost accepts a damaged image as a file, and a type other than the name's; photo-tray refuses both")
  func mattermost() throws {
    let scratch = try Scratch()
    let named = scratch("photo.txt")
    try FileManager.default.copyItem(atPath: Fixture.path("color/grey.jpg"), toPath: named.text)
    let files = [PathBytes(Fixture.path("camera-roll/IMG_0010.jpg")), named]
    let lenient = try Command.run(["check", "--policy", "mattermost"] + files)
    #expect(lenient.status == 0, "\(lenient.output)")
    #expect(try codes(record(lenient)) == [[], []])
    let strict = try Command.run(["check"] + files)
    #expect(strict.status == 2)
    #expect(try codes(record(strict)) == [["unreadable"], ["typeMismatch"]])
  }

  @Test("The table uses plain sentences") func table() throws {
    let roll = try CameraRoll.varied()
    let paths = ["IMG_0001.jpg", "beach.mp4", "IMG_0010.jpg"].map { roll.path.appending($0.utf8) }
    let output = try Command.run(["check", "--table"] + paths, environment: ["COLUMNS": "200"])
    #expect(output.status == 2)
    #expect(output.output.contains("beach.mp4 is 137 MB; the limit is 105 MB (100 MiB)\n"))
    #expect(output.output.contains("IMG_0010.jpg is truncated\n"))
    #expect(output.output.contains("To send the other files: remove beach.mp4, IMG_0010.jpg\n"))
    #expect(output.errors == "mediatool: 1 of 3 files can be sent, 9 more can be added\n")
  }

  @Test("Names that are wide, long or right-to-left keep the columns aligned") func columns()
    throws
  {
    let scratch = try Scratch()
    let long = String(repeating: "a", count: 120)
    let names = ["日本語の写真ファイルの長い名前です.jpg", "👨‍👩‍👧‍👦 🏖️.jpg", "תמונה.jpg", "e\u{301}.jpg", "\(long).jpg", "a.jpg"]
    let paths = try names.map { try scratch.file("x/" + $0, "") } + [scratch.file("x/b.txt"), scratch.file("y/c.txt")]
    let output = try Command.run(["check", "--table"] + paths, environment: ["COLUMNS": "60"])
    let rows = output.output.split(separator: "\n").filter { !$0.hasPrefix("  ") }.prefix(9)
    for row in rows {
      // Two cells of space, the second column, two cells of space.
      let place = DisplayWidth.of(
        row.prefix(upTo: row.firstRange(of: #/  (no|ALLOWED|yes)$/#)?.lowerBound ?? row.endIndex))
      #expect(place == 51, "\(row)")
    }
    #expect(!output.output.contains(long), "a long name is shortened in its sentence too")
    #expect(output.output.contains("c.txt is a duplicate of b.txt\n"), "and folders are left out of it")
  }

  @Test("C4, D6.8: --policy takes a preset; Mattermost's accepts all or nothing") func presets() throws {
    let roll = try CameraRoll.varied()
    let output = try Command.run([
      "check", "--policy", "mattermost", roll.path.appending("IMG_0001.jpg".utf8),
      roll.path.appending("beach.mp4".utf8),
    ])
    #expect(try codes(record(output)) == [["batchRefused"], ["fileTooLarge"]])
    let mms = try Command.run(["check", "--policy", "mms-300k", roll.path.appending("beach.mp4".utf8)])
    #expect(try codes(record(mms)) == [["messageTooLarge"]])
  }

  @Test("--policy takes a file; its errors are reported, and nothing is checked") func policyFiles() throws {
    let scratch = try Scratch()
    let text = try scratch.file("a.txt")
    let rules = try scratch.file("rules.json", #"{"allowedKinds":["image"]}"#)
    let output = try Command.run(["check", "--policy", rules, text])
    #expect(try codes(record(output)) == [["kindNotAllowed"]])
    #expect(output.status == 2)
    for (content, word) in [
      ("{", "cannot be read"), (#"{"maxFileByte":1}"#, "maxFileByte"), (#"{"maxPixels":"many"}"#, "maxPixels"),
    ] {
      let wrong = try scratch.file("wrong.json", content)
      let output = try Command.run(["check", "--policy", wrong, text])
      #expect(output.status == 64, "\(output.errors)")
      #expect(output.errors.contains(word), "\(output.errors)")
      #expect(output.output == "", "\(output.errors)")
    }
    // What is there and no rules says why; nothing is waited for.
    let pipe = try scratch.fifo("pipe")
    let long = try scratch.file("long.json", String(repeating: " ", count: 1_048_577))
    for (path, word) in [
      (scratch.path, "cannot be read"), (pipe, "cannot be read"), (long, "larger than the limit of 1.0 MB (1 MiB)"),
    ] {
      let output = try Command.run(["check", "--policy", path, text])
      #expect(output.status == 64, "\(output.errors)")
      #expect(output.errors.contains(word), "\(output.errors)")
    }
    let none = try Command.run(["check", "--policy", "fax", text])
    #expect(none.status == 64)
    #expect(none.errors.contains("mms-300k"))
  }

  @Test("D6.9: equal content is found under any name, and only if the policy requires it") func duplicates()
    throws
  {
    let scratch = try Scratch()
    let paths = try [("a.txt", "hello\n"), ("b.txt", "world\n"), ("c.txt", "hello\n"), ("d.txt", "longer\n")].map {
      try scratch.file($0, $1)
    }
    let output = try Command.run(["check"] + paths)
    let record = try record(output)
    #expect(codes(record) == [[], [], ["duplicate"], []])
    let reason = (files(record)[2]["reasons"] as? [[String: Any]])?.first
    #expect(reason?["of"] as? String == paths[0].text)
    #expect(try Command.run(["check", "--policy", "mattermost"] + paths + [paths[0]]).status == 0)
    #expect(
      try codes(self.record(Command.run(["check", "-", paths[0]], input: Array("hello\n".utf8)))) == [
        [], ["duplicate"],
      ])
  }

  @Test("R-MYM-20: type and size are those of the content, regardless of the name; missing files are refused")
  func truth()
    throws
  {
    let scratch = try Scratch()
    let page = try scratch.file("photo.jpg", "<!doctype html><html><script>alert(1)</script></html>")
    let empty = try scratch.file("empty.jpg", "")
    let output = try Command.run(["check", page, empty, scratch("none.jpg")])
    let record = try record(output)
    #expect(codes(record) == [["typeMismatch"], ["empty"], ["unreadable"]])
    let reason = (files(record)[0]["reasons"] as? [[String: Any]])?.first
    #expect(reason?["declared"] as? String == "jpg")
    #expect(reason?["actual"] as? String == "text/html")
    let missing = (files(record)[2]["reasons"] as? [[String: Any]])?.first
    #expect(missing?["failure"] as? String == "notFound")
    #expect(output.status == 2)
  }

  @Test("R-MYM-21: no preset is suggested that lets a mislabelled active SVG through") func active() throws {
    let scratch = try Scratch()
    let image = try scratch.file(
      "photo.jpg",
      #"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>"#)
    for policy in ["photo-tray", "mms-300k", "mail-25m"] {
      let output = try Command.run(["check", "--policy", PathBytes(policy), image])
      #expect(output.status == 2)
      let record = try record(output)
      #expect(codes(record) == [["typeMismatch"]])
      #expect((record["suggestions"] as? [Any])?.isEmpty == true, "\(policy): \(output.output)")
    }
  }

  @Test("R-CHAT-3: a real photo, voice message and video are accepted together, each kind under its own limits")
  func kinds() throws {
    let scratch = try Scratch()
    func fixture(_ name: String) -> PathBytes {
      PathBytes(Corpus.packageRoot.appendingPathComponent("testdata/camera-roll/\(name)").path)
    }
    let files = ["IMG_0001.jpg", "Voice 001.m4a", "VID_0008.mp4", "sticker.webp"].map(fixture)
    #expect(try Command.run(["check"] + files).status == 0)
    let probed = try Command.run(["probe", "--json"] + files).records
    let (voice, video) = (probed[1], probed[2])
    let seconds = try #require(voice["duration"] as? Double)
    #expect(voice["kind"] as? String == "audio")
    #expect(video["kind"] as? String == "video")
    func codes(_ limits: String) throws -> [[String]] {
      let rules = try scratch.file("rules.json", "{\"kindLimits\":{\(limits)}}")
      return try self.codes(record(Command.run(["check", "--policy", rules] + files)))
    }
    #expect(try codes("\"audio\":{\"maxDuration\":\(seconds)},\"video\":{\"maxFileBytes\":38048}") == [[], [], [], []])
    #expect(
      try codes("\"audio\":{\"maxDuration\":\(seconds - 0.01)},\"video\":{\"maxFileBytes\":38047}")
        == [[], ["tooLong"], ["fileTooLarge"], []])
  }

  @Test(
    "R-CHAT-13: a real image that is too large is refused with its limits, and accepted when it was resized to them")
  func resizing() throws {
    let scratch = try Scratch()
    let image = PathBytes(Corpus.packageRoot.appendingPathComponent("testdata/camera-roll/IMG_0001.jpg").path)
    let rules = try scratch.file("rules.json", #"{"maxPixels":30000,"maxFileBytes":20000}"#)
    let refused = try record(Command.run(["check", "--policy", rules, image]))
    #expect(codes(refused) == [["fileTooLarge", "tooManyPixels"]])
    let suggestions = try #require(refused["suggestions"] as? [[String: Any]])
    let shrink = try #require(suggestions.first { $0["action"] as? String == "shrink" })
    let (pixels, bytes) = (try #require(shrink["maxPixels"] as? Int), try #require(shrink["maxBytes"] as? Int))
    let side = Int(Double(pixels).squareRoot())
    let out = scratch("out")
    let made = try Command.run([
      "thumbnail", image, "-o", out, "--format", "jpeg", "--size", PathBytes("\(side)x\(side)"), "--max-bytes",
      PathBytes("\(bytes)"),
    ])
    #expect(made.status == 0, "\(made.errors)")
    let file = try #require(scratch.files(below: "out").first)
    let accepted = try Command.run(["check", "--policy", rules, out.appending(file.utf8)])
    #expect(accepted.status == 0, "\(accepted.output)")
  }

  @Test("R-MYM-20: what a client says of a video changes neither its type, its size nor its duration") func claimed()
    throws
  {
    let scratch = try Scratch()
    let video = Corpus.packageRoot.appendingPathComponent("testdata/camera-roll/VID_0008.mp4")
    let lie = scratch("holiday.jpg")
    try FileManager.default.copyItem(atPath: video.path, toPath: lie.text)
    let rules = try scratch.file("rules.json", #"{"maxFileBytes":1000,"maxDuration":1,"allowedKinds":["image"]}"#)
    let record = try record(Command.run(["check", "--policy", rules, lie]))
    #expect(codes(record) == [["kindNotAllowed", "typeMismatch", "fileTooLarge", "tooLong"]])
    let facts = try #require(try Command.run(["probe", "--json", lie]).records.first)
    #expect(facts["type"] as? String == "video/mp4")
    #expect(facts["bytes"] as? Int == 38_048)
    #expect((facts["mismatch"] as? [String: Any])?["declared"] as? String == "jpg")
  }

  @Test("Untrusted names reach a terminal as harmless text") func names() throws {
    let scratch = try Scratch()
    let file = try scratch.file("\u{1B}[31mred\u{202E}.jpg", "")
    let output = try Command.run(["check", "--table", file])
    #expect(!output.output.contains("\u{1B}"))
    #expect(!output.output.contains("\u{202E}"))
    #expect(output.output.contains(#"\u{1B}[31mred\u{202E}.jpg is empty"#))
  }

  @Test func `Sizes that would look the same are reported to the byte`() {
    #expect(
      RefusalSentence.text(.fileTooLarge(limit: 104_857_600, actual: 104_857_601), name: "a")
        == "a is 104,857,601 bytes; the limit is 104,857,600 bytes")
    #expect(RefusalSentence.grouped(-1_234_567) == "-1,234,567")
    #expect(RefusalSentence.grouped(999) == "999")
  }
}

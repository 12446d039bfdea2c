internal import FileSupport
internal import Foundation
internal import TestSupport
internal import Testing

extension ComposeTests {
  @Test("An unreadable file is reported, and nothing is composed without it") func missing() throws {
    let scratch = try Scratch()
    let out = scratch.path.appending("m.mms".utf8)
    let gone = scratch.path.appending("gone.jpg".utf8)
    let output = try Command.run(["compose", "--to", number, photo("IMG_0001.jpg"), gone, "-o", out])
    #expect(output.status == 1)
    let error = try #require((try record(output)["errors"] as? [[String: Any]])?.first)
    #expect(error["file"] as? String == gone.text)
    #expect((error["error"] as? [String: Any])?["code"] as? String == "notFound")
    #expect(!FileManager.default.fileExists(atPath: out.text))
  }

  /// The attachments of a plan, by the names of their files.
  private func names(_ output: Command.Output) throws -> [String] {
    let changes = try #require(try record(output)["changes"] as? [[String: Any]])
    return changes.compactMap { ($0["file"] as? String).map { ($0 as NSString).lastPathComponent } }
  }

  private func copy(_ file: PathBytes, to name: String, in scratch: Scratch) throws {
    let place = try scratch.file(name, "")
    try Data(contentsOf: URL(fileURLWithPath: file.text)).write(to: URL(fileURLWithPath: place.text))
  }

  @Test("Folders and lists work as in every command: a folder is replaced by its files, the list comes last")
  func folders() throws {
    let scratch = try Scratch()
    for name in ["in/b.jpg", "in/a.jpg", "in/.hidden/c.jpg"] { try copy(photo("IMG_0001.jpg"), to: name, in: scratch) }
    let list = try scratch.file("list", "\(photo("IMG_0003.jpg").text)\0")
    let folder = scratch.path.appending("in".utf8)
    let output = try Command.run([
      "compose", "--to", number, photo("IMG_0002.jpg"), "--text", "x", folder, "--files-from", list, "-0", "--dry-run",
      "--profile", "image-basic",
    ])
    #expect(output.status == 0, "\(output.errors)")
    #expect(try names(output) == ["IMG_0002.jpg", "a.jpg", "b.jpg", "IMG_0003.jpg"])
    #expect(try Command.run(["compose", "-0", "--dry-run"]).status == 64)
  }

  @Test("More files than the carrier accepts are refused before anything is encoded") func tooMany() throws {
    let scratch = try Scratch()
    let tight = try scratch.file("two.json", #"{"name":"two","maxAttachments":2}"#)
    for name in ["in/a.jpg", "in/b.jpg", "in/c.jpg"] { try copy(photo("IMG_0001.jpg"), to: name, in: scratch) }
    let folder = scratch.path.appending("in".utf8)
    let output = try Command.run(["compose", "--to", number, folder, "--dry-run", "--profile", tight])
    #expect(output.status == 2)
    let answer = try record(output)
    #expect(codes(answer) == ["tooLarge", "tooManyAttachments"] || codes(answer) == ["tooManyAttachments"])
    #expect((answer["changes"] as? [Any])?.isEmpty == true)
    for number in 0..<1_001 { _ = try scratch.file("many\(number).txt", "x") }
    #expect(try Command.run(["compose", "--to", number, scratch.path, "--dry-run"]).status == 64)
  }
}

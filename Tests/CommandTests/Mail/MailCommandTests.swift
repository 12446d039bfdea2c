internal import FileSupport
internal import Foundation
internal import Mail
internal import MediaEngine
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediatoolCommand

@Suite("mediatool mail") struct MailCommandTests {
  private static let boundary = "b"

  /// A mail with a text, a photo and a file inside of the text.
  private func mail(photo: Data = Data([1, 2, 3])) -> String {
    """
    From: Ana <ana@example.org>\r
    To: b@example.org\r
    Subject: =?utf-8?Q?caf=C3=A9?=\r
    Content-Type: multipart/mixed; boundary=b\r
    \r
    --b\r
    \r
    Hello, see example.org\r
    begin 644 a.txt\r
    #0V%T\r
    `\r
    end\r
    --b\r
    Content-Type: image/jpeg; name="../pier.jpg"\r
    Content-Transfer-Encoding: base64\r
    \r
    \(photo.base64EncodedString())\r
    --b--\r

    """
  }

  private func run(_ arguments: [PathBytes], input: String? = nil) throws -> Command.Output {
    try Command.run(["mail"] + arguments, input: input.map { Array($0.utf8) } ?? [])
  }

  @Test("A mail has a line, and each of its parts, with the documented keys") func parts() throws {
    let scratch = try Scratch()
    let file = try scratch.file("a.eml", mail())
    let result = try run([file])
    #expect(result.status == 0)
    #expect(result.errors == "")
    let records = try result.records
    #expect(records[0]["subject"] as? String == "café")
    #expect(records[0]["from"] as? [String] == ["Ana <ana@example.org>"])
    #expect(records[0]["structure"] as? String == "(mixed text/plain image/jpeg)")
    #expect(records[0]["parts"] as? Int == 4)
    #expect(records.dropFirst().map { $0["section"] as? String } == ["TEXT", "1", "1.uu.1", "2"])
    #expect(records.dropFirst().map { $0["role"] as? String } == [nil, "body", "attachment", "attachment"])
    #expect(records[3]["name"] as? String == "a.txt")
    #expect(records[4]["name"] as? String == "../pier.jpg")
    #expect(records[4]["bytes"] as? Int == 3)
    #expect(records[4]["octets"] as? Int == 4)
    let table = try run([file, "--table"])
    #expect(table.output.contains("Subject  café"))
    #expect(table.output.contains("1.uu.1"))
  }

  @Test("A part of any size is extracted and digested in pieces; one that is too large for a module says so")
  func largePart() throws {
    let scratch = try Scratch()
    let bytes = MailInput.maxPartBytes + 1_000
    let head = """
      From: ana@example.org\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n\
      --b\r\nContent-Type: text/plain\r\n\r\nHello\r\n--b\r\nContent-Type: image/png; name=large.png\r\n\
      Content-Transfer-Encoding: binary\r\n\r\n
      """
    let file = try scratch.file("large.eml", head)
    // The part takes no disk: it is a hole.
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file.text))
    try handle.truncate(atOffset: UInt64(head.utf8.count + bytes))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data("\r\n--b--\r\n".utf8))
    try handle.close()
    let copy = scratch("part")
    try Data().write(to: URL(fileURLWithPath: copy.text))
    let extracted = try Command(["mail", file, "--extract", "2"], output: .file(copy.text))
    #expect(try extracted.finish().status == 0)
    #expect(try FileStatus(at: copy).bytes == bytes)
    let digests = try run([file, "--digest"]).records.compactMap { $0["sha256"] as? String }
    let summed = Process()
    let pipe = Pipe()
    (summed.executableURL, summed.arguments, summed.standardOutput) = (
      URL(fileURLWithPath: "/usr/bin/sha256sum"), [copy.text], pipe
    )
    try summed.run()
    let sum = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile().prefix(64), as: UTF8.self)
    summed.waitUntilExit()
    #expect(digests.last == sum)

    let modules = try Command.run(["modules", file])
    #expect(modules.status == 1)
    #expect(modules.output.contains("tooLarge"), "\(modules.output)")
    #expect(modules.output.contains("52 MB (50 MiB)"), "\(modules.output)")
  }

  @Test("A part's bytes and the text of a mail go to standard output") func content() throws {
    let scratch = try Scratch()
    let file = try scratch.file("a.eml", mail())
    #expect(Array(try run([file, "--extract", "2"]).output.utf8) == [1, 2, 3])
    #expect(try run([file, "--extract", "1.uu.1"]).output == "Cat")
    #expect(try run(["-", "--text"], input: mail()).output.hasPrefix("Hello, see example.org\n"))
    #expect(try run([file, "--text", "--json"]).records[0]["text"] as? String == "Hello, see example.org\n")
    let digests = try run([file, "--digest"]).records.compactMap { $0["sha256"] as? String }
    #expect(digests.last == "039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81")
    #expect(digests.count == 3)
    let missing = try run([file, "--extract", "9"])
    #expect(missing.status == 1)
    #expect(missing.output == "")
    #expect(missing.errors.contains("The e-mail has no part 9; it has TEXT, 1, 2, 1.uu.1."))
  }

  @Test("An mbox has several mails, and a folder those of its Maildirs") func folders() throws {
    let scratch = try Scratch()
    let mbox = try scratch.file("all.mbox", "From a Mon\n\(mail())\nFrom b Tue\n\(mail())")
    let records = try run([mbox]).records
    #expect(records.filter { $0["structure"] != nil }.map { $0["number"] as? Int } == [1, 2])
    try scratch.folder("Maildir/cur")
    try scratch.folder("Maildir/new")
    try scratch.folder("Maildir/tmp")
    for name in ["cur/1:2,S", "new/2", "tmp/3", "dovecot.index"] { try scratch.file("Maildir/\(name)", mail()) }
    let found = try run([scratch("Maildir")])
    #expect(found.status == 0)
    #expect(try found.records.filter { $0["structure"] != nil }.count == 2)
  }

  @Test("BODYSTRUCTURE lines give the same records, with estimated sizes") func bodyStructure() throws {
    let lines = """
      * 1 FETCH (BODYSTRUCTURE ("image" "png" ("name" {3}\r
      a)b) NIL NIL "base64" 78))\r
      (("text" "plain" NIL NIL NIL "7bit" 2 1)("message" "rfc822" NIL NIL NIL "7bit" 9 (NIL "x" NIL NIL NIL NIL NIL NIL NIL NIL) ("text" "html" NIL NIL NIL "7bit" 1 1) 2) "mixed")\r

      """
    let result = try run(["-", "--bodystructure"], input: lines)
    let records = try result.records
    #expect(
      records.compactMap { $0["structure"] as? String } == ["image/png", "(mixed text/plain [message text/html])"])
    #expect(records[1]["name"] as? String == "a)b")
    #expect(records[1]["bytes"] as? Int == 57)
    #expect(records[1]["bytesAreEstimated"] as? Bool == true)
  }

  @Test("A file that cannot be read has an error, and options that do not fit are refused") func errors() throws {
    let result = try run(["/nonexistent.eml"])
    #expect(result.status == 1)
    #expect((try result.records[0]["error"] as? [String: String])?["code"] == "notFound")
    for arguments: [PathBytes] in [
      [], ["a", "--text", "--extract", "1"], ["a", "--bodystructure", "--text"], ["a", "b", "--extract", "1"],
      ["a", "--json", "--table"],
    ] { #expect(try run(arguments).status == 64) }
  }

  @Test("A file that becomes shorter while it is read fails, and does not end the command") func shortened() throws {
    let scratch = try Scratch()
    let path = try scratch.file("a.eml", mail(photo: Data(repeating: 7, count: 2_000_000)))
    let file = try MailFile(Input(path: path, content: .file), stop: try StopSignal())
    let whole = MailInput.structure(of: file.source)
    try file.check()
    #expect(truncate(path.text, 100) == 0)
    let rest = MailInput.structure(of: file.source)
    #expect(rest.header == whole.header)
    do throws(MediaFailure) {
      try file.check()
      Issue.record("a file that became shorter was read")
    } catch {
      #expect(error.code == .unreadable)
      #expect(error.detail == "the file became shorter while it was read")
    }
  }

  @Test("A text on a terminal has no character that the terminal acts on") func escapes() throws {
    let result = try run(["-", "--text", "--table"], input: "\r\na\u{1B}[31mb\r\n")
    #expect(!result.output.contains("\u{1B}"))
  }

  @Test("modules shows a mail as a received message, with thumbnails of its images") func modules() throws {
    let scratch = try Scratch()
    let photo = Corpus.packageRoot.appendingPathComponent("testdata/camera-roll/IMG_0003.jpg")
    let file = try scratch.file("a.eml", mail(photo: try Data(contentsOf: photo)))
    let result = try Command.run(["modules", file, "--json", "-o", scratch("out")])
    #expect(result.status == 0)
    let record = try #require(try result.records.first)
    #expect(record["type"] as? String == "mail")
    #expect(record["direction"] as? String == "incoming")
    #expect(record["subject"] as? String == "café")
    let modules = try #require(record["modules"] as? [[String: Any]])
    #expect(modules.map { $0["kind"] as? String } == ["text", "image", "other"])
    #expect(modules.map { $0["filename"] as? String } == [nil, "pier.jpg", "a.txt"])
    #expect((modules[1]["thumbnail"] as? String)?.hasPrefix("data:image/webp") == true)
    #expect(try Data(contentsOf: URL(fileURLWithPath: scratch("out/pier.jpg").text)) == Data(contentsOf: photo))
    #expect(try String(contentsOfFile: scratch("out/a.txt").text, encoding: .utf8) == "Cat")
  }

  @Test("modules shows each e-mail of an mbox and of a Maildir as a message, and probe recognises both")
  func modulesOfMany() throws {
    let scratch = try Scratch()
    let separator = "From ana@example.org Mon Nov 23 09:30:00 2026\r\n"
    let second = "\r\n" + separator + "Subject: 2\r\n\r\nBye\r\n"
    let mbox = try scratch.file("all.mbox", separator + mail() + second)
    let result = try Command.run(["modules", mbox, "--json", "-o", scratch("out")])
    #expect(try result.records.map { $0["number"] as? Int } == [1, 2])
    #expect(try result.records.map { $0["subject"] as? String } == ["café", "2"])
    #expect(try result.records.map { $0["type"] as? String } == ["mail", "mail"])
    #expect(try String(contentsOfFile: scratch("out/all/2/text.txt").text, encoding: .utf8).contains("Bye"))
    #expect(try Command.run(["probe", mbox]).records.first?["type"] as? String == "application/mbox")
    // The second mail has no field that a signature knows.
    _ = try scratch.file("Maildir/cur/1.x:2,S", mail())
    _ = try scratch.file("Maildir/new/2.x", "X-A: 1\r\nX-Subject: 2\r\n\r\nBye\r\n")
    let found = try Command.run(["modules", scratch("Maildir"), "--json"])
    #expect(try found.records.map { $0["type"] as? String } == ["mail", "mail"])
    #expect(try Command.run(["probe", scratch("Maildir/cur")]).records.first?["type"] as? String == "message/rfc822")
  }
}

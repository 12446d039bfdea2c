internal import AttachmentPolicy
internal import FileSupport
internal import Foundation
internal import Glibc
internal import MMSCodec
internal import MediaModel
internal import Messaging
internal import MetadataStripping
internal import TestSupport
internal import Testing

@testable internal import MediatoolCommand

@Suite("compose") struct ComposeTests {
  let number: PathBytes = "+15551234567"

  func record(_ output: Command.Output) throws -> [String: Any] { try #require(try output.records.first) }

  func codes(_ record: [String: Any]) -> [String] {
    (record["blockers"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
  }

  func photo(_ name: String) -> PathBytes { PathBytes(Fixture.path("camera-roll/\(name)")) }

  func message(_ path: PathBytes) throws -> MMSMessage {
    var defects: [MMSMessage.Defect] = []
    let octets = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path.text)))
    let message = try MMSMessage(decoding: octets[...], defects: &defects)
    #expect(defects.isEmpty)
    return message
  }

  @Test("The written message is the composed one, within the limit, and Wireshark reports no error")
  func written() throws {
    let scratch = try Scratch()
    let out = scratch.path.appending("m.mms".utf8)
    let audio = photo("Voice 001.m4a")
    let output = try Command.run([
      "compose", "--to", number, "--to", "ada@example.org", "--subject", "Été", "--text", "First",
      photo("IMG_0001.jpg"),
      "--text", "Then", photo("IMG_0002.jpg"), audio, "-o", out, "--delivery-report",
    ])
    #expect(output.status == 0, "\(output.errors)")
    #expect(output.errors == "", "\(output.errors)")
    let answer = try record(output)
    let octets = try [UInt8](Data(contentsOf: URL(fileURLWithPath: out.text)))
    #expect(answer["bytes"] as? Int == octets.count)
    #expect(octets.count <= 307_200)
    #expect(answer["type"] as? String == "mms")
    #expect(answer["canSend"] as? Bool == true)
    #expect(answer["written"] as? String == out.text)
    let message = try message(out)
    #expect(message.type == .sendReq)
    #expect(message[all: .to].map(\.text) == ["+15551234567/TYPE=PLMN", "ada@example.org"])
    #expect(message[.subject]?.text == "Été")
    #expect(message[.deliveryReport] == true)
    let slides = MessageSlides(of: message)
    #expect(slides.order == .presentation)
    #expect(slides.slides.map { $0.text?.text } == ["First", "Then", nil, nil])
    #expect(
      slides.slides.map { $0.media?.contentType.mediaType.rawValue } == [nil, "image/jpeg", "image/jpeg", "audio/mp4"])
    // An audio file only loses its metadata.
    let file = MetadataStripper.strip(
      try [UInt8](Data(contentsOf: URL(fileURLWithPath: audio.text))), type: MediaType("audio/mp4"))
    #expect(slides.slides.last.flatMap { $0.media.map { Array($0.body) } } == file)
    try dissect(octets)
  }

  /// Wireshark's own opinion.
  private func dissect(_ octets: [UInt8]) throws {
    // A packet of a capture file has no more.
    try #require(octets.count < 262_144)
    let names = ["mmse.message_type", "mmse.to", "wsp.header.content_type"]
    let found = try #require(try Dissector.fields(names, of: [octets]).first)
    #expect(found["_ws.malformed"] == [])
    #expect(found["_ws.lua.text"] == [])
    #expect(found["mmse.message_type"] == ["0x80"])
    #expect(found["mmse.to"] == ["+15551234567/TYPE=PLMN", "ada@example.org"])
    let types = found["wsp.header.content_type"]?.joined(separator: " ") ?? ""
    #expect(["application/smil", "image/jpeg", "audio/mp4"].allSatisfy(types.contains), "\(types)")
  }

  @Test("--dry-run prints the JSON as designed, and writes nothing") func plan() throws {
    let scratch = try Scratch()
    let output = try Command.run(
      ["compose", "--to", number, photo("IMG_0001.jpg"), "--dry-run", "--json", "--profile", "image-rich"],
      folder: scratch.path)
    #expect(output.status == 0)
    let answer = try record(output)
    #expect(
      Set(answer.keys)
        == ["type", "reasons", "bytes", "limit", "profile", "sizeState", "canSend", "blockers", "changes"])
    #expect(answer["limit"] as? Int == 102_400)
    #expect(answer["sizeState"] as? String == "under")
    #expect((answer["reasons"] as? [[String: Any]])?.compactMap { $0["code"] as? String } == ["attachment"])
    let change = try #require((answer["changes"] as? [[String: Any]])?.first)
    #expect(change["file"] as? String == photo("IMG_0001.jpg").text)
    let (from, to) = (change["from"] as? [String: Any], change["to"] as? [String: Any])
    #expect(from?["type"] as? String == "image/jpeg")
    #expect(to?["type"] as? String == "image/jpeg")
    #expect(try #require(to?["width"] as? Int) <= 640)
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path.text).isEmpty)
  }

  @Test("Equal messages have equal plans, in workers and in process") func deterministic() throws {
    let arguments: [PathBytes] = [
      "compose", "--to", number, photo("IMG_0001.jpg"), photo("IMG_0003.jpg"), photo("sticker.webp"), "--dry-run",
      "--profile", "image-rich",
    ]
    let one = try Command.run(arguments)
    #expect(one.status == 0)
    #expect(try Command.run(arguments).output == one.output)
    #expect(try Command.run(arguments + ["--in-process"]).output == one.output)
  }

  @Test("The table uses plain words") func table() throws {
    let output = try Command.run(
      ["compose", "--to", number, photo("IMG_0001.jpg"), "--dry-run", "--table", "--profile", "image-rich"],
      environment: ["COLUMNS": "200"])
    #expect(output.output.contains("IMG_0001.jpg"))
    #expect(output.output.contains(" of at most 102 kB (100 KiB), profile image-rich"))
    #expect(output.output.contains("SIMILAR"))
  }

  @Test("Text alone is sent as SMS: the plan states so, and there is no PDU") func sms() throws {
    let scratch = try Scratch()
    let plan = try Command.run(["compose", "--to", number, "--text", "Hello", "--dry-run"])
    #expect(plan.status == 0)
    let answer = try record(plan)
    #expect(answer["type"] as? String == "sms")
    #expect(answer["bytes"] as? Int == 5)
    #expect(answer["limit"] == nil)
    #expect((answer["segments"] as? [String: Any])?["count"] as? Int == 1)
    let out = scratch.path.appending("m.mms".utf8)
    let written = try Command.run(["compose", "--to", number, "--text", "Hello", "-o", out])
    #expect(written.status == 2)
    #expect(written.errors.contains("is an SMS, which has no PDU"))
    #expect(!FileManager.default.fileExists(atPath: out.text))
  }

  @Test("A message that cannot be sent is refused with a code, and nothing is written") func blockers() throws {
    let scratch = try Scratch()
    let out = scratch.path.appending("m.mms".utf8)
    let long = PathBytes(String(repeating: "s", count: 41))
    let refused = try Command.run([
      "compose", "--to", "nobody", "--subject", long, photo("IMG_0001.jpg"), "-o", out,
    ])
    #expect(refused.status == 2)
    #expect(try codes(record(refused)) == ["invalidRecipients", "subjectTooLong"])
    let video = photo("MOV_0009.mov")
    let tight = try scratch.file("tight.json", #"{"name":"tight","maxMessageBytes":3000}"#)
    let full = try Command.run(["compose", "--to", number, video, photo("notes.txt"), "--profile", tight, "-o", out])
    #expect(full.status == 2)
    let blocker = try #require((try record(full)["blockers"] as? [[String: Any]])?.first)
    #expect(blocker["code"] as? String == "cannotFit")
    #expect(blocker["remove"] as? [String] == [video.text])
    #expect(try codes(record(Command.run(["compose", photo("notes.txt"), "--dry-run"]))) == ["noRecipient"])
    #expect(!FileManager.default.fileExists(atPath: out.text))
  }

  @Test("R-MMS-2: a message with an unusable recipient is sent to nobody, and the blocker names it")
  func unusableRecipients() throws {
    let scratch = try Scratch()
    let out = scratch.path.appending("m.mms".utf8)
    let output = try Command.run(["compose", "--to", number, "--to", "nobody", photo("notes.txt"), "-o", out])
    #expect(output.status == 2)
    let blocker = try #require((try record(output)["blockers"] as? [[String: Any]])?.first)
    #expect(blocker["code"] as? String == "invalidRecipients")
    #expect(blocker["addresses"] as? [String] == ["nobody"])
    #expect(!FileManager.default.fileExists(atPath: out.text))
    // As by a variable that is not set.
    let empty = try Command.run(["compose", "--to", number, "--to", "", photo("notes.txt"), "-o", out])
    #expect(empty.status == 64)
    #expect(empty.errors.contains("--to is empty"), "\(empty.errors)")
  }

  @Test("Old phones get AMR, encoded by a worker without access to files, or AAC if there is no AMR encoder") func amr()
    throws
  {
    let scratch = try Scratch()
    let tight = try scratch.file("tight.json", #"{"name":"tight","maxMessageBytes":9000}"#)
    let arguments: [PathBytes] = [
      "compose", "--to", number, PathBytes(Fixture.path("audio/steps-f32.wav")), "--dry-run", "--profile", tight,
    ]
    let output = try Command.run(arguments)
    #expect(output.status == 0, "\(output.errors) \(output.output)")
    let change = try #require((try record(output)["changes"] as? [[String: Any]])?.first)
    let type = (change["to"] as? [String: Any])?["type"] as? String
    let hasAMR = dlopen("libopencore-amrnb.so.0", RTLD_LAZY) != nil
    if !hasAMR { print("libopencore-amrnb is not installed: AAC in place of AMR is tested") }
    #expect(type == (hasAMR ? "audio/amr" : "audio/3gpp"))
    #expect(try Command.run(arguments + ["--in-process"]).output == output.output)
  }

  @Test("Standard output gets the message and nothing else") func standardOutput() throws {
    let scratch = try Scratch()
    let out = try scratch.file("m.mms")
    let command = try Command(
      ["compose", "--to", number, photo("IMG_0001.jpg"), "-o", "-", "--profile", "image-rich"], output: .file(out.text))
    #expect(try command.finish().status == 0)
    #expect(try message(out).type == .sendReq)
  }

  @Test(arguments: [
    ["compose", "--dry-run", "-o", "x"], ["compose"], ["compose", "--dry-run", "--profile", "no-such"],
    ["compose", "-o", "folder/"],
  ])
  func `A wrong command line is refused`(arguments: [String]) throws {
    #expect(try Command.run(arguments.map { PathBytes($0) }).status == 64)
  }
}

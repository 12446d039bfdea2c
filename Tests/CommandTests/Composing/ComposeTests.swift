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
  private let number: PathBytes = "+15551234567"

  private func record(_ output: Command.Output) throws -> [String: Any] { try #require(try output.records.first) }

  private func codes(_ record: [String: Any]) -> [String] {
    (record["blockers"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
  }

  private func photo(_ name: String) -> PathBytes { PathBytes(Fixture.path("camera-roll/\(name)")) }

  private func message(_ path: PathBytes) throws -> MMSMessage {
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

  @Test("D6.10: a video that fits is sent without its location, and that is reported") func video() throws {
    let scratch = try Scratch()
    let out = scratch.path.appending("m.mms".utf8)
    let output = try Command.run([
      "compose", "--to", number, photo("VID_0008.mp4"), "--profile", "mms-600k", "-o", out,
    ])
    #expect(output.status == 0, "\(output.errors)")
    #expect(output.errors == "", "\(output.errors)")
    let changes = try #require(try record(output)["changes"] as? [[String: Any]])
    #expect(changes.map { $0["effects"] as? [String] } == [["stripped"]])
    let video = MessageSlides(of: try message(out)).slides.last?.media.map { Array($0.body) }
    let isBare = try video == VideoMetadataStripper.strip(Fixture.bytes("camera-roll/VID_0008.mp4"))
    #expect(video != nil)
    #expect(isBare)
  }

  @Test("A video that could not be re-encoded is sent without its metadata, or is refused", arguments: [true, false])
  func kept(isStripped: Bool) throws {
    var info = MediaInfo(type: MediaType("video/mp4"), bytes: 10_000)
    info.videoCodec = "hevc"
    let video = MediaAttachment(id: ComposeRecord.id(0), name: "v.mp4", info: info)
    let composition = MessageComposition(
      content: [.attachment(AttachmentDraft.Item(video))], recipients: [MessageRecipient("5551234")])
    var fit = MessageFit(composition, under: CarrierProfile(), transcodes: true)
    #expect(fit.next() == .strip([video.id]))
    fit.record(isStripped ? .stripped : .impossible, of: video.id)
    guard case .transcode = fit.next() else { throw MediaFailure(.unsupported, "Nothing is asked.") }
    fit.record(MediaFailure(.timedOut, "It took too long."), of: video.id)
    var record = ComposeRecord(
      composition: composition, profile: CarrierProfile(), subjectLength: nil, paths: ["/videos/v.mp4"])
    switch fit.next() {
    case .done(.fitted(let plan)):
      record.plan = plan
      #expect(isStripped)
      #expect(
        ComposeTable.summary(record).contains("Not re-encoded, metadata removed: v.mp4. It took too long."))
    case .done(.refused(let refusal)):
      record.refusal = refusal
      #expect(!isStripped)
      #expect(record.blockers.map(\.code) == ["metadata"])
      #expect(ComposeTable.summary(record).contains { $0.contains("v.mp4") && $0.contains("--metadata keep") })
    default: Issue.record("it did not end")
    }
  }

  @Test("D6.10: exiftool finds no location in anything that is sent with --metadata strip") func noLocation() throws {
    let scratch = try Scratch()
    let (ffmpeg, exiftool) = (
      try Tool("ffmpeg", package: "ffmpeg"), try Tool("exiftool", package: "libimage-exiftool-perl")
    )
    var files: [PathBytes] = []
    for name in ["tone.mp3", "tone.ogg", "tone.opus", "tone.flac", "tone.wav", "tone.m4a", "clip.mp4"] {
      let path = scratch("tagged-\(name)")
      _ = try ffmpeg.output([
        "-v", "error", "-nostdin", "-i", Fixture.path("formats/\(name)"), "-c", "copy", "-metadata",
        "location=+48.2082+016.3738/", "-metadata", "comment=GPS 48.2082 16.3738", "-metadata", "artist=Whoever",
        path.text,
      ])
      files.append(path)
    }
    let page = scratch("page.pdf")
    try Data(Fixture.bytes("formats/page.pdf")).write(to: URL(fileURLWithPath: page.text))
    _ = try exiftool.output([
      "-overwrite_original", "-q", "-XMP:GPSLatitude=48.2082", "-XMP:GPSLongitude=16.3738", "-PDF:Author=Whoever",
      page.text,
    ])
    files.append(page)
    files.append(
      try scratch.file(
        "ada.vcf",
        "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada\r\nTEL:+15551234567\r\nGEO:48.2082;16.3738\r\nNOTE:GPS 48.2082\r\nEND:VCARD\r\n"
      ))
    files.append(photo("IMG_0001.jpg"))
    let big = try scratch.file("big.json", #"{"name":"big","maxMessageBytes":9000000,"contentClass":"modern"}"#)
    let reveals = ["48.2", "16.37", "GPS Latitude", "GPSLatitude", "Whoever"]
    func revealed(_ paths: [PathBytes]) throws -> [String] {
      let output = try exiftool.run(["-ee", "-a", "-u", "-G1", "-n"] + paths.map(\.text)).text
      return output.split(separator: "\n").map(String.init).filter { line in reveals.contains { line.contains($0) } }
    }
    #expect(try revealed(files).count >= files.count, "the files have what is to be removed")

    let out = scratch("m.mms")
    let composed = try Command.run(["compose", "--to", number, "--profile", big] + files + ["-o", out, "--json"])
    #expect(composed.status == 0, "\(composed.errors) \(composed.output)")
    let parts = scratch("parts")
    let shown = try Command.run(["modules", out, "-o", parts, "--json"])
    #expect(shown.status == 0, "\(shown.errors)")
    let sent = scratch.files(below: "parts").map { parts.appending($0.utf8) }
    #expect(sent.count == files.count)
    #expect(try revealed(sent) == [])

    // With them, or not at all.
    let kept = try Command.run(
      ["compose", "--to", number, "--profile", big, "--metadata", "keep"] + files + ["-o", out, "--json"])
    #expect(kept.status == 0, "\(kept.errors)")
    _ = try Command.run(["modules", out, "-o", scratch("kept")])
    #expect(
      try revealed(scratch.files(below: "kept").map { scratch("kept").appending($0.utf8) }).count >= files.count - 1)
    let refused = try Command.run(
      ["compose", "--to", number, "--profile", big, "--metadata", "refuse"] + files + [
        "-o", scratch("n.mms"), "--json",
      ])
    #expect(refused.status == 2)
    #expect(try codes(record(refused)) == ["metadata"])
    #expect(!FileManager.default.fileExists(atPath: scratch("n.mms").text))
  }

  @Test("D6.10: what cannot be stripped is refused by name, not sent silently") func unstrippable() throws {
    let scratch = try Scratch()
    let document = PathBytes(Fixture.path("formats/letter.docx"))
    let out = scratch("m.mms")
    let refused = try Command.run(["compose", "--to", number, document, "-o", out, "--json"])
    #expect(refused.status == 2)
    let blocker = try #require((try record(refused)["blockers"] as? [[String: Any]])?.first)
    #expect(blocker["code"] as? String == "metadata")
    #expect(blocker["remove"] as? [String] == [document.text])
    #expect(!FileManager.default.fileExists(atPath: out.text))
    #expect(try Command.run(["compose", "--to", number, document, "-o", out, "--metadata", "keep"]).status == 0)
    #expect(try Command.run(["compose", "--to", number, document, "-o", out, "--metadata", "some"]).status == 64)
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
    #expect(output.output.contains(" of 102,400 bytes, profile image-rich"))
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

  @Test("Folders and lists work as in every verb: a folder is replaced by its files, the list comes last")
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

  @Test("Old phones get AMR, encoded by a worker without access to files, or AAC if there is no AMR encoder") func amr()
    throws
  {
    let scratch = try Scratch()
    let tight = try scratch.file("tight.json", #"{"name":"tight","maxMessageBytes":9000}"#)
    let arguments: [PathBytes] = [
      "compose", "--to", number, PathBytes(Fixture.path("sound/steps-f32.wav")), "--dry-run", "--profile", tight,
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
  func aWrongCommandLineIsRefused(arguments: [String]) throws {
    #expect(try Command.run(arguments.map { PathBytes($0) }).status == 64)
  }
}

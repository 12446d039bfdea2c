internal import AttachmentPolicy
internal import FileSupport
internal import Foundation
internal import MMSCodec
internal import MediaModel
internal import Messaging
internal import MetadataStripping
internal import TestSupport
internal import Testing

@testable internal import MediatoolCommand

extension ComposeTests {
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
    let isStripped = try video == VideoMetadataStripper.strip(Fixture.bytes("camera-roll/VID_0008.mp4"))
    #expect(video != nil)
    #expect(isStripped)
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
        ComposeTable.summary(record).contains("v.mp4 was not re-encoded; its metadata was removed. It took too long."))
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
    for file in files { #expect(try revealed([file]) != [], "\(file) has nothing that is to be removed") }

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
}

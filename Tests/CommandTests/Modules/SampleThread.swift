internal import FileSupport
internal import Foundation
internal import MMSCodec
internal import MediaModel
internal import Messaging
internal import TestSupport

@testable internal import MediatoolCommand

/// Messages on a disk as the tests of `modules` need them, of files of the fixtures under names of our choice.
final class SampleThread {
  static let hostileName = "<img src=x onerror=alert(1)>.jpg"
  static let hostileText = """
    </script><script>alert(1)</script><b>bold</b>
    javascript:alert(1) and <a href="javascript:alert(2)">x</a> are no links.
    See https://example.org/a?b=1&c="2" or write to anna@example.org, or call +1 555 123 4567.
    """
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// A part made of a file of `testdata`.
  static func part(_ fixture: String, type: String, name: String) throws -> MMSMessage.Part {
    let file = Corpus.packageRoot.appendingPathComponent("testdata/\(fixture)")
    return MMSMessage.Part(type: MediaType(type), name: name, body: Array(try Data(contentsOf: file)))
  }

  static func text(_ text: String, name: String = "text_0.txt") -> MMSMessage.Part {
    MMSMessage.Part(type: .plainText, name: name, body: Array(text.utf8))
  }

  /// A message in a file.
  @discardableResult
  func file(_ name: String, _ message: MMSMessage) throws -> PathBytes {
    let path = scratch(name)
    try Data(message.encoded()).write(to: URL(fileURLWithPath: path.text))
    return path
  }

  /// A message that came from that address.
  static func incoming(_ parts: [MMSMessage.Part], from: String = "+15551234567", subject: String? = nil) -> MMSMessage
  {
    var message = MMSMessage(.retrieveConf, transactionID: "T1")
    message[.date] = 1_714_554_000
    message[.from] = .address(EncodedString(MMSAddress(from, kind: .phone)))
    if let subject { message[.subject] = EncodedString(subject) }
    message.content = MMSMessage.Content(type: ContentType("application/vnd.wap.multipart.mixed"), parts: parts)
    return message
  }

  /// A message that was sent.
  static func outgoing(_ slides: [MessageSlides.Slide]) throws -> MMSMessage {
    var message = MMSMessage(.sendReq, transactionID: "T2")
    message[.date] = 1_714_557_600
    message[.from] = .insertAddress
    message[all: .to] = ["+15551234567", "+15557654321"].map { EncodedString(MMSAddress($0, kind: .phone)) }
    message.content = try MMSMessage.Content(presenting: slides)
    return message
  }

  /// A message that is still at the carrier's.
  static func notification() -> MMSMessage {
    var message = MMSMessage(.notificationInd, transactionID: "T3")
    message[.messageClass] = .personal
    message[.messageSize] = 307_200
    message[.expiry] = .relative(259_200)
    message[.contentLocation] = "http://mmsc.example/T3"
    message[.from] = .address(EncodedString(MMSAddress("+15551234567", kind: .phone)))
    return message
  }

  /// Everything a thread can show, in files, in their order.
  func varied() throws -> [PathBytes] {
    let slides = [
      MessageSlides.Slide(
        media: try Self.part("camera-roll/VID_0008.mp4", type: "video/mp4", name: "beach.mp4"),
        text: Self.text("We are at the beach 🏖️\nCome at six?")),
      MessageSlides.Slide(media: try Self.part("camera-roll/IMG_0003.jpg", type: "image/jpeg", name: "pier.jpg")),
    ]
    let others = try [
      Self.part("camera-roll/two-notes.mp3", type: "audio/mpeg", name: "two-notes.mp3"),
      Self.part("camera-roll/Voice 001.m4a", type: "audio/mp4", name: "Voice 001.m4a"),
      Self.part("camera-roll/MOV_0009.mov", type: "video/quicktime", name: "MOV_0009.mov"),
      Self.part("camera-roll/ada.vcf", type: "text/x-vCard", name: "ada.vcf"),
      MMSMessage.Part(
        type: MediaType("text/calendar"), name: "dinner.ics", body: Array("BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n".utf8)),
      Self.part("camera-roll/boarding-pass.pdf", type: "application/pdf", name: "boarding-pass.pdf"),
      MMSMessage.Part(type: .jpeg, name: "broken.jpg", body: [UInt8](0..<64)),
      MMSMessage.Part(type: MediaType("application/octet-stream"), name: "data.bin", body: [1, 2, 3, 0, 4, 5]),
    ]
    return [
      try file(
        "1.mms",
        Self.incoming(
          [
            Self.part("camera-roll/IMG_0001.jpg", type: "image/jpeg", name: Self.hostileName),
            Self.text(Self.hostileText),
          ], subject: "Saturday <i>evening</i>")),
      try file("2.mms", try Self.outgoing(slides)),
      try file("3.mms", Self.incoming(others)),
      try file("4.mms", Self.notification()),
      try scratch.file("5.mms", "this is not a message"),
    ]
  }

  /// The page of those files.
  func page(_ files: [PathBytes]) throws -> PathBytes {
    let page = scratch("messages.html")
    _ = try Command.run(["modules"] + files + ["--html", page, "--json"])
    return page
  }
}

internal import Foundation
internal import MMSCodec
internal import MediaModel
internal import TestSupport
internal import Testing

/// A user agent fetches, decodes and acknowledges what we write, and we read what it sends.
@Suite(.enabled(if: MMSDaemon.isPresent, "mmsd-tng is not installed"))
struct MMSDaemonTests {
  private static func retrieveConf(_ index: Int, subject: String, content: MMSMessage.Content) -> MMSMessage {
    var message = MMSMessage(.retrieveConf, transactionID: TextString("T\(index)"))
    message[.messageID] = TextString("m\(index)@example.org")
    message[.date] = 1_700_000_000
    message[.from] = .address(EncodedString(MMSAddress("+12065550101", kind: .phone)))
    message[.to] = EncodedString(MMSAddress("+12065550100", kind: .phone))
    message[.subject] = EncodedString(subject)
    message[.messageClass] = .personal
    message.content = content
    return message
  }

  private static func notification(_ index: Int) -> MMSMessage {
    var message = MMSMessage(.notificationInd, transactionID: TextString("T\(index)"))
    message[.from] = .address(EncodedString(MMSAddress("+12065550101", kind: .phone)))
    message[.messageClass] = .personal
    message[.messageSize] = 4_096
    message[.expiry] = .relative(259_200)
    message[.contentLocation] = TextString("http://relay/\(index)")
    return message
  }

  /// A WAP push of that PDU: transaction, push, headers, PDU.
  private static func push(_ pdu: [UInt8]) -> [UInt8] {
    let headers = octets("'application/vnd.wap.mms-message' 00 AF 84")
    return [0x01, 0x06, UInt8(headers.count)] + headers + pdu
  }

  private static func messages() throws -> [MMSMessage] {
    let image = (0..<3_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let slides = try MMSMessage.Content(presenting: [
      MessageSlides.Slide(media: MMSMessage.Part(type: .jpeg, name: "a.jpg", body: image), text: "héllo", index: 0),
      MessageSlides.Slide(
        media: MMSMessage.Part(type: MediaType("audio/amr"), name: "b c.amr", body: [1, 2, 3]), text: nil, index: 1),
      MessageSlides.Slide(media: nil, text: "日本語 😀", index: 2),
    ])
    let mixed = MMSMessage.Content(
      type: ContentType("application/vnd.wap.multipart.mixed"),
      parts: [
        MMSMessage.Part(type: MediaType("text/x-vCard"), name: "c.vcf", body: Array("BEGIN:VCARD\nEND:VCARD\n".utf8)),
        MMSMessage.Part(type: .png, name: "é.png", body: []),
        MMSMessage.Part(type: MediaType("text/plain"), name: "t.txt", body: Array("x".utf8)),
      ])
    return [
      retrieveConf(1, subject: "hello", content: slides), retrieveConf(2, subject: "Grüße aus 東京", content: mixed),
      retrieveConf(3, subject: "é", content: slides),
    ]
  }

  @Test func `The daemon fetches our messages, and we read those it sends`() throws {
    let folder = try TemporaryFolder()
    let messages = try Self.messages()
    for (index, message) in messages.enumerated() {
      _ = try folder.write(message.encoded(), to: "\(index + 1).pdu")
      _ = try folder.write(Self.push(Self.notification(index + 1).encoded()), to: "\(index + 1).push")
    }
    var confirmation = MMSMessage(.sendConf, transactionID: "TRANSACTION")
    confirmation[.responseStatus] = .ok
    confirmation[.messageID] = "sent@example.org"
    _ = try folder.write(confirmation.encoded(), to: "send-conf.pdu")
    let image = Array(repeating: UInt8(0xD8), count: 500)
    let text = Array("grüße".utf8)
    let smil = "<smil><head><layout/></head><body><par><img src=\"i.jpg\"/><text src=\"t.txt\"/></par></body></smil>"
    let order = MMSDaemon.Order(
      recipients: ["+12065550100"], subject: "from the daemon", smil: smil,
      attachments: [
        ["i.jpg", "image/jpeg", try folder.write(image, to: "files/i.jpg")],
        ["t.txt", "text/plain", try folder.write(text, to: "files/t.txt")],
      ])
    _ = try folder.write(Array(JSONEncoder().encode(order)), to: "send.json")

    let result = try MMSDaemon.run(in: folder.url)

    #expect(result.messages.count == messages.count)
    for (index, message) in messages.enumerated() {
      let name = "\(index + 1)"
      #expect(result.received[name]??.fetched == name)
      let posted = try [UInt8](Data(contentsOf: folder.url.appendingPathComponent("\(name).posted")))
      let answer = try MMSMessage(decoding: posted)
      #expect(answer.type == .notifyRespInd)
      #expect(answer.transactionID == message.transactionID)
      #expect(answer[.status] == .retrieved)
      #expect(answer.missingFields == [])

      guard let seen = result.messages.first(where: { $0.subject == message[.subject]?.text }) else {
        Issue.record("\(message[.subject]?.text ?? "") was not understood")
        continue
      }
      #expect(seen.sender == "+12065550101")
      #expect(seen.recipients == ["+12065550100"])
      #expect(seen.status == "received")
      let parts = message.parts.filter { !$0.contentType.isSMIL }
      #expect(seen.attachments.count == parts.count)
      for (attachment, part) in zip(seen.attachments, parts) {
        let stored = try [UInt8](Data(contentsOf: URL(fileURLWithPath: attachment.file)))
        #expect(stored[attachment.offset..<attachment.offset + attachment.length] == part.body)
        #expect(attachment.type.hasPrefix(part.contentType.mediaType.rawValue))
      }
      let presentation = message.parts.first { $0.contentType.isSMIL }
      #expect(seen.smil == presentation?.text ?? "")
    }

    #expect(result.sent == "sent")
    let sent = try MMSMessage(decoding: [UInt8](Data(contentsOf: folder.url.appendingPathComponent("sent.pdu"))))
    #expect(sent.type == .sendReq)
    #expect(sent[.subject]?.text == "from the daemon")
    #expect(sent[.from] == .insertAddress)
    #expect(sent[.to]?.address == MMSAddress("+12065550100", kind: .phone))
    let slides = MessageSlides(of: sent)
    #expect(slides.order == .presentation)
    #expect(slides.slides.count == 1)
    #expect(slides.slides.first?.media?.body == image[...])
    #expect(slides.slides.first?.text?.text == "grüße")
    #expect(try MMSMessage(decoding: sent.encoded()) == sent)
  }
}

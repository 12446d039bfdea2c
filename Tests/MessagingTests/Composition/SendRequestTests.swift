internal import AttachmentPolicy
internal import MMSCodec
internal import MediaModel
internal import Messaging
internal import Testing

/// What a composition is sent as.
@Suite struct SendRequestTests {
  private func request(_ message: MessageComposition) throws -> MMSMessage {
    var options = MessageComposition.SendOptions(transactionID: "T", date: 1_000)
    options.requestsReadReport = true
    let sent = try message.sendRequest(options) { Array($0.id.rawValue.utf8) }
    return try MMSMessage(decoding: sent.encoded())
  }

  @Test(
    "R-MMS-38: each attachment begins a slide, a text joins the previous one without a text (A22), and decoding gives the same slides"
  )
  func slides() throws {
    let items: [MessageComposition.Item] = [
      .text("a"), .attachment(.init(.image("i"))), .text("b"), .attachment(.init(.video("v"))),
      .attachment(.init(.image("j"))),
      .text("c"),
    ]
    let slides = MessageSlides(of: try request(MessageComposition(content: items)))
    #expect(slides.order == .presentation)
    #expect(slides.slides.map { $0.text?.text } == ["a", "b", nil, "c"])
    #expect(slides.slides.map { $0.media?.name } == [nil, "i.jpg", "v.mp4", "j.jpg"])
    #expect(slides.slides.map { $0.text?.name } == ["text_0.txt", "text_1.txt", nil, "text_3.txt"])
    #expect(slides.slides.map { $0.media.map { String(decoding: $0.body, as: UTF8.self) } } == [nil, "i", "v", "j"])
  }

  @Test(
    "R-MMS-3, R-MMS-60: every recipient in the request once, as a number or an e-mail address; seven days, normal priority, personal class (A28)"
  )
  func headers() throws {
    var message = MessageComposition.text("a", to: "+4912345", "a@b.de", "+4912345", "nobody")
    _ = message.setSubject("hé", under: CarrierProfile())
    let request = try request(message)
    #expect(request[all: .to].map(\.text) == ["+4912345/TYPE=PLMN", "a@b.de"])
    #expect(request.subjectText == "hé")
    #expect(request[.date] == 1_000)
    #expect(request.transactionID == "T")
    #expect(request[.expiry] == .relative(604_800))
    #expect(request[.priority] == .normal)
    #expect(request[.messageClass] == .personal)
    #expect(request[.from] == .insertAddress)
    #expect(request.version == .v13)
    #expect(request[.deliveryReport] == false)
    #expect(request[.readReport] == true)
  }

  @Test(
    "R-MMS-62: parts with the name of another part or a reserved one get other names; an invalid type becomes octet-stream"
  )
  func names() throws {
    func file(_ id: MediaAttachment.ID, _ name: String?, _ type: String) -> MessageComposition.Item {
      .attachment(.init(MediaAttachment(id: id, name: name, info: MediaInfo(type: MediaType(type), bytes: 1))))
    }
    let parts = try request(
      MessageComposition(content: [
        file("1", "x/a.png", "image/png"), file("2", "a.png", "image/png"), file("3", "smil.xml", "application/xml"),
        file("4", "text_0.txt", "application/zip"), file("5", nil, "\u{0}é"),
      ])
    ).parts
    #expect(parts.map(\.name) == ["smil.xml", "a.png", "a_2.png", "smil_2.xml", "text_0_2.txt", "file.bin"])
    #expect(parts.last?.contentType.mediaType == .octetStream)
  }
}

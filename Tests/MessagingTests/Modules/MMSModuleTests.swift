internal import AttachmentPolicy
internal import MMSCodec
internal import MediaModel
internal import Messaging
internal import Testing

/// What a thread shows of a message that was sent or has come.
@Suite struct MMSModuleTests {
  private func sent(_ message: MessageComposition) throws -> MMSMessage {
    let request = try message.sendRequest(.init(transactionID: "T", date: 0)) {
      [UInt8](repeating: 0, count: $0.info.bytes)
    }
    return try MMSMessage(decoding: request.encoded())
  }

  @Test("R-MMS-38: a sent message shows what it showed while it was composed")
  func sameModules() throws {
    let message = MessageComposition(content: [
      .text("see a.de"), .attachment(.init(.image("i"))), .text("b"), .attachment(.init(.video("v"))),
    ])
    let modules = MessageModule.modules(of: try sent(message).moduleContent())
    let composed = message.modules()
    #expect(modules.map(\.kind) == composed.map(\.kind))
    #expect(modules.map(\.label) == composed.map(\.label))
    #expect(modules.map(\.filename) == composed.map(\.filename))
    #expect(modules.map(\.links) == composed.map(\.links))
    #expect(modules.map(\.bytes) == composed.map(\.bytes))
  }

  @Test("R-MMS-26: a text has the same links while it is composed, sent, and received")
  func direction() throws {
    let text = "call 5551234567 or a.de, mail b@c.de"
    let message = MessageComposition.text(text, to: "5550000", "5550001")
    let outgoing = try sent(message)
    var incoming = MMSMessage(.retrieveConf)
    incoming.content = outgoing.content
    let links = LinkDetector().links(in: text)
    #expect(links.count == 3)
    for message in [outgoing, try MMSMessage(decoding: incoming.encoded())] {
      #expect(MessageModule.modules(of: message.moduleContent()).compactMap(\.links) == [links])
    }
    #expect(message.modules().compactMap(\.links) == [links])
  }

  @Test("R-MMS-44: a module names the file that a tap opens, and all names differ")
  func originals() throws {
    let message = MessageComposition(content: [
      .attachment(.init(.image("i"))), .text("b"), .attachment(.init(.video("v"))), .attachment(.init(.image("j"))),
    ])
    let composed = message.modules()
    #expect(composed.map(\.id) == ["i", nil, "v", "j"].map { $0 ?? composed[1].id })
    #expect(composed.map(\.action) == [.view, nil, .play, .view])
    let received = try sent(message)
    let modules = MessageModule.modules(of: received.moduleContent())
    #expect(Set(modules.map(\.id)).count == modules.count)
    let slides = MessageSlides(of: received).slides
    #expect(slides.count == 3)
    #expect(modules.count == 4)
    for (module, slide) in zip(modules.filter { $0.kind != .text }, slides) {
      #expect(slide.media?.body.count == module.bytes)
    }
  }

  @Test("R-MMS-63: a message without part and subject is invalid; a subject alone is valid")
  func invalid() throws {
    var message = MMSMessage(.retrieveConf)
    #expect(message.isInvalidEmpty)
    #expect(message.moduleContent().isEmpty)
    message[.subject] = "s"
    #expect(!message.isInvalidEmpty)
    #expect(!(try sent(MessageComposition(content: [.text("a")])).isInvalidEmpty))
  }

  @Test("R-MMS-12: a multimedia message of text alone has no attachment")
  func attachments() throws {
    let text = ThreadSummary.Message(try sent(.text("a")), time: 1, isIncoming: true)
    #expect(!text.hasAttachment)
    #expect(text.texts == ["a"])
    #expect(text.type == .mms)
    let media = ThreadSummary.Message(
      try sent(MessageComposition(content: [.attachment(.init(.image("i")))])), time: 1, isIncoming: true)
    #expect(media.hasAttachment)
    #expect(media.texts == [])
  }

  @Test("R-MMS-46: a notification shows the announced message, or each part that it names")
  func notification() throws {
    var message = MMSMessage(.notificationInd)
    message[.messageSize] = 307_200
    var module = try #require(MessageModule.modules(of: message.moduleContent()).first)
    #expect(module.state == .notDownloaded)
    #expect(module.action == .download)
    #expect(module.label == "Message, 307 kB, not downloaded")
    #expect(!module.showsName)
    #expect(module.bytes == 307_200)
    message[.messageSize] = nil
    module = try #require(MessageModule.modules(of: message.moduleContent()).first)
    #expect(module.bytes == nil)
    #expect(module.size == nil)
    #expect(module.label == "Message, not downloaded")
    let descriptor = MMSField.KnownName(rawValue: 0xB2)
    message.fields = [
      MMSField(descriptor, .element("<beach.mp4>", [WSPHeader.Parameter(.type, "video/mp4")])),
      MMSField(descriptor, .element("card", [WSPHeader.Parameter(.type, .integer(0x07))])),
      MMSField(descriptor, .element("x", [])),
    ]
    message = try MMSMessage(decoding: message.encoded())
    let modules = MessageModule.modules(of: message.moduleContent())
    #expect(modules.map(\.kind) == [.video, .contact, .other])
    #expect(modules.allSatisfy { $0.state == .notDownloaded })
    #expect(modules.map(\.id) == ["beach.mp4", "card", "x"])
    #expect(modules.allSatisfy { $0.bytes == nil })
    #expect(modules[0].label == "Video beach.mp4, not downloaded")
  }

  @Test(
    "Contacts and calendars are recognised by the type names that phones write",
    arguments: [
      ("text/x-vCard", MessageModule.Kind.contact), ("text/directory", .contact), ("text/x-vCalendar", .calendar),
    ])
  func cards(type: String, kind: MessageModule.Kind) throws {
    let part = MMSMessage.Part(type: MediaType(type), name: "a", body: [1])
    var message = MMSMessage(.retrieveConf)
    message.content = MMSMessage.Content(type: ContentType("application/vnd.wap.multipart.mixed"), parts: [part])
    #expect(MessageModule.modules(of: message.moduleContent()).map(\.kind) == [kind])
  }

  @Test("R-MMS-31: a missing file is a placeholder with an explanation")
  func gone() {
    var file = MessageModule.File(name: "a.bin", info: MediaInfo(type: .octetStream, bytes: 0))
    file.failure = MediaFailure(.notFound, "The file does not exist.")
    let module = MessageModule.modules(of: [.file(file)]).first
    #expect(module?.state == .placeholder)
    #expect(module?.reason == "notFound")
  }

  @Test("Each PDU is written by a phone or by the relay, as OMA-TS-MMS-ENC §6 states") func directions() {
    let fromPhones = MMSMessage.MessageType.allCases.filter { !$0.isFromRelay }
    #expect(
      fromPhones == [
        .sendReq, .notifyRespInd, .acknowledgeInd, .readRecInd, .forwardReq, .mboxStoreReq, .mboxViewReq,
        .mboxUploadReq,
        .mboxDeleteReq, .deleteReq, .cancelReq,
      ])
  }
}

internal import AttachmentPolicy
internal import MediaModel
internal import Messaging
internal import Testing

/// R-MMS-12, 38, 51, 63: what a thread shows of a message that was sent or has come.
@Suite struct MMSModuleTests {
  private func sent(_ message: MessageComposition) throws -> MMSMessage {
    let request = try message.sendRequest(.init(transactionID: "T", date: 0)) {
      [UInt8](repeating: 0, count: $0.info.bytes)
    }
    return try MMSCodec.decode(MMSCodec.encode(request))
  }

  @Test("R-MMS-38: a message shows after sending what it showed while it was written")
  func sameModules() throws {
    let message = MessageComposition(content: [
      .text("see a.de"), .attachment(.init(.image("i"))), .text("b"), .attachment(.init(.video("v"))),
    ])
    let modules = MessageModule.modules(of: try sent(message).moduleContent())
    let composed = message.modules()
    #expect(modules.map(\.kind) == composed.map(\.kind) && modules.map(\.label) == composed.map(\.label))
    #expect(modules.map(\.filename) == composed.map(\.filename) && modules.map(\.links) == composed.map(\.links))
    #expect(modules.map(\.bytes) == composed.map(\.bytes))
  }

  @Test("R-MMS-63: a message without part and subject is invalid; a subject alone is fine")
  func invalid() throws {
    var message = MMSMessage(.retrieveConf)
    #expect(message.isInvalidEmpty && message.moduleContent().isEmpty)
    message[.subject] = "s"
    #expect(!message.isInvalidEmpty)
    #expect(!(try sent(MessageComposition(content: [.text("a")])).isInvalidEmpty))
  }

  @Test("R-MMS-12: a multimedia message of text alone has no attachment")
  func attachments() throws {
    let text = ThreadMessage(try sent(.text("a")), time: 1, isIncoming: true)
    #expect(!text.hasAttachment && text.texts == ["a"] && text.type == .mms)
    let media = ThreadMessage(
      try sent(MessageComposition(content: [.attachment(.init(.image("i")))])), time: 1, isIncoming: true)
    #expect(media.hasAttachment && media.texts == [])
  }
}

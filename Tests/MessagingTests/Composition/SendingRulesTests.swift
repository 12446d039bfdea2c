internal import AttachmentPolicy
internal import MMSCodec
internal import MediaModel
internal import Messaging
internal import Testing

/// What can be sent, and how large it is.
@Suite struct SendingRulesTests {
  private let profile = CarrierProfile()

  @Test("R-MMS-6: sending requires a recipient and content")
  func needs() {
    #expect(MessageComposition().blockers(under: profile) == [.noRecipient, .empty])
    #expect(MessageComposition.text("a").blockers(under: profile) == [.noRecipient])
    #expect(MessageComposition.text("", to: "12345").blockers(under: profile) == [.empty])
    #expect(MessageComposition.text("a", to: "nobody").blockers(under: profile) == [.invalidRecipients(["nobody"])])
    #expect(MessageComposition.text("a", to: "", " ").blockers(under: profile) == [.noRecipient])
    #expect(MessageComposition.Blocker.noRecipient.code == "noRecipient")
  }

  @Test(
    "R-MMS-2: a message is not sent to the rest when a recipient is unusable; the blocker names every such one once")
  func unusableRecipients() {
    var message = MessageComposition.text("a", to: "nobody", "12345", "@b", "nobody", "")
    #expect(message.blockers(under: profile) == [.invalidRecipients(["nobody", "@b"])])
    _ = message.setSubject("s", under: profile)
    #expect(!message.canSend(under: profile), "as MMS neither")
    _ = message.setRecipients([MessageRecipient("12345")], under: profile)
    #expect(message.canSend(under: profile))
  }

  @Test("R-MMS-6: an attachment alone or a visible subject alone can be sent")
  func oneThing() {
    var message = MessageComposition.text("", to: "12345")
    _ = message.attach([.video("a")], under: profile)
    #expect(message.canSend(under: profile))
    _ = message.remove("a", under: profile)
    _ = message.setSubject("s", under: profile)
    #expect(message.canSend(under: profile))
    _ = message.showSubject(false, under: profile)
    #expect(message.blockers(under: profile) == [.empty])
  }

  @Test("R-MMS-6: nothing is sent while an image is being made smaller; afterwards its new size is reported and used")
  func busy() {
    var message = MessageComposition.text("a", to: "12345")
    _ = message.attach([.image("a", bytes: 400_000)], under: profile)
    message.beginResizing(["a", "nothing"])
    #expect(message.blockers(under: profile).first == .busy(["a"]))
    let events = message.endResizing("a", info: MediaAttachment.image("a", bytes: 9_000).info, under: profile)
    #expect(
      events == [.imageResized("a", fromBytes: 400_000, toBytes: 9_000), .sizeStateChanged(from: .over, to: .under)])
    #expect(message.canSend(under: profile))
  }

  @Test("R-MMS-53: under, at and over the limit; only over is refused, and nothing else is")
  func sizeStates() {
    var message = MessageComposition.text("a", to: "12345")
    _ = message.attach([.image("a", bytes: 100_000)], under: profile)
    let overhead = message.bytes(under: profile) - 100_000
    #expect(overhead > 0)
    for (bytes, state) in [(-1, MessageComposition.SizeState.under), (0, .atLimit), (1, .over)] {
      let info = MediaAttachment.image("a", bytes: profile.maxMessageBytes - overhead + bytes).info
      _ = message.endResizing("a", info: info, under: profile)
      #expect(message.sizeState(under: profile) == state)
      #expect(message.canSend(under: profile) == (state != .over))
    }
    #expect(message.blockers(under: profile) == [.tooLarge(limit: 307_200, actual: 307_201)])
    #expect(message.append(text: "more", under: profile) == [])
  }

  @Test("Sizes are bytes of UTF-8, with headers and SMIL, and never overflow (D6.13)")
  func sizes() {
    var message = MessageComposition.text("é", to: "12345")
    _ = message.setSubject("s", under: profile)
    let one = message.bytes(under: profile)
    _ = message.append(text: "é", under: profile)
    #expect(message.bytes(under: profile) == one + 2)
    _ = message.setRecipients(message.recipients + [MessageRecipient("54321")], under: profile)
    #expect(message.bytes(under: profile) == one + 2 + "x54321/TYPE=PLMN0".utf8.count)
    _ = message.attach([.image("a", bytes: .max), .image("b", bytes: .max)], under: profile)
    #expect(message.bytes(under: profile) == .max)
    #expect(message.sizeState(under: profile) == .over)
  }

  @Test("The size is that of the encoded message", arguments: [0, 1, 127, 128, 16_383, 16_384, 300_000])
  func realSize(bytes: Int) throws {
    var message = MessageComposition.text("é 😀", to: "12345", "a@b.de", "12345")
    _ = message.setSubject("ü", under: profile)
    _ = message.attach([.image("a", bytes: bytes), .video("b", bytes: 5)], under: profile)
    _ = message.append(text: "b", under: profile)
    let options = MessageComposition.SendOptions(transactionID: String(repeating: "T", count: 40), date: 1_800_000_000)
    let request = try message.sendRequest(options) { [UInt8](repeating: 7, count: $0.info.bytes) }
    #expect(try request.encoded().count == message.bytes(under: profile))
    #expect(request.missingFields == [])
  }

  @Test("A message that cannot be encoded is over every limit")
  func unwritable() {
    let parts = (0..<1_001).map { MessageComposition.Item.attachment(.init(.image(.init("\($0)"), bytes: 0))) }
    #expect(MessageComposition(content: parts).bytes(under: profile) == .max)
  }

  @Test("An SMS has the bytes of its segments, and no size limit")
  func smsSizes() {
    var tiny = profile
    tiny.maxMessageBytes = 1
    func bytes(_ text: String) -> Int { MessageComposition.text(text).bytes(under: tiny) }
    #expect(bytes("") == 0)
    #expect(bytes("a") == 1)
    #expect(bytes("aaaaaaaa") == 7)
    #expect(bytes(String(repeating: "a", count: 160)) == 140)
    #expect(bytes(String(repeating: "a", count: 161)) == 140 + 14)
    #expect(bytes("中") == 2)
    #expect(bytes(String(repeating: "中", count: 71)) == 140 + 6 + 8)
    #expect(MessageComposition.text("a").sizeState(under: tiny) == .under)
  }

  @Test("R-MMS-60: an MMS has at most 20 recipients, an SMS any number")
  func manyRecipients() {
    var message = MessageComposition(
      content: [.text("a")], recipients: (0..<21).map { MessageRecipient("12345\($0)") })
    #expect(message.canSend(under: profile))
    _ = message.setSubject("s", under: profile)
    #expect(message.blockers(under: profile) == [.tooManyRecipients(limit: 20, actual: 21)])
  }

  @Test(
    "R-MMS-7, R-MMS-9: a message without text, attachment and visible subject is empty; discarding it releases its files"
  )
  func emptiness() {
    var message = MessageComposition.text("a", to: "12345")
    _ = message.attach([.image("x"), .image("y")], under: profile)
    #expect(!message.isEmpty)
    #expect(message.discard() == [.removed("x"), .removed("y")])
    #expect(message.isEmpty)
    #expect(message.sendList == ["12345"])
  }
}

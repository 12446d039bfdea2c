internal import AttachmentPolicy
internal import MediaModel
internal import Messaging
internal import TestSupport
internal import Testing

/// What happens to the content.
@Suite struct EditingTests {
  private let profile = CarrierProfile()

  @Test("Adjacent texts are joined, empty ones removed, no-break spaces become spaces, line breaks stay (A21)")
  func normalForm() {
    let message = MessageComposition(content: [
      .text("a\u{A0}"), .text(""), .text("b\n"), .attachment(.init(.image("x"))), .attachment(.init(.image("x"))),
      .text(""),
    ])
    #expect(message.content == [.text("a b\n"), .attachment(.init(.image("x")))])
  }

  @Test("R-MMS-34: removing an attachment joins the texts around it and releases its file")
  func removing() {
    var message = MessageComposition(content: [.text("a"), .attachment(.init(.image("x"))), .text("b")])
    #expect(message.remove("nothing", under: profile) == [])
    #expect(message.remove("x", under: profile).first == .removed("x"))
    #expect(message.content == [.text("ab")])
  }

  @Test("R-MMS-35: a replacement keeps the position; if the new file is refused, the old one stays")
  func replacing() {
    var message = MessageComposition(content: [.text("a"), .attachment(.init(.image("x"))), .text("b")])
    let before = message
    #expect(
      message.replace("x", with: .video("v", bytes: 307_201), under: profile)
        == [.refused("v", [.fileTooLarge(limit: 307_200, actual: 307_201)])])
    #expect(message == before)
    #expect(message.replace("x", with: .video("v", bytes: 9), under: profile) == [.replaced("x", by: "v")])
    #expect(message.content == [.text("a"), .attachment(.init(.video("v", bytes: 9))), .text("b")])
  }

  @Test(
    "R-MMS-36: a file over the limit is refused alone, an image is accepted to be made smaller, and the others are added"
  )
  func tooLarge() {
    var message = MessageComposition()
    let events = message.attach(
      [.video("v", bytes: 307_201), .image("i", bytes: 9_000_000), .video("w", bytes: 200_000), .image("i")],
      under: profile)
    #expect(
      Array(events.prefix(4)) == [
        .refused("v", [.fileTooLarge(limit: 307_200, actual: 307_201)]), .added("i"), .added("w"),
        .refused("i", [.duplicate(of: "i")]),
      ])
    #expect(message.attachments.map(\.id) == ["i", "w"])
  }

  @Test(
    "R-MMS-36: the limit is the message's: a file that is too large with the others is refused, and nothing changes")
  func tooLargeTogether() {
    var message = MessageComposition(recipients: [MessageRecipient("1")])
    _ = message.attach([.video("a", bytes: 200_000)], under: profile)
    let before = message
    // As the message would be if it were added: the actual size in the reason.
    var whole = message
    _ = whole.setContent(message.content + [.attachment(.init(.video("b", bytes: 200_000)))], under: profile)
    let reason = Verdict.Reason.messageTooLarge(limit: 307_200, actual: whole.bytes(under: profile))
    #expect(message.attach([.video("b", bytes: 200_000)], under: profile) == [.refused("b", [reason])])
    #expect(message == before)
    #expect(message.canSend(under: profile))

    // To the byte: equal to the limit is accepted.
    func size(_ bytes: Int) -> Int {
      var whole = message
      _ = whole.setContent(message.content + [.attachment(.init(.video("c", bytes: bytes)))], under: profile)
      return whole.bytes(under: profile)
    }
    let fits = 100_000 + 307_200 - size(100_000)
    #expect(message.attach([.video("c", bytes: fits + 1)], under: profile).first != .added("c"))
    #expect(message.attach([.video("c", bytes: fits)], under: profile).first == .added("c"))
    #expect(message.sizeState(under: profile) == .atLimit)
    // The one that is replaced gives its bytes back.
    #expect(message.replace("c", with: .video("d", bytes: fits), under: profile) == [.replaced("c", by: "d")])
    #expect(message.replace("d", with: .video("e", bytes: fits + 1), under: profile).first != .replaced("d", by: "e"))
    // An image is reduced to what is left, if that is enough for one.
    #expect(message.attach([.image("i", bytes: 9_000_000)], under: profile).first != .added("i"))
    _ = message.replace("d", with: .video("f", bytes: fits - 20_000), under: profile)
    #expect(message.attach([.image("i", bytes: 9_000_000)], under: profile).first == .added("i"))
  }

  @Test("No more attachments than the carrier accepts")
  func tooMany() {
    var profile = profile
    profile.maxAttachments = 1
    var message = MessageComposition()
    _ = message.attach([.image("a")], under: profile)
    #expect(message.attach([.image("b")], under: profile) == [.refused("b", [.tooManyAttachments(limit: 1)])])
    #expect(message.replace("a", with: .image("b"), under: profile) == [.replaced("a", by: "b")])
  }

  @Test("A subject has one line and 40 characters, and reaching its end is reported (A20)")
  func subject() {
    var message = MessageComposition()
    #expect(message.setSubject("a\n   b\u{A0}c\r\nd", under: profile) == [.typeChanged(from: .sms, to: .mms)])
    #expect(message.subject == "a b c d")
    #expect(message.setSubject(String(repeating: "é", count: 39), under: profile) == [])
    #expect(message.setSubject(String(repeating: "é", count: 41), under: profile) == [.subjectLimit(40)])
    #expect(message.subject.count == 40)
    #expect(MessageComposition.Event.subjectLimit(40).noticeSeconds == 2)
  }

  @Test("Setting the whole content reports what was added and removed")
  func wholeContent() {
    var message = MessageComposition(content: [.attachment(.init(.image("a"))), .attachment(.init(.image("b")))])
    message.beginResizing(["a"])
    let events = message.setContent(
      [.text("t"), .attachment(.init(.image("b"))), .attachment(.init(.image("c")))], under: profile)
    #expect(events == [.removed("a"), .added("c")])
    #expect(message.resizing.isEmpty)
  }

  @Test(
    "R-MMS-8, R-MMS-38: a message kept as a draft and restored is the same, whatever its content",
    arguments: [1, 2, 3] as [UInt64])
  func drafts(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let content: [MessageComposition.Item] = (0..<random.below(9)).map { index in
        if random.below(2) == 0 { return .text(["a", "é😀", "\u{301}x", "\r", "\n", "🇩", "🇪"][random.below(7)]) }
        let uploads: [AttachmentDraft.UploadState] = [
          .waiting, .uploaded, .uploading(bytesSent: 7), .failed(.notFound, bytesSent: 3),
        ]
        let id = MediaAttachment.ID("\(index)")
        return .attachment(.init(.image(id), upload: uploads[random.below(4)]))
      }
      var message = MessageComposition(
        content: content, recipients: [MessageRecipient("1"), MessageRecipient("x", isContact: true)])
      _ = message.setSubject("s\u{301}", under: profile)
      _ = message.showSubject(random.below(2) == 0, under: profile)
      let kept = try JSON.roundTrip(MessageDraft(message))
      let restored = MessageComposition(kept)
      #expect(restored == message, "seed \(seed)")
      #expect(Array(restored.text.unicodeScalars) == Array(message.text.unicodeScalars), "seed \(seed)")
      #expect(MessageDraft(restored) == kept, "seed \(seed)")
    }
  }

  @Test("A draft that was edited meanwhile, or has invalid numbers, is restored as far as possible")
  func editedDraft() {
    var kept = MessageDraft(
      MessageComposition(content: [
        .text("ab"), .attachment(.init(.image("x"))), .text("c"), .attachment(.init(.image("y"))),
      ]))
    kept.draft = AttachmentDraft(text: "z", items: kept.draft.items + [.init(.image("new"))])
    kept.textBefore["y"] = -5
    let message = MessageComposition(kept)
    #expect(message.text == "z")
    #expect(message.attachments.map(\.id) == ["x", "y", "new"])
  }
}

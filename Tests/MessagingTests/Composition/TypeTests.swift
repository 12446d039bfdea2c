internal import AttachmentPolicy
internal import MediaModel
internal import Messaging
internal import Testing

/// SMS or MMS, and the counter.
@Suite struct TypeTests {
  private let profile = CarrierProfile()

  private func times(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

  @Test("R-MMS-30: an attachment, a subject, more than ten segments or an e-mail address make an MMS, each by itself")
  func reasons() {
    var message = MessageComposition.text("hi", to: "123456")
    #expect(message.type(under: profile) == .sms)
    _ = message.attach([.image("a")], under: profile)
    #expect(message.typeReasons(under: profile) == [.attachment])
    _ = message.remove("a", under: profile)
    _ = message.setSubject("  ", under: profile)
    #expect(message.type(under: profile) == .sms)
    _ = message.setSubject("s", under: profile)
    #expect(message.typeReasons(under: profile) == [.subject])
    _ = message.showSubject(false, under: profile)
    #expect(message.type(under: profile) == .sms)
    _ = message.setText(times("a", 1_530), under: profile)
    #expect(message.type(under: profile) == .sms)
    _ = message.setText(times("a", 1_531), under: profile)
    #expect(message.typeReasons(under: profile) == [.tooManySegments(limit: 10, actual: 11)])
    _ = message.setText("hi", under: profile)
    _ = message.setRecipients([MessageRecipient("123456"), MessageRecipient("a@b.de")], under: profile)
    #expect(message.typeReasons(under: profile) == [.emailRecipient])
    #expect(message.typeReasons(under: profile).map(\.code) == ["emailRecipient"])
  }

  @Test("R-MMS-30: a carrier may never convert a long text to MMS, but 255 segments are the maximum")
  func noThreshold() {
    var profile = profile
    profile.maxSMSSegments = nil
    #expect(MessageComposition.text(times("a", 153 * 255)).type(under: profile) == .sms)
    #expect(
      MessageComposition.text(times("a", 153 * 255 + 1)).typeReasons(under: profile)
        == [.tooManySegments(limit: 255, actual: 256)])
  }

  @Test("R-MMS-21: several numbers do not make an MMS and count the same; the groups of a carrier may")
  func groups() {
    let one = MessageComposition.text(times("a", 200), to: "123456")
    let two = MessageComposition.text(times("a", 200), to: "123456", "654321")
    #expect(two.type(under: profile) == .sms)
    #expect(one.segments(under: profile) == two.segments(under: profile))
    var grouping = profile
    grouping.groupsRecipients = true
    #expect(two.typeReasons(under: grouping) == [.group])
    #expect(MessageComposition.text("a", to: "123456", "123456").type(under: grouping) == .sms)
  }

  @Test("R-MMS-18, R-MMS-19: the counter is shown from the second segment on, and not for MMS")
  func counter() {
    var message = MessageComposition.text(times("a", 160))
    #expect(!message.showsCounter(under: profile))
    _ = message.append(text: "a", under: profile)
    #expect(message.showsCounter(under: profile))
    #expect(message.segments(under: profile).available == 145)
    _ = message.attach([.image("a")], under: profile)
    #expect(!message.showsCounter(under: profile))
    #expect(message.segments(under: profile).count == 2)
  }

  @Test("R-MMS-29: a change of type is reported once, in both directions")
  func typeEvents() {
    var message = MessageComposition()
    #expect(
      message.attach([.image("a"), .image("b")], under: profile) == [
        .added("a"), .added("b"), .typeChanged(from: .sms, to: .mms),
      ])
    #expect(message.remove("a", under: profile) == [.removed("a")])
    #expect(message.remove("b", under: profile) == [.removed("b"), .typeChanged(from: .mms, to: .sms)])
    #expect(MessageComposition.Event.typeChanged(from: .sms, to: .mms).noticeSeconds == 3)
  }

  @Test("R-MMS-28: files can be attached before or after recipients, with the same result")
  func recipientsLater() {
    var before = MessageComposition()
    let events = before.attach([.image("a")], under: profile)
    #expect(before.blockers(under: profile) == [.noRecipient])
    _ = before.setRecipients([MessageRecipient("5551234")], under: profile)
    var after = MessageComposition(recipients: [MessageRecipient("5551234")])
    #expect(after.attach([.image("a")], under: profile) == events)
    #expect(after == before)
    #expect(after.canSend(under: profile))
  }

  @Test("R-MMS-20: entering another segment is reported, up and down, except the first, and not for MMS")
  func segmentEvents() {
    var message = MessageComposition()
    #expect(message.setText("a", under: profile) == [])
    #expect(message.setText(times("a", 161), under: profile) == [.segmentChanged(from: 1, to: 2)])
    #expect(message.setText(times("a", 160), under: profile) == [.segmentChanged(from: 2, to: 1)])
    #expect(message.setText("", under: profile) == [])
    #expect(message.setText(times("a", 307), under: profile) == [.segmentChanged(from: 0, to: 3)])
    _ = message.attach([.image("a")], under: profile)
    #expect(message.setText("a", under: profile) == [])
    #expect(MessageComposition.Event.segmentChanged(from: 1, to: 2).noticeSeconds == 3)
  }

  @Test("R-MMS-24, R-MMS-25: the links of a message, text by text")
  func links() {
    let message = MessageComposition(content: [.text("a.de"), .attachment(.init(.image("a"))), .text("b c.de")])
    #expect(message.links().map { $0.map(\.target) } == [["http://a.de"], [], ["http://c.de"]])
  }
}

internal import AttachmentPolicy
internal import Messaging
internal import Testing

/// The list of threads.
@Suite struct ThreadSummaryTests {
  private func thread(_ messages: ThreadSummary.Message..., draft: MessageComposition? = nil, at time: Double = 0)
    -> ThreadSummary
  {
    ThreadSummary(participants: ["1"], messages: messages, draft: draft, draftTime: time)
  }

  @Test("R-MMS-11: received unread messages are counted, old and new ones")
  func unread() {
    let thread = thread(
      ThreadSummary.Message(time: 3, isUnread: true), ThreadSummary.Message(time: 1, isUnread: true),
      ThreadSummary.Message(time: 2),
      ThreadSummary.Message(time: 2, isIncoming: false, isUnread: true))
    #expect(thread.unreadCount == 2)
    #expect(thread.isUnread)
    #expect(thread.time == 3)
  }

  @Test("R-MMS-12: the last message has an attachment if it has a real one, regardless of its type (D6.3)")
  func attachment() {
    #expect(!thread(ThreadSummary.Message(time: 1, type: .mms, texts: ["a"])).hasAttachment)
    #expect(thread(ThreadSummary.Message(time: 1, type: .mms, hasAttachment: true)).hasAttachment)
    #expect(
      !thread(ThreadSummary.Message(time: 2), ThreadSummary.Message(time: 1, type: .mms, hasAttachment: true))
        .hasAttachment)
    #expect(thread(ThreadSummary.Message(time: 2), ThreadSummary.Message(time: 2, hasAttachment: true)).hasAttachment)
  }

  @Test("R-MMS-13: a draft is new or in a thread, and replaces the last message if it is as new (A37)")
  func drafts() {
    var draft = MessageComposition.text("unsent")
    #expect(thread(draft: draft, at: 1).draft == .new)
    #expect(thread(ThreadSummary.Message(time: 1)).draft == .none)
    let old = thread(ThreadSummary.Message(time: 2, texts: ["last"]), draft: draft, at: 1)
    #expect(old.draft == .inThread)
    #expect(old.preview == .text("last"))
    #expect(old.type == .sms)
    #expect(old.time == 2)
    _ = draft.attach([.image("x")], under: CarrierProfile())
    let new = thread(ThreadSummary.Message(time: 2, texts: ["last"]), draft: draft, at: 2)
    #expect(new.preview == .text("unsent"))
    #expect(new.type == .mms)
    #expect(new.hasAttachment)
  }

  @Test("R-MMS-14: the last message could not be sent")
  func failed() {
    #expect(thread(ThreadSummary.Message(time: 1, isIncoming: false, sendFailed: true)).lastSendFailed)
    #expect(
      !thread(ThreadSummary.Message(time: 2), ThreadSummary.Message(time: 1, isIncoming: false, sendFailed: true))
        .lastSendFailed)
    #expect(!thread(ThreadSummary.Message(time: 1, sendFailed: true)).lastSendFailed)
    #expect(!thread().lastSendFailed)
  }

  @Test("R-MMS-15: several participants are a group")
  func group() {
    #expect(!thread().isGroup)
    #expect(ThreadSummary(participants: ["1", "2"], messages: []).isGroup)
  }

  @Test("The preview is the subject, else the first text, else a description (A47)")
  func previews() {
    func preview(_ message: ThreadSummary.Message) -> String { thread(message).preview.text }
    #expect(preview(ThreadSummary.Message(time: 1, type: .mms, subject: "s", texts: ["a"])) == "s")
    #expect(preview(ThreadSummary.Message(time: 1, type: .mms, subject: " ", texts: [" ", "a", "b"])) == "a")
    #expect(preview(ThreadSummary.Message(time: 1, type: .mms, hasAttachment: true)) == "MMS message")
    #expect(
      preview(ThreadSummary.Message(time: 1, type: .mms, subject: "s", isDownloaded: false)) == "Message not downloaded"
    )
    #expect(preview(ThreadSummary.Message(time: 1)) == "")
    #expect(thread().preview == .nothing)
    #expect(thread().time == nil)
    #expect(thread().type == nil)
  }

  @Test("The newest thread is first; equal ones keep their order")
  func order() {
    func thread(_ name: String, _ time: Double?) -> ThreadSummary {
      ThreadSummary(participants: [name], messages: time.map { [ThreadSummary.Message(time: $0)] } ?? [])
    }
    let threads = ThreadSummary.ordered([thread("a", 1), thread("b", nil), thread("c", 2), thread("d", 1)])
    #expect(threads.map { $0.participants[0] } == ["c", "a", "d", "b"])
  }
}

import AttachmentPolicy
import FileSupport
import Foundation
import MMSCodec
import MediaModel
import MessageStore
import Messaging
import Synchronization
import TestSupport
import Testing

/// The examples of the page of MessageStore.
@Suite struct MessageStoreExamples {
  /// A carrier that accepts everything, and has one message.
  private struct Carrier: MessageOutbox.Network {
    func submit(_ request: MessageOutbox.Request) async throws -> MessageOutbox.Answer {
      guard case .mms(let octets) = request else { return .sms(reference: "1") }
      var answer = MMSMessage(.sendConf, transactionID: try MMSMessage(decoding: octets).transactionID)
      answer[.responseStatus] = .ok
      return .mms(try answer.encoded())
    }

    func fetch(_ location: String, progress: MessageOutbox.Progress) async throws -> [UInt8] {
      var message = MMSMessage(.retrieveConf, transactionID: "t1")
      message[.messageID] = "m1"
      message[.date] = 900
      message.content = MMSMessage.Content(
        type: ContentType("application/vnd.wap.multipart.mixed"),
        parts: [MMSMessage.Part(type: MediaType("text/plain"), name: "a.txt", body: Array("Hello".utf8))])
      return try message.encoded()
    }
  }

  /// What a view has shown.
  private final class Shown: Sendable {
    private let changes = Mutex<[MessageStore.Change]>([])
    var all: [MessageStore.Change] { changes.withLock { $0 } }
    func add(_ change: MessageStore.Change) { changes.withLock { $0.append(change) } }
  }

  @Test func `The example uses everything that an app needs`() async throws {
    let temporary = try TemporaryFolder()
    let folder = temporary.path("messages")
    let photo = try temporary.write(Array("a photo".utf8), to: "photo.jpg")
    let network = Carrier()
    let attachment = MediaAttachment(id: "photo", name: "photo.jpg", info: MediaInfo(type: .jpeg, bytes: 7))
    let message = MessageComposition(
      content: [.text("Look"), .attachment(AttachmentDraft.Item(attachment))],
      recipients: [MessageRecipient("+15551234567")])
    var notification = MMSMessage(.notificationInd, transactionID: "t1")
    notification[.contentLocation] = "http://mmsc/1"
    let pushed = try notification.encoded()
    let shown = Shown()
    let show: @Sendable (MessageStore.Change) -> Void = { shown.add($0) }

    let cursor: MessageStore.Cursor? = nil

    let store = try MessageStore(folder: PathBytes(folder))
    let outbox = MessageOutbox(store, network: network)
    let view = Task { [changes = store.changes] in for await change in changes { show(change) } }
    try store.changeSettings { $0.retrievalMode = .manual }
    try store.saveDraft(message, in: .participants(["+15551234567"]), files: ["photo": PathBytes(photo)])
    for draft in try store.drafts() { try store.send(draft.message, from: draft.id) }
    let received = try store.receive(pushed)
    if let received { try store.download(received) }
    try await outbox.runDue()
    for thread in try store.threads(after: cursor, limit: 50) { try store.markRead(thread.id) }
    if let received { try store.delete(received) }

    for thread in try store.threads(limit: 50) {
      print(thread.summary.preview.text, thread.summary.unreadCount, thread.summary.draft)
      for message in try store.messages(in: thread.id) {
        print(MessageModule.modules(of: message.content()).map(\.label))
      }
    }

    // The thread of the sent message is left, and it was read.
    let threads = try store.threads()
    #expect(threads.map(\.summary.participants) == [["+15551234567"]])
    #expect(threads.map(\.summary.draft) == [.none])
    let left = try #require(threads.first)
    let sent = try #require(try store.messages(in: left.id).first)
    #expect(sent.sending?.state == .sent)
    #expect(sent.parts.map(\.text) == ["Look", nil])
    #expect(try store.drafts().isEmpty)
    let deleted = try #require(received)
    try store.close()
    await view.value
    #expect(shown.all.contains(.settings))
    #expect(shown.all.contains(.sent(sent.id, .sent)))
    #expect(shown.all.contains(.arrived(deleted, .received)))
    #expect(shown.all.contains { if case .deleted(deleted, _) = $0 { true } else { false } })
  }
}

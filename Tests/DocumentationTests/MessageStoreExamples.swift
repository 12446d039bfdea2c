import AttachmentPolicy
import FileSupport
import Foundation
import MMSCodec
import MediaModel
import MessageStore
import Messaging
import TestSupport
import Testing

/// The examples of the page of MessageStore.
@Suite struct MessageStoreExamples {
  /// A carrier that accepts everything.
  private struct Carrier: MessageOutbox.Network {
    func submit(_ request: MessageOutbox.Request) async throws -> MessageOutbox.Answer {
      guard case .mms(let octets) = request else { return .sms(reference: "1") }
      var answer = MMSMessage(.sendConf, transactionID: try MMSMessage(decoding: octets).transactionID)
      answer[.responseStatus] = .ok
      return .mms(try answer.encoded())
    }

    func fetch(_ location: String, progress: MessageOutbox.Progress) async throws -> [UInt8] {
      throw MessageOutbox.Failure.permanent(.notFound)
    }
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

    let store = try MessageStore(folder: PathBytes(folder))
    let outbox = MessageOutbox(store, network: network)
    try store.changeSettings { $0.retrievalMode = .automaticHome }

    let draft = try store.saveDraft(message, in: .participants(["+15551234567"]), files: ["photo": PathBytes(photo)])
    for thread in try store.threads(limit: 50) {
      print(thread.summary.preview.text, thread.summary.unreadCount, thread.summary.draft)
    }
    let sent = try store.send(message, from: draft)
    let received = try store.receive(pushed)
    try await outbox.runDue()

    let thread = try store.message(sent).thread
    for message in try store.messages(in: thread) { print(MessageModule.modules(of: message.content()).map(\.label)) }
    try store.markRead(thread)
    try store.delete(thread)

    #expect(try store.message(try #require(received)).retrieval?.state == .failed)
    #expect(try store.threads().count == 1)
  }
}

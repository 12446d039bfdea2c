internal import AttachmentPolicy
internal import FileSupport
internal import Foundation
internal import Glibc
internal import MMSCodec
internal import Messaging
internal import TestSupport
internal import Testing

@testable internal import MessageStore

@Suite("Requirements that need a message store") struct StoreRequirementTests {
  /// The order of the texts was changed, and a recipient added.
  private static let edited = MessageComposition(
    content: [.text("after"), .attachment(AttachmentDraft.Item(Sample.photo())), .text("before")],
    recipients: [MessageRecipient(Sample.ann), MessageRecipient(Sample.ben)], subject: "Lake")

  @Test("R-MMS-8: a draft that was edited has its order, subject, recipients and files after the process was killed")
  func draftSurvives() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("")
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let store = try MessageStore(folder: PathBytes(path + "/messages"))
      try Data("bytes".utf8).write(to: URL(fileURLWithPath: path + "/file"))
      let message = Sample.picture(to: Sample.ann, subject: "Lake")
      let id = try #require(
        try store.saveDraft(message, in: .participants([Sample.ann]), files: ["photo": PathBytes(path + "/file")]))
      try store.saveDraft(StoreRequirementTests.edited, in: .draft(id))
      kill(getpid(), SIGKILL)
    }
    let store = try MessageStore(folder: PathBytes(path + "/messages"))
    let thread = try #require(try store.threads().first)
    let draft = try store.draft(try #require(thread.draft))
    #expect(draft.message == Self.edited)
    let file = try #require(draft.files["photo"])
    #expect(try String(contentsOfFile: file.text, encoding: .utf8) == "bytes")
  }

  @Test("R-MMS-10: cancelling an edited message changes nothing: draft, files and thread are as they were saved")
  func cancelling() throws {
    var test = try TestStore()
    let saved = Sample.picture(to: Sample.ann, subject: "Lake")
    let id = try #require(
      try test.store.saveDraft(saved, in: .participants([Sample.ann]), files: ["photo": try test.file("bytes")]))
    let (draft, thread, files) = (try test.store.draft(id), try test.thread, test.storedFiles)

    // The person opens the draft, edits all of it, and cancels: what was edited is not saved.
    test.phone.now += 100
    let second = try test.file("second")
    let edited = MessageComposition(
      content: draft.message.content + [.text("other"), .attachment(AttachmentDraft.Item(Sample.photo("second")))],
      subject: "Sea")
    // Sending what was edited is refused, because nobody is to get it, which is no reason to lose the draft.
    #expect(throws: MessageStore.Failure.self) { try test.store.send(edited, files: ["second": second], from: id) }
    #expect(try String(contentsOfFile: second.text, encoding: .utf8) == "second")
    // Saving it fails, because a file of it is gone.
    #expect(throws: MessageStore.Failure.self) {
      try test.store.saveDraft(edited, in: .draft(id), files: ["second": PathBytes(test.folder.path("gone"))])
    }
    // Cancelled before it was saved at all: there is no draft.
    #expect(try test.store.newDrafts().isEmpty)

    try test.restart()
    #expect(try test.store.draft(id) == draft)
    #expect(try test.store.draft(id).message == saved)
    #expect(try test.thread == thread)
    #expect(test.storedFiles == files)
    #expect(try test.store.verify().isEmpty)
  }

  @Test("R-CHAT-17: a message is durable when the call that sends it returns: a kill right after it loses nothing")
  func sentIsDurable() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("")
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let store = try MessageStore(folder: PathBytes(path + "/messages"))
      try Data("bytes".utf8).write(to: URL(fileURLWithPath: path + "/file"))
      let message = Sample.picture(to: Sample.ann)
      let draft = try #require(
        try store.saveDraft(message, in: .new, files: ["photo": PathBytes(path + "/file")]))
      let id = try store.send(message, from: draft)
      try Data("\(id.rawValue)".utf8).write(to: URL(fileURLWithPath: path + "/acknowledged"))
      kill(getpid(), SIGKILL)
    }
    let acknowledged = try #require(Int64(try String(contentsOfFile: path + "/acknowledged", encoding: .utf8)))
    let store = try MessageStore(folder: PathBytes(path + "/messages"))
    let id = MessageStore.Message.ID(rawValue: acknowledged)
    #expect(try store.message(id).parts.map(\.text) == ["before", nil, "after"])
    #expect(try store.newDrafts().isEmpty)
    let network = FakeNetwork()
    try await MessageOutbox(store, network: network).runDue()
    #expect(network.pdus.count == 1)
    #expect(network.pdus.first?.parts.contains { Array($0.content) == Array("bytes".utf8) } == true)
    #expect(try store.message(id).sending?.state == .sent)
  }

  @Test("R-MMS-54: opening a deleted message is refused as not found, as nothing else is, also when it arrives again")
  func openingDeleted() throws {
    var test = try TestStore()
    try test.store.changeSettings { $0.retrievalMode = .manual }
    let notified = try #require(try test.store.receive(try OperatorPDU.notification()))
    let expired = try #require(try test.store.receive(try OperatorPDU.notification(2, expiry: 10)))
    let sms = try #require(try test.store.receive(sms: "hello", from: Sample.ann, at: 900))
    try test.store.delete(notified)
    try test.store.delete(sms)
    try test.restart()
    #expect(try test.store.receive(try OperatorPDU.notification()) == nil)
    #expect(try test.store.receive(sms: "hello", from: Sample.ann, at: 900) == nil)
    for id in [notified, sms] {
      for error in [
        #expect(throws: MessageStore.Failure.self) { try test.store.message(id) },
        #expect(throws: MessageStore.Failure.self) { try test.store.download(id) },
        #expect(throws: MessageStore.Failure.self) { try test.store.reject(id) },
        #expect(throws: MessageStore.Failure.self) { try test.store.resend(id) },
        #expect(throws: MessageStore.Failure.self) { try test.store.delete(id) },
      ] {
        #expect(error?.code == .notFound)
        #expect(error?.reason == .notFound)
      }
    }
    // The carrier has deleted this one: it is there, and cannot be downloaded.
    test.phone.now += 100
    let error = #expect(throws: MessageStore.Failure.self) { try test.store.download(expired) }
    #expect(error?.code == .refused)
    #expect(error?.reason == .expired)
    #expect(error?.message == "The carrier has deleted the message.")
    #expect(try test.store.message(expired).retrieval?.shown(at: test.phone.now) == .expired)
  }
}

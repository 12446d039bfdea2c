internal import AttachmentPolicy
internal import FileSupport
internal import Foundation
internal import Messaging
internal import Testing

@testable internal import MessageStore

@Suite("Drafts of a message store") struct StoredDraftTests {
  @Test("a draft is restored whole after a restart: recipients, subject, positions of texts, attachments and files")
  func whole() throws {
    var test = try TestStore()
    let message = Sample.picture(to: Sample.ann, Sample.ann, subject: "Lake")
    let id = try #require(
      try test.store.saveDraft(message, in: .participants([Sample.ann]), files: ["photo": try test.file("bytes")]))
    try test.restart()
    let draft = try test.store.draft(id)
    #expect(draft.message == message)
    #expect(draft.thread == (try test.thread.id))
    let path = try #require(draft.files["photo"])
    #expect(try String(contentsOfFile: path.text, encoding: .utf8) == "bytes")
  }

  @Test("an asset is removed from each draft, with a draft that has nothing else; a draft that cannot be read stays")
  func removedAsset() throws {
    let test = try TestStore()
    var photo = Sample.photo()
    photo.asset = "library 1"
    let items = [MessageComposition.Item.text("a"), .attachment(AttachmentDraft.Item(photo))]
    let file = try test.file("bytes")
    func save(_ content: [MessageComposition.Item], to person: String) throws -> MessageStore.Draft.ID? {
      let message = MessageComposition(content: content, recipients: [MessageRecipient(person)])
      return try test.store.saveDraft(message, in: .participants([person]), files: ["photo": file])
    }
    let damaged = try #require(try save(items, to: "+15550000003"))
    try test.damage("UPDATE draft SET message = X'00' WHERE id = \(damaged.rawValue)")
    let both = try #require(try save(items, to: Sample.ann))
    let alone = try #require(try save([.attachment(AttachmentDraft.Item(photo))], to: Sample.ben))
    try test.store.removeAsset("library 2")
    #expect(try test.store.draftCount() == 3)
    try test.store.removeAsset("library 1")
    let rest = try test.store.draft(both)
    #expect(rest.message.content == [.text("a")])
    #expect(rest.files.isEmpty)
    #expect(throws: MessageStore.Failure.self) { _ = try test.store.draft(alone) }
    #expect(try test.store.draftCount() == 2)
  }

  @Test("a thread shows its draft, and a thread that has only a draft is new")
  func flag() throws {
    let test = try TestStore()
    try test.store.saveDraft(Sample.text("draft"), in: .participants([Sample.ann]))
    #expect(try test.thread.summary.draft == .new)
    #expect(try test.thread.summary.preview == .text("draft"))
    test.phone.now += 1
    try test.store.receive(sms: "newer", from: Sample.ann)
    #expect(try test.thread.summary.draft == .inThread)
    #expect(try test.thread.summary.preview == .text("newer"))
    #expect(try test.store.draft(try #require(try test.thread.draft)).message.text == "draft")
  }

  @Test("a thread has one draft, which is replaced with the files that it no longer has")
  func replaced() throws {
    let test = try TestStore()
    let first = try test.store.saveDraft(
      Sample.picture(), in: .participants([Sample.ann]), files: ["photo": try test.file("old")])
    let second = try test.store.saveDraft(Sample.text("only text"), in: .thread(try test.thread.id))
    #expect(first == second)
    #expect(test.storedFiles.isEmpty)
    #expect(try !test.thread.summary.hasAttachment)
  }

  @Test("files of a draft that is saved again stay without being given again")
  func keepsFiles() throws {
    let test = try TestStore()
    let id = try #require(
      try test.store.saveDraft(Sample.picture(), in: .new, files: ["photo": try test.file("bytes")]))
    try test.store.saveDraft(Sample.picture(to: Sample.ben), in: .draft(id))
    #expect(try test.store.draft(id).files.count == 1)
    #expect(test.storedFiles.count == 1)
  }

  @Test("an empty message removes the draft, and the thread that had nothing else")
  func empty() throws {
    let test = try TestStore()
    try test.store.saveDraft(Sample.text("x"), in: .participants([Sample.ann]))
    #expect(try test.store.saveDraft(MessageComposition(), in: .participants([Sample.ann])) == nil)
    #expect(try test.store.threads().isEmpty)
    #expect(try test.store.saveDraft(MessageComposition(), in: .new) == nil)
  }

  @Test("any number of new messages have drafts, newest first")
  func new() throws {
    let test = try TestStore()
    for number in 0..<3 {
      test.phone.now += 1
      try test.store.saveDraft(Sample.text("\(number)"), in: .new)
    }
    #expect(try test.store.newDrafts().map(\.message.text) == ["2", "1", "0"])
    try test.store.delete(try test.store.newDrafts()[0].id)
    #expect(try test.store.newDrafts().map(\.message.text) == ["1", "0"])
  }

  @Test("sending turns the draft into the message, once")
  func sent() throws {
    let test = try TestStore()
    let message = Sample.picture(to: Sample.ann)
    let draft = try #require(
      try test.store.saveDraft(message, in: .new, files: ["photo": try test.file("bytes")]))
    let id = try test.store.send(message, from: draft)
    #expect(try test.store.newDrafts().isEmpty)
    let parts = try test.store.message(id).parts
    #expect(parts.map(\.text) == ["before", nil, "after"])
    let path = try #require(parts[1].path)
    #expect(try String(contentsOfFile: path.text, encoding: .utf8) == "bytes")
    let error = #expect(throws: MessageStore.Failure.self) { try test.store.send(message, from: draft) }
    #expect(error?.code == .notFound)
    #expect(try test.thread.messageCount == 1)
  }

  @Test("a message that cannot be sent leaves its draft")
  func refused() throws {
    let test = try TestStore()
    let draft = try #require(try test.store.saveDraft(Sample.picture(to: Sample.ann), in: .new))
    var error = #expect(throws: MessageStore.Failure.self) {
      try test.store.send(Sample.picture(to: Sample.ann), from: draft)
    }
    #expect(error?.code == .fileMissing)
    error = #expect(throws: MessageStore.Failure.self) { try test.store.send(Sample.text("nobody"), from: draft) }
    #expect(error?.code == .blocked)
    #expect(error?.message == "The message cannot be sent. It has no recipient.")
    #expect(try test.store.newDrafts().count == 1)
    #expect(try test.store.threads().isEmpty)
    #expect(test.storedFiles.isEmpty)
  }
}

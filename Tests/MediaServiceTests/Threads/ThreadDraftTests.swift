internal import AttachmentPolicy
internal import Crypto
internal import FileSupport
internal import Foundation
internal import GRDB
internal import MMSCodec
internal import MediaLibrary
internal import MediaModel
internal import MessageStore
internal import Messaging
internal import TestSupport
internal import Testing

@testable internal import MediaService

@Suite("Drafts of threads") struct ThreadDraftTests {
  private let anna = Caller(owner: "anna")
  private let bert = Caller(owner: "bert")

  private func draft(_ json: String) throws -> MediaService.ThreadDraft {
    try JSONDecoder().decode(MediaService.ThreadDraft.self, from: Data(json.utf8))
  }

  @Test("a draft is restored whole: recipients, subject, texts and attachments in their order (R-MMS-8)")
  func restored() async throws {
    let fixture = try await ServiceFixture()
    let photo = try await fixture.add("camera-roll/IMG_0001.jpg")
    let content =
      "[{\"text\":\"before\"},{\"attachment\":\"\(photo)\",\"altText\":\"A lake\","
      + "\"crop\":{\"x\":1,\"y\":2,\"width\":30,\"height\":40}},{\"text\":\"after\"}]"
    let made = try await fixture.service.createThread(
      try draft("{\"to\":[\"\(Carrier.ann)\"],\"subject\":\"Lake\",\"content\":\(content)}"), of: anna)
    try await fixture.service.close()
    let service = try await ServiceFixture(in: fixture.folder).service
    let kept = try await service.draft(ofThread: made.thread, of: anna)
    #expect(kept.to == [Carrier.ann])
    #expect(kept.subject == "Lake")
    #expect(kept.content.map(\.text) == ["before", nil, "after"])
    #expect(kept.content[1].attachment == photo)
    #expect(kept.content[1].altText == "A lake")
    #expect(kept.content[1].crop == PixelRect(x: 1, y: 2, width: 30, height: 40))
    #expect(kept.content[1].info?.type == .jpeg)
    #expect(kept.content[1].thumbnail?.hasPrefix("/v1/attachments/\(photo)/renditions/grid-x1y2w30h40.webp") == true)
    #expect(try await service.threads(for: anna).threads.first?.draft == .new)
    // What arrives in the thread leaves the draft as it is.
    _ = try await service.receiveMessage(try Carrier.retrieved(photo: [1]), for: anna)
    #expect(try await service.thread(made.thread, of: anna).draft == .inThread)
    #expect(try await service.draft(ofThread: made.thread, of: anna).content.count == 3)
  }

  @Test("saving replaces the draft of the thread, and an empty one removes it (R-MMS-9, A35)") func replaced()
    async throws
  {
    let service = try await ServiceFixture { $0.limits.drafts = 1 }.service
    let thread = try await service.createThread(
      try draft("{\"to\":[\"\(Carrier.ann)\"],\"content\":[{\"text\":\"one\"}]}"), of: anna
    ).thread
    let two = try draft("{\"content\":[{\"text\":\"two\"}]}")
    let second = try await service.saveDraft(two, inThread: thread, of: anna)
    #expect(second?.to == [Carrier.ann])
    #expect(second?.content.map(\.text) == ["two"])
    let more = try draft("{\"to\":[\"+15550002222\"],\"content\":[{\"text\":\"x\"}]}")
    #expect(await code { _ = try await service.createThread(more, of: anna) } == "quotaExceeded")
    #expect(try await service.saveDraft(try draft("{}"), inThread: thread, of: anna) == nil)
    #expect(await code { _ = try await service.thread(thread, of: anna) } == "notFound")
    let texts = [
      "{\"to\":[\"\(Carrier.ann)\"]}", "{\"content\":[{\"text\":\"x\"}]}", "{\"to\":[\"\"],\"content\":[]}",
    ]
    for json in texts {
      let wrong = try draft(json)
      #expect(await code { _ = try await service.createThread(wrong, of: anna) } == "invalidRequest", "\(json)")
    }
  }

  @Test("an attachment that is erased leaves drafts of threads, and one of somebody else never gets in") func erased()
    async throws
  {
    let fixture = try await ServiceFixture()
    let service = fixture.service
    let photo = try await fixture.add("camera-roll/IMG_0001.jpg")
    let foreign = try await fixture.add("camera-roll/IMG_0001.jpg", owner: "bert")
    let wrong = try draft("{\"to\":[\"\(Carrier.ann)\"],\"content\":[{\"attachment\":\"\(foreign)\"}]}")
    #expect(await code { _ = try await service.createThread(wrong, of: anna) } == "notFound")
    let thread = try await service.createThread(
      try draft("{\"to\":[\"\(Carrier.ann)\"],\"content\":[{\"text\":\"a\"},{\"attachment\":\"\(photo)\"}]}"), of: anna
    ).thread
    _ = try await service.erase(try MediaService.fileID(photo), for: anna)
    #expect(try await service.draft(ofThread: thread, of: anna).content.map(\.text) == ["a"])
  }

  @Test("an attachment is erased although the messages of its owner cannot be opened") func erasedWithoutStore()
    async throws
  {
    let fixture = try await ServiceFixture()
    let photo = try await fixture.add("camera-roll/IMG_0001.jpg")
    _ = try await fixture.service.createThread(
      try draft("{\"to\":[\"\(Carrier.ann)\"],\"content\":[{\"attachment\":\"\(photo)\"}]}"), of: anna)
    try await fixture.service.close()
    let folder = fixture.service.configuration.library.data.appending("messages".utf8).text
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
    // The log of the database has its pages, too.
    try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
    try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: false)
    try Data("no database".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)/messages.sqlite"))
    let service = try await ServiceFixture(in: fixture.folder).service
    #expect(await code { _ = try await service.threads(for: anna) } != nil)
    let report = try await service.erase(try MediaService.fileID(photo), for: anna)
    #expect(report.files == 1)
    #expect(await code { _ = try await service.erase(try MediaService.fileID(photo), for: anna) } == "notFound")
  }

  @Test("a committed draft is a message of its thread, handed out as a PDU until the carrier has it (R-MMS-39)")
  func committed() async throws {
    let fixture = try await ServiceFixture()
    let service = fixture.service
    let photo = try await fixture.add("camera-roll/IMG_0001.jpg")
    let thread = try await service.createThread(
      try draft(
        "{\"to\":[\"\(Carrier.ann)\"],\"content\":[{\"text\":\"Look\"},{\"attachment\":\"\(photo)\"}]}"), of: anna
    ).thread
    let sent = try await service.commitDraft(ofThread: thread, .init(), of: anna)
    #expect(sent.message.thread == thread)
    #expect(sent.message.direction == "outgoing")
    #expect(sent.message.state == "sending")
    #expect(sent.requests.count == 1)
    let request = try #require(sent.requests.first)
    let pdu = try MMSMessage(decoding: try #require(request.pdu))
    #expect(pdu.type == .sendReq)
    #expect(pdu.transactionID?.text == request.transactionID)
    #expect(try #require(request.pdu).count <= 307_200)
    #expect(await code { _ = try await service.draft(ofThread: thread, of: anna) } == "notFound")
    #expect(await code { _ = try await service.commitDraft(ofThread: thread, .init(), of: anna) } == "notFound")
    // The message has its own files.
    _ = try await service.erase(try MediaService.fileID(photo), for: anna)
    #expect(try await service.requests(of: sent.message.id, for: anna).map(\.pdu) == [request.pdu])
    #expect(try await service.messageFile(1, of: sent.message.id, for: anna).content.type == .jpeg)
    let answer = try await service.receiveMessage(try Carrier.accepted(request.transactionID), for: anna)
    #expect(answer.message?.state == "sent")
    #expect(try await service.requests(of: sent.message.id, for: anna).isEmpty)
    #expect(answer.message?.recipients?.map(\.submission) == ["accepted"])
  }

  @Test("a commit with an idempotency key has its message when it is repeated, although its answer was not kept")
  func committedAgain() async throws {
    let fixture = try await ServiceFixture()
    let service = fixture.service
    let new = MediaService.ThreadDraft(content: [.text("Hello")], to: [Carrier.ann])
    let thread = try await service.createThread(new, of: anna).thread
    let sent = try await service.commitDraft(ofThread: thread, .init(), of: anna, key: "one")
    let again = try await service.commitDraft(ofThread: thread, .init(), of: anna, key: "one")
    #expect(again.message.id == sent.message.id)
    #expect(again.requests.map(\.transactionID) == sent.requests.map(\.transactionID))
    #expect(
      await code { _ = try await service.commitDraft(ofThread: thread, .init(), of: anna, key: "two") } == "notFound")
    // Another key is another message, and so is the same one when answers are no longer kept.
    _ = try await service.saveDraft(try draft("{\"content\":[{\"text\":\"two\"}]}"), inThread: thread, of: anna)
    let second = try await service.commitDraft(ofThread: thread, .init(), of: anna, key: "two")
    #expect(second.message.id != sent.message.id)
    fixture.clock.advance(service.configuration.limits.answerLifetime + 1)
    #expect(
      await code { _ = try await service.commitDraft(ofThread: thread, .init(), of: anna, key: "one") } == "notFound")
  }

  @Test("a blocked file is in no PDU that is handed out again") func blocked() async throws {
    let fixture = try await ServiceFixture()
    let service = fixture.service
    let photo = try await fixture.add("camera-roll/IMG_0001.jpg")
    let new = try draft("{\"to\":[\"\(Carrier.ann)\"],\"content\":[{\"attachment\":\"\(photo)\"}]}")
    let thread = try await service.createThread(new, of: anna).thread
    let id = try await service.commitDraft(ofThread: thread, .init(), of: anna).message.id
    #expect(try await service.requests(of: id, for: anna).count == 1)
    let file = try await service.messageFile(1, of: id, for: anna).content
    let digest = try #require(ContentDigest(bytes: Data(SHA256.hash(data: file.bytes))))
    _ = try await service.library.moderate { try $0.block(digest, reason: "spam", by: "moderator", at: 1) }
    #expect(await code { _ = try await service.requests(of: id, for: anna) } == "refused")
  }

  @Test("a text alone is an SMS for each recipient, of which the client states the outcome") func sms() async throws {
    let service = try await ServiceFixture().service
    let thread = try await service.createThread(
      try draft("{\"to\":[\"\(Carrier.ann)\"],\"content\":[{\"text\":\"Hello\"}]}"), of: anna
    ).thread
    let sent = try await service.commitDraft(ofThread: thread, .init(), of: anna)
    let request = try #require(sent.requests.first)
    #expect(sent.message.type == .sms)
    #expect(request.pdu == nil)
    #expect(request.to == Carrier.ann)
    #expect(request.text == "Hello")
    let id = sent.message.id
    let waiting = try await service.finish(request.transactionID, of: id, with: .temporaryFailure, for: anna)
    #expect(waiting.state == "waiting")
    #expect(await code { _ = try await service.finish("x", of: id, with: .refused, for: bert) } == "notFound")
    #expect(try await service.modules(of: id, for: anna).type == .sms)
  }

  @Test("messages are read although no timer can be stored, such as that of the next attempt to send") func fullDisk()
    async throws
  {
    let fixture = try await ServiceFixture()
    let service = fixture.service
    let new = MediaService.ThreadDraft(content: [.text("Hello")], to: [Carrier.ann])
    let thread = try await service.createThread(new, of: anna).thread
    let sent = try await service.commitDraft(ofThread: thread, .init(), of: anna)
    let (id, transaction) = (sent.message.id, try #require(sent.requests.first?.transactionID))
    _ = try await service.finish(transaction, of: id, with: .temporaryFailure, for: anna)
    fixture.clock.advance(7_200)
    let folder = service.configuration.library.data.appending("messages".utf8).text
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
    let database = try DatabaseQueue(path: "\(folder)/\(name)/messages.sqlite")
    try await database.write { db in
      try db.execute(
        sql: "CREATE TRIGGER fault BEFORE DELETE ON outbox BEGIN SELECT RAISE(ABORT, 'the disk is full'); END")
    }
    #expect(try await service.message(id, of: anna).state == "waiting")
    #expect(try await service.messages(inThread: thread, of: anna).messages.map(\.state) == ["waiting"])
    try await database.write { db in try db.execute(sql: "DROP TRIGGER fault") }
    try database.close()
    #expect(try await service.message(id, of: anna).state == "sending")
  }

  @Test("a draft that cannot be sent stays, and the error names the reasons") func refused() async throws {
    let fixture = try await ServiceFixture()
    let service = fixture.service
    let photo = try await fixture.add("camera-roll/IMG_0001.jpg")
    let thread = try await service.createThread(
      try draft("{\"to\":[\"nobody\"],\"content\":[{\"attachment\":\"\(photo)\"}]}"), of: anna
    ).thread
    do throws(ServiceError) {
      _ = try await service.commitDraft(ofThread: thread, .init(), of: anna)
      Issue.record("it was committed")
    } catch {
      #expect(error.code == .refused)
      #expect(error.message.contains("Some recipients are invalid"))
    }
    #expect(try await service.draft(ofThread: thread, of: anna).content.count == 1)
    var request = MediaService.CompositionRequest()
    (request.thread, request.to) = (thread, [Carrier.ann])
    #expect(try await service.compose(request, for: anna).canSend)
    #expect(await code { _ = try await service.compose(request, for: bert) } == "notFound")
  }

  @Test("an edit that began before the erasure of its owner changes no later draft (R-MYM-24)") func erasedMeanwhile()
    async throws
  {
    let service = try await ServiceFixture().service
    let new = MediaService.ThreadDraft(content: [.text("new")], to: [Carrier.ann])
    let thread = try await service.createThread(new, of: anna).thread
    let turn = MediaService.turn(try MediaService.thread(thread), anna)
    let old = try draft("{\"content\":[{\"text\":\"old\"}]}")
    let edits = try await service.draftTurns.take(turn) { () async throws(ServiceError) -> [Task<String?, Never>] in
      let commit = Task {
        await code { _ = try await service.commitDraft(ofThread: thread, .init(), of: anna) }
      }
      let save = Task { await code { _ = try await service.saveDraft(old, inThread: thread, of: anna) } }
      let removal = Task { await code { try await service.deleteDraft(ofThread: thread, of: anna) } }
      while await service.draftTurns.waitingCount(turn) < 3 { await Task.yield() }
      _ = try await service.eraseOwner(for: anna)
      // The new thread has the number of the old one.
      let again = try await service.createThread(new, of: anna)
      #expect(again.thread == thread)
      return [commit, save, removal]
    }
    for edit in edits { #expect(await edit.value == "gone") }
    #expect(try await service.draft(ofThread: thread, of: anna).content.map(\.text) == ["new"])
  }
}

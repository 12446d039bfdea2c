internal import AttachmentPolicy
internal import Foundation
internal import GRDB
internal import MediaLibrary
internal import MediaModel
internal import Testing

@testable internal import MediaService

@Suite("The end of drafts") struct DraftLifeTests {
  private let anna = Caller(owner: "anna")

  private func draft(_ fixture: ServiceFixture, text: String = "Hello") async throws -> (id: String, attachment: String)
  {
    let attachment = try await fixture.addRow("a.jpg", time: 1_600_000_000)
    let draft = try await fixture.service.createDraft(for: anna, thread: "t", text: text)
    _ = try await fixture.service.addToDraft(
      [.init(attachment: attachment, id: "first", altText: "A cat")], draft: draft.id, of: anna)
    return (draft.id, attachment)
  }

  @Test("a commit labels the attachments, ends the draft and repeats its answer, over a restart too (R-CHAT-17)")
  func commit() async throws {
    let fixture = try await ServiceFixture()
    let (id, attachment) = try await draft(fixture)
    let message = try await fixture.service.commitDraft(id, of: anna, labels: ["g:42"])
    #expect(message.text == "Hello")
    #expect(message.thread == "t")
    #expect(message.labels == ["g:42"])
    #expect(message.attachments.map(\.attachment) == [attachment])
    #expect(message.attachments[0].id == "first")
    #expect(message.attachments[0].altText == "A cat")
    let labels = try await fixture.service.database.read { try String.fetchAll($0, sql: "SELECT label FROM label") }
    #expect(labels == ["g:42"])
    #expect(await code { _ = try await fixture.service.draft(id, of: anna) } == "gone")
    #expect(await code { _ = try await fixture.service.changeDraft(id, of: anna, text: "x") } == "gone")
    #expect(try await fixture.service.drafts(of: anna).drafts.isEmpty)
    try await fixture.service.close()

    let again = try await ServiceFixture(in: fixture.folder, clock: fixture.clock)
    let second = try await again.service.commitDraft(id, of: anna, labels: ["other"])
    #expect(second.committed == message.committed)
    #expect(second.labels == ["g:42"])
    #expect(await code { _ = try await again.service.commitDraft(id, of: Caller(owner: "berta")) } == "notFound")
    // The thread is free for the next message.
    #expect(try await again.service.createDraft(for: anna, thread: "t").isNew)
    try await again.service.close()
  }

  @Test("a comment is a draft like a post: the same files get the same answer, in both (R-CHAT-9)")
  func comment() async throws {
    let fixture = try await ServiceFixture()
    let service = fixture.service
    var files: [String] = []
    for name in ["IMG_0001.jpg", "VID_0008.mp4", "Voice 001.m4a"] {
      files.append(try await fixture.add("camera-roll/\(name)"))
    }
    var posts: [[String]] = []
    var verdicts: [Bool] = []
    for thread in ["post 1", "post 1, comment 7"] {
      let draft = try await service.createDraft(for: anna, thread: thread, text: "Hello")
      _ = try await service.addToDraft(
        files.map { .init(attachment: $0, altText: "Of \($0)") }, draft: draft.id, of: anna)
      verdicts.append(try await service.draft(draft.id, of: anna).canSend)
      let message = try await service.commitDraft(draft.id, of: anna, labels: ["g:42"])
      #expect(message.thread == thread)
      posts.append(message.attachments.map { "\($0.attachment) \($0.altText ?? "")" })
    }
    #expect(posts[0] == posts[1])
    #expect(posts[0].count == 3)
    #expect(verdicts == [true, true])
  }

  @Test("an empty draft, and one with unfinished uploads, cannot be committed (R-TRAY-27)") func blocked() async throws
  {
    let fixture = try await ServiceFixture()
    let service = fixture.service
    let empty = try await service.createDraft(for: anna, text: "  ")
    #expect(try await service.draft(empty.id, of: anna).blockers.map(\.code) == ["empty"])
    #expect(await code { _ = try await service.commitDraft(empty.id, of: anna) } == "refused")
    try await service.database.write { db in
      try db.execute(
        sql: """
          INSERT INTO upload (id, owner, form, state, length, offset, name, draft, created, expires)
          VALUES ('u1', 'anna', 'tus', 'receiving', 1000, 400, 'a.jpg', ?1, 1, 2),
            ('u2', 'berta', 'tus', 'receiving', 1000, 400, 'b.jpg', ?1, 1, 2),
            ('u3', 'anna', 'tus', 'refused', 1000, 400, 'c.jpg', ?1, 1, 2)
          """, arguments: [empty.id])
    }
    let waiting = try await service.draft(empty.id, of: anna)
    #expect(waiting.uploads.map(\.id) == ["u1"])
    #expect(waiting.uploads[0].offset == 400)
    #expect(waiting.uploads[0].length == 1_000)
    #expect(waiting.blockers.map(\.code) == ["uploading"])
    #expect(waiting.blockers[0].ids == ["u1"])
    #expect(!waiting.canSend)
    let error = await #expect(throws: ServiceError.self) { try await service.commitDraft(empty.id, of: anna) }
    #expect(error?.code == .refused)
    #expect(error?.blockers == waiting.blockers)
    let sentence = "Files are still being uploaded; try again when they have arrived."
    #expect(error?.message == "The draft cannot be committed. \(sentence)")
  }

  @Test("a finished upload joins its draft; one whose draft is gone changes nothing") func uploaded() async throws {
    let fixture = try await ServiceFixture()
    let service = fixture.service
    let file = FileID(rawValue: try #require(Int64(try await fixture.addRow("a.jpg", time: 1))))
    let draft = try await service.createDraft(for: anna)
    #expect(try await service.addToDraft(file, draft: draft.id, owner: "anna").isAdded)
    #expect(try await service.draft(draft.id, of: anna).attachments.map(\.attachment) == ["\(file.rawValue)"])
    try await service.deleteDraft(draft.id, of: anna)
    #expect(try await !service.addToDraft(file, draft: draft.id, owner: "anna").isAdded)
    let theirs = try await service.createDraft(for: Caller(owner: "berta"))
    #expect(try await !service.addToDraft(file, draft: theirs.id, owner: "anna").isAdded)
    #expect(try await service.draft(theirs.id, of: Caller(owner: "berta")).attachments.isEmpty)
  }

  @Test("abandoned drafts and old answers are swept, others stay (R-MYM-9)") func sweep() async throws {
    let fixture = try await ServiceFixture {
      ($0.limits.draftLifetime, $0.limits.answerLifetime) = (1_000, 100)
    }
    let service = fixture.service
    let old = try await service.createDraft(for: anna, text: "old")
    let sent = try await service.createDraft(for: anna, text: "sent")
    _ = try await service.commitDraft(sent.id, of: anna)
    fixture.clock.advance(101)
    let touched = try await service.createDraft(for: anna, text: "new")
    try await service.sweepDrafts()
    #expect(await code { _ = try await service.commitDraft(sent.id, of: anna) } == "notFound")
    #expect(try await service.draft(old.id, of: anna).text == "old")
    fixture.clock.advance(900)
    try await service.sweepDrafts()
    #expect(await code { _ = try await service.draft(old.id, of: anna) } == "notFound")
    #expect(try await service.draft(touched.id, of: anna).text == "new")
    #expect(try await service.library.onDrafts { try $0.keys().count } == 1)
  }

  @Test("erasing a file takes it out of drafts (R-TRAY-22, R-MYM-12)") func erasedFile() async throws {
    let fixture = try await ServiceFixture()
    let (id, attachment) = try await draft(fixture)
    _ = try await fixture.service.library.erase(
      .file(FileID(rawValue: try #require(Int64(attachment)))), wiping: false)
    let draft = try await fixture.service.draft(id, of: anna)
    #expect(draft.attachments.isEmpty)
    #expect(draft.text == "Hello")
  }

  @Test(
    "erasing an attachment removes its name and facts from the answers of sent drafts, also outside the service",
    arguments: [false, true])
  func erasedAfterCommit(isOutside: Bool) async throws {
    let fixture = try await ServiceFixture()
    let service = fixture.service
    let attachment = try await fixture.addRow("a.jpg", time: 1_600_000_000) {
      ($0.latitude, $0.longitude) = (47.5, 8.5)
    }
    let kept = try await fixture.addRow("b.jpg", time: 1_600_000_001)
    let file = FileID(rawValue: try #require(Int64(attachment)))
    try await service.database.write { db in
      try AttachmentRecord.note(file, owner: "anna", name: "secret.jpg", in: db)
    }
    let sent = try await service.createDraft(for: anna, text: "Hello")
    _ = try await service.addToDraft(
      [
        .init(attachment: attachment, id: "first", altText: "A cat"),
        .init(attachment: kept, id: "second", altText: "A dog"),
      ], draft: sent.id, of: anna)
    let first = try await service.commitDraft(sent.id, of: anna).attachments
    #expect(first.map(\.name) == ["secret.jpg", nil])
    #expect(first[0].info?.latitude == 47.5)
    let damaged = try await service.createDraft(for: anna, text: "damaged")
    _ = try await service.commitDraft(damaged.id, of: anna)
    try await service.database.write { db in
      try db.execute(sql: "UPDATE draft SET answer = x'00' WHERE id = ?", arguments: [damaged.id])
    }
    if isOutside {
      _ = try await service.library.erase(.file(file), wiping: false)
      await service.buryLost()
    } else {
      _ = try await service.erase(file, for: anna)
    }
    let answer = try await service.commitDraft(sent.id, of: anna)
    #expect(answer.text == "Hello")
    #expect(answer.attachments.map(\.attachment) == [attachment, kept])
    #expect(answer.attachments[0].name == nil)
    #expect(answer.attachments[0].info == nil)
    #expect(answer.attachments.map(\.altText) == [nil, "A dog"])
    #expect(answer.attachments[1].info != nil)
    #expect(await code { _ = try await service.commitDraft(damaged.id, of: anna) } == "gone")
  }

  @Test("erasing an owner leaves nothing of its drafts, and all of others' (R-MYM-24)") func erasedOwner() async throws
  {
    let fixture = try await ServiceFixture()
    let service = fixture.service
    let (id, _) = try await draft(fixture)
    let sent = try await service.createDraft(for: anna, text: "was sent")
    _ = try await service.commitDraft(sent.id, of: anna)
    let theirs = try await service.createDraft(for: Caller(owner: "berta"), text: "stays")
    try await service.eraseDrafts(of: "anna")
    #expect(await code { _ = try await service.draft(id, of: anna) } == "notFound")
    #expect(try await service.draft(theirs.id, of: Caller(owner: "berta")).text == "stays")
    let rows = try await service.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM draft") }
    #expect(rows == 1)
    #expect(try await service.library.onDrafts { try $0.keys().count } == 1)
  }

  @Test("discarding twice succeeds, and the files stay") func discarded() async throws {
    let fixture = try await ServiceFixture()
    let (id, attachment) = try await draft(fixture)
    try await fixture.service.deleteDraft(id, of: anna)
    #expect(await code { try await fixture.service.deleteDraft(id, of: anna) } == "notFound")
    #expect(try await fixture.service.check([attachment], of: anna).accepted)
  }

  @Test("a stream reports each change of a draft with its version") func events() async throws {
    let service = try await ServiceFixture().service
    let stream = try service.trayEvents(for: anna)
    let draft = try await service.createDraft(for: anna)
    _ = try await service.changeDraft(draft.id, of: anna, text: "a")
    _ = try await service.changeDraft(draft.id, of: anna, text: "a")
    try await service.deleteDraft(draft.id, of: anna)
    let data = try #require(await stream.next()).map { String(decoding: $0.data, as: UTF8.self) }
    #expect(
      data == [
        "{\"id\":\"\(draft.id)\",\"version\":1}", "{\"id\":\"\(draft.id)\",\"version\":2}",
        "{\"id\":\"\(draft.id)\",\"removed\":true}",
      ])
  }
}

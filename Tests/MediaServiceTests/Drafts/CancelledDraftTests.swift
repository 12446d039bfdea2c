internal import AttachmentPolicy
internal import Crypto
internal import Foundation
internal import GRDB
internal import MediaLibrary
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaService

@Suite("Drafts that are cancelled (R-MMS-10)") struct CancelledDraftTests {
  private let anna = Caller(owner: "anna")

  /// All that a service has beside drafts: rows of attachments, labels, uses and moderation, threads with their messages, and stored files.
  private func state(_ fixture: ServiceFixture) async throws -> [String] {
    var state = try await fixture.service.database.read { db in
      try Self.rows(of: ["attachment", "label", "upload", "profile", "profile_image", "idempotency"], db)
    }
    var options = Configuration()
    options.readonly = true
    let catalogue = try DatabaseQueue(path: fixture.folder.path("library/catalogue.sqlite"), configuration: options)
    state += try await catalogue.read { db in
      try Self.rows(of: ["file", "content", "rendition", "file_use", "file_flag", "moment", "audit", "erasure"], db)
    }
    try catalogue.close()
    for owner in ["anna", "bert"] {
      let caller = Caller(owner: owner)
      for thread in try await fixture.service.threads(for: caller).threads {
        state.append("thread of \(owner): \(String(decoding: try ServiceJSON.encode(thread), as: UTF8.self))")
        let page = try await fixture.service.messages(inThread: thread.id, of: caller)
        state += try page.messages.map { String(decoding: try ServiceJSON.encode($0), as: UTF8.self) }
      }
    }
    return state + files(fixture)
  }

  private static func rows(of tables: [String], _ db: Database) throws -> [String] {
    try tables.flatMap { table in
      try Row.fetchAll(db, sql: "SELECT * FROM \(table) ORDER BY 1, 2").map { row in
        "\(table): \(row.map { "\($0.0)=\($0.1)" }.joined(separator: " "))"
      }
    }
  }

  /// Originals, renditions and files of messages, with their digests.
  private func files(_ fixture: ServiceFixture) -> [String] {
    let library = fixture.folder.url.appendingPathComponent("library")
    return (FileManager.default.subpaths(atPath: library.path) ?? []).sorted().compactMap { name in
      guard !name.contains(".sqlite"), !name.hasPrefix("drafts") else { return nil }
      let data = FileManager.default.contents(atPath: library.appendingPathComponent(name).path)
      return data.map { "\(name) \(SHA256.hash(data: $0))" }
    }
  }

  /// A draft with a text and a cropped photo with an alternative text, which was composed for a carrier.
  private func edited(_ fixture: ServiceFixture, _ photo: String) async throws -> String {
    let service = fixture.service
    let draft = try await service.createDraft(for: anna, thread: "t", text: "Hello").id
    _ = try await service.addToDraft([.init(attachment: photo)], draft: draft, of: anna)
    var change = MediaService.DraftAttachmentChange()
    (change.crop, change.altText) = (PixelRect(x: 10, y: 20, width: 200, height: 100), "A lake")
    _ = try await service.changeDraftAttachment(photo, change, draft: draft, of: anna)
    _ = try await service.changeDraft(draft, of: anna, text: "Hello again")
    var request = MediaService.CompositionRequest()
    (request.draft, request.to) = (draft, [Carrier.ann])
    #expect(try await service.compose(request, for: anna).canSend)
    return draft
  }

  @Test("R-MMS-10: discarding an edited draft leaves attachments, labels, messages and files as they were")
  func discarded() async throws {
    let fixture = try await ServiceFixture()
    let service = fixture.service
    let photo = try await fixture.add("camera-roll/IMG_0001.jpg")
    let before = try await state(fixture)
    #expect(before.contains { $0.hasPrefix("file: ") })
    let draft = try await edited(fixture, photo)
    // Somebody else cannot commit it.
    #expect(await code { _ = try await service.commitDraft(draft, of: Caller(owner: "bert")) } == "notFound")
    try await service.deleteDraft(draft, of: anna)
    #expect(await code { _ = try await service.draft(draft, of: anna) } == "notFound")
    #expect(try await service.drafts(of: anna).drafts.isEmpty)
    #expect(try await state(fixture) == before)
    // The photo can be sent as before.
    let next = try await edited(fixture, photo)
    #expect(try await service.commitDraft(next, of: anna, labels: ["g:42"]).attachments.count == 1)
    #expect(try await state(fixture) != before)
  }

  @Test("R-MMS-10: a draft that nobody commits is removed after its lifetime, and nothing else is") func abandoned()
    async throws
  {
    let fixture = try await ServiceFixture { $0.limits.draftLifetime = 1_000 }
    let photo = try await fixture.add("camera-roll/IMG_0001.jpg")
    let before = try await state(fixture)
    _ = try await edited(fixture, photo)
    fixture.clock.advance(2_000)
    try await fixture.service.sweepDrafts()
    #expect(try await fixture.service.drafts(of: anna).drafts.isEmpty)
    #expect(try await state(fixture) == before)
  }

  @Test("R-MMS-10: discarding the draft of a thread leaves the thread, its messages and all files as they were")
  func ofThread() async throws {
    let fixture = try await ServiceFixture()
    let service = fixture.service
    let photo = try await fixture.add("camera-roll/IMG_0001.jpg")
    _ = try await service.receiveMessage(try Carrier.retrieved(photo: [1]), for: anna)
    let before = try await state(fixture)
    let thread = try #require(try await service.threads(for: anna).threads.first).id
    let json = "{\"subject\":\"Lake\",\"content\":[{\"text\":\"Hello\"},{\"attachment\":\"\(photo)\"}]}"
    let draft = try JSONDecoder().decode(MediaService.ThreadDraft.self, from: Data(json.utf8))
    fixture.clock.advance(100)
    _ = try await service.saveDraft(draft, inThread: thread, of: anna)
    var request = MediaService.CompositionRequest()
    request.thread = thread
    #expect(try await service.compose(request, for: anna).canSend)
    // Nobody would get it: it cannot be committed.
    let invalid = MediaService.ThreadDraft(content: [.text("Hello")], to: ["nobody"])
    _ = try await service.saveDraft(invalid, inThread: thread, of: anna)
    #expect(await code { _ = try await service.commitDraft(ofThread: thread, .init(), of: anna) } == "refused")
    try await service.deleteDraft(ofThread: thread, of: anna)
    #expect(await code { _ = try await service.draft(ofThread: thread, of: anna) } == "notFound")

    let new = try await service.createThread(invalid, of: anna).thread
    try await service.deleteDraft(ofThread: new, of: anna)
    #expect(await code { _ = try await service.thread(new, of: anna) } == "notFound")
    #expect(try await state(fixture) == before)
  }
}

internal import AttachmentPolicy
internal import Foundation
internal import MediaLibrary
internal import MediaModel
internal import Testing

@testable internal import MediaService

@Suite("Drafts of the service") struct DraftTests {
  private let anna = Caller(owner: "anna")
  private let berta = Caller(owner: "berta")

  private func rows(_ fixture: ServiceFixture, _ count: Int) async throws -> [String] {
    var ids: [String] = []
    for number in 0..<count {
      ids.append(
        try await fixture.addRow("\(number).jpg", time: 1_600_000_000 + number) {
          $0.sha256 = String(repeating: "\(number % 10)", count: 64)
        })
    }
    return ids
  }

  @Test("a draft is there after a restart, with its order, crop and texts (R-TRAY-24, R-TRAY-27)") func restart()
    async throws
  {
    let fixture = try await ServiceFixture()
    let service = fixture.service
    let ids = try await rows(fixture, 3)
    let created = try await service.createDraft(for: anna, thread: "t1", text: "Hello")
    #expect(created.isNew)
    #expect(created.version == 1)
    _ = try await service.addToDraft(ids.map { .init(attachment: $0) }, draft: created.id, of: anna)
    var change = MediaService.DraftAttachmentChange()
    change.crop = .some(PixelRect(x: 10, y: 20, width: 100, height: 200))
    change.altText = .some("A red house")
    _ = try await service.changeDraftAttachment(ids[1], change, draft: created.id, of: anna)
    _ = try await service.changeDraft(created.id, of: anna, order: [ids[2], ids[0]])
    try await service.close()

    let again = try await ServiceFixture(in: fixture.folder)
    let draft = try await again.service.draft(created.id, of: anna)
    #expect(draft.text == "Hello")
    #expect(draft.thread == "t1")
    #expect(draft.version == 4)
    #expect(draft.attachments.map(\.id) == [ids[2], ids[0], ids[1]])
    #expect(draft.attachments[2].crop == PixelRect(x: 10, y: 20, width: 100, height: 200))
    #expect(draft.attachments[2].altText == "A red house")
    #expect(draft.attachments.allSatisfy { $0.upload == .uploaded })
    try await again.service.close()
  }

  @Test("a position beyond the ends of a draft is its first or last one", arguments: [Int.min, -1, 7, Int.max])
  func extremePositions(position: Int) async throws {
    let fixture = try await ServiceFixture()
    let service = fixture.service
    let (first, second) = (
      try await fixture.addRow("a.jpg", bytes: 1_000, time: 1), try await fixture.addRow("b.jpg", bytes: 2_000, time: 2)
    )
    let draft = try await service.createDraft(for: anna)
    _ = try await service.addToDraft([.init(attachment: first)], draft: draft.id, of: anna)
    _ = try await service.addToDraft([.init(attachment: second)], draft: draft.id, of: anna, at: position)
    let ids = try await service.draft(draft.id, of: anna).attachments.map(\.attachment)
    #expect(ids == (position < 0 ? [second, first] : [first, second]))
  }

  @Test("a thread has one draft, and a repeated creation finds the first") func repeated() async throws {
    let service = try await ServiceFixture().service
    let first = try await service.createDraft(for: anna, thread: "t", text: "a")
    let second = try await service.createDraft(for: anna, thread: "t", text: "b")
    #expect(second.id == first.id)
    #expect(!second.isNew)
    #expect(second.text == "a")
    #expect(try await service.createDraft(for: berta, thread: "t").id != first.id)
    let keyed = try await service.createDraft(for: anna, key: "k")
    #expect(try await service.createDraft(for: anna, key: "k").id == keyed.id)
    #expect(try await service.createDraft(for: berta, key: "k").id != keyed.id)
    #expect(try await service.createDraft(for: anna).id != keyed.id)
  }

  @Test("adding what is there changes nothing; other ids of the same photo or content are refused (R-TRAY-8)")
  func duplicates() async throws {
    let fixture = try await ServiceFixture()
    let service = fixture.service
    let ids = try await rows(fixture, 1)
    let copy = try await fixture.addRow("copy.jpg", time: 5) { $0.sha256 = String(repeating: "0", count: 64) }
    let draft = try await service.createDraft(for: anna)
    let once = try await service.addToDraft([.init(attachment: ids[0], id: "x")], draft: draft.id, of: anna)
    let twice = try await service.addToDraft([.init(attachment: ids[0], id: "x")], draft: draft.id, of: anna)
    #expect(once.version == 2)
    #expect(twice.version == 2)
    #expect(twice.attachments.map(\.id) == ["x"])
    #expect(twice.events?.isEmpty == true)
    do {
      _ = try await service.addToDraft([.init(attachment: copy)], draft: draft.id, of: anna)
      Issue.record("was added")
    } catch {
      #expect(error.verdict?.files.first?.reasons == [.duplicate(of: "x")])
    }
    let tap = try await service.addToDraft([.init(attachment: ids[0])], draft: draft.id, of: anna)
    #expect(tap.attachments.map(\.id) == ["x"])
  }

  @Test("reaching the limit is an event with the limit; more is refused with the verdict (R-TRAY-4, R-TRAY-12)")
  func limit() async throws {
    let fixture = try await ServiceFixture { $0.rules.maxAttachments = 2 }
    let service = fixture.service
    let ids = try await rows(fixture, 4)
    let draft = try await service.createDraft(for: anna)
    let full = try await service.addToDraft(ids.prefix(3).map { .init(attachment: $0) }, draft: draft.id, of: anna)
    #expect(full.attachments.map(\.id) == Array(ids.prefix(2)))
    #expect(full.limitReached)
    #expect(full.remaining == 0)
    #expect(full.events?.map(\.name) == ["added", "added", "refused", "limitReached"])
    #expect(full.events?.last?.limit == 2)
    do {
      _ = try await service.addToDraft([.init(attachment: ids[3])], draft: draft.id, of: anna)
      Issue.record("was added")
    } catch {
      #expect(error.code == .refused)
      #expect(error.verdict?.files.first?.reasons == [.tooManyAttachments(limit: 2)])
    }
    let left = try await service.removeFromDraft(ids[0], draft: draft.id, of: anna)
    #expect(left.events?.map(\.name) == ["removed", "limitLeft"])
  }

  @Test("a replacement takes the place of the old one, and nothing of that stays (R-MMS-35, R-MYM-8)") func replaced()
    async throws
  {
    let fixture = try await ServiceFixture { $0.rules.maxFileBytes = 1_000 }
    let service = fixture.service
    let ids = try await rows(fixture, 3)
    let large = try await fixture.addRow("large.jpg", bytes: 1_001, time: 9)
    let draft = try await service.createDraft(for: anna)
    _ = try await service.addToDraft(
      [.init(attachment: ids[0], altText: "old"), .init(attachment: ids[1])], draft: draft.id, of: anna)
    var change = MediaService.DraftAttachmentChange()
    change.replacement = .init(attachment: ids[2])
    let after = try await service.changeDraftAttachment(ids[0], change, draft: draft.id, of: anna)
    #expect(after.attachments.map(\.id) == [ids[2], ids[1]])
    #expect(after.attachments[0].altText == nil)
    change.replacement = .init(attachment: large)
    #expect(
      await code { _ = try await service.changeDraftAttachment(ids[1], change, draft: draft.id, of: anna) } == "refused"
    )
    #expect(try await service.draft(draft.id, of: anna).attachments.map(\.id) == [ids[2], ids[1]])
  }

  @Test("a crop outside of the image is refused (R-CHAT-12)") func crop() async throws {
    let fixture = try await ServiceFixture()
    let service = fixture.service
    let ids = try await rows(fixture, 1)
    let draft = try await service.createDraft(for: anna)
    _ = try await service.addToDraft([.init(attachment: ids[0])], draft: draft.id, of: anna)
    var change = MediaService.DraftAttachmentChange()
    change.crop = .some(PixelRect(x: 301, y: 0, width: 100, height: 300))
    #expect(
      await code { _ = try await service.changeDraftAttachment(ids[0], change, draft: draft.id, of: anna) } == "refused"
    )
    change.crop = .some(PixelRect(x: 300, y: 0, width: 100, height: 300))
    #expect(
      try await service.changeDraftAttachment(ids[0], change, draft: draft.id, of: anna).attachments[0].crop != nil)
    change.crop = .some(nil)
    #expect(
      try await service.changeDraftAttachment(ids[0], change, draft: draft.id, of: anna).attachments[0].crop == nil)
  }

  @Test("clearing removes the attachments and leaves the text (R-TRAY-26)") func clear() async throws {
    let fixture = try await ServiceFixture()
    let ids = try await rows(fixture, 2)
    let draft = try await fixture.service.createDraft(for: anna, text: "stays")
    _ = try await fixture.service.addToDraft(ids.map { .init(attachment: $0) }, draft: draft.id, of: anna)
    let after = try await fixture.service.removeFromDraft(nil, draft: draft.id, of: anna)
    #expect(after.attachments.isEmpty)
    #expect(after.text == "stays")
  }

  @Test("an edit for an old version is refused, and changes nothing") func versions() async throws {
    let service = try await ServiceFixture().service
    let draft = try await service.createDraft(for: anna, text: "a")
    let edited = try await service.changeDraft(draft.id, of: anna, text: "b", version: 1)
    #expect(edited.version == 2)
    #expect(
      await code { _ = try await service.changeDraft(draft.id, of: anna, text: "c", version: 1) }
        == "preconditionFailed")
    #expect(try await service.draft(draft.id, of: anna).text == "b")
  }

  @Test("edits at the same time are all made") func concurrent() async throws {
    let fixture = try await ServiceFixture { $0.rules.maxAttachments = nil }
    let ids = try await rows(fixture, 20)
    let service = fixture.service
    let draft = try await service.createDraft(for: anna)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for id in ids {
        group.addTask {
          _ = try? await service.addToDraft([.init(attachment: id, id: "n\(id)")], draft: draft.id, of: anna)
        }
      }
      try await group.waitForAll()
    }
    let after = try await service.draft(draft.id, of: anna)
    // Ten digests for twenty files: half of them are the same content.
    #expect(Set(after.attachments.compactMap(\.info.sha256)).count == 10)
    #expect(after.attachments.count == 10)
    #expect(after.version == 11)
  }

  @Test("drafts, attachments and ids of others look like ones that do not exist") func others() async throws {
    let fixture = try await ServiceFixture()
    let service = fixture.service
    let mine = try await fixture.addRow("a.jpg", time: 1)
    let theirs = try await fixture.addRow("b.jpg", owner: "berta", time: 1)
    let draft = try await service.createDraft(for: anna, text: "secret")
    for id in [draft.id, String(repeating: "0", count: 32), "../../etc", "", "%00"] {
      #expect(await code { _ = try await service.draft(id, of: berta) } == "notFound")
      #expect(await code { _ = try await service.changeDraft(id, of: berta, text: "x") } == "notFound")
      #expect(
        await code { _ = try await service.addToDraft([.init(attachment: theirs)], draft: id, of: berta) } == "notFound"
      )
      #expect(await code { _ = try await service.removeFromDraft(nil, draft: id, of: berta) } == "notFound")
      #expect(await code { _ = try await service.commitDraft(id, of: berta) } == "notFound")
      #expect(await code { try await service.deleteDraft(id, of: berta) } == "notFound")
      #expect(await code { _ = try await service.modules(of: id, for: berta) } == "notFound")
    }
    for id in [theirs, "999999", "0", "-1", "+\(mine)", "0\(mine)", " \(mine)", "9223372036854775808"] {
      #expect(
        await code { _ = try await service.addToDraft([.init(attachment: id)], draft: draft.id, of: anna) }
          == "notFound")
      #expect(await code { _ = try await service.check([id], of: anna) } == "notFound")
    }
    #expect(try await service.drafts(of: berta).drafts.isEmpty)
    let reader = Caller(owner: "anna", scope: .read)
    #expect(await code { _ = try await service.createDraft(for: reader) } == "forbidden")
    #expect(await code { _ = try await service.changeDraft(draft.id, of: reader, text: "x") } == "forbidden")
  }

  @Test("drafts are listed by their last change, in pages") func list() async throws {
    let fixture = try await ServiceFixture()
    var ids: [String] = []
    for _ in 0..<45 {
      fixture.clock.advance(1)
      ids.append(try await fixture.service.createDraft(for: anna).id)
    }
    fixture.clock.advance(1)
    _ = try await fixture.service.changeDraft(ids[7], of: anna, text: "touched")
    ids.append(ids.remove(at: 7))
    var found: [String] = []
    var before: String?
    repeat {
      let page = try await fixture.service.drafts(of: anna, before: before)
      found += page.drafts.map(\.id)
      before = page.next
    } while before != nil
    #expect(found == ids.reversed())
    #expect(await code { _ = try await fixture.service.drafts(of: anna, before: "x") } == "invalidRequest")
  }

  @Test("an owner has a limited number of drafts") func quota() async throws {
    let fixture = try await ServiceFixture { $0.limits.drafts = 2 }
    let first = try await fixture.service.createDraft(for: anna)
    _ = try await fixture.service.createDraft(for: anna)
    #expect(await code { _ = try await fixture.service.createDraft(for: anna) } == "quotaExceeded")
    _ = try await fixture.service.createDraft(for: berta)
    try await fixture.service.deleteDraft(first.id, of: anna)
    _ = try await fixture.service.createDraft(for: anna)
  }
}

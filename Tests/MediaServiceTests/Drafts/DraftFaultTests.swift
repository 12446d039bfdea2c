internal import Foundation
internal import GRDB
internal import MediaLibrary
internal import MediaModel
internal import Messaging
internal import TestSupport
internal import Testing

@testable internal import MediaService

/// One draft that is broken keeps no other one from being listed, edited and swept.
@Suite struct DraftFaultTests {
  private let anna = Caller(owner: "anna")

  @Test("A draft that cannot be read is not listed, and the others are")
  func listing() async throws {
    let fixture = try await ServiceFixture()
    let service = fixture.service
    _ = try await service.createDraft(for: anna, text: "broken")
    try damageStoredDrafts(in: fixture.folder.path("library/drafts"))
    let whole = try await service.createDraft(for: anna, text: "whole")
    #expect(try await service.drafts(of: anna).drafts.map(\.id) == [whole.id])
  }

  @Test("R-MYM-9: a draft that cannot be removed keeps no other abandoned one from being swept")
  func sweep() async throws {
    let fixture = try await ServiceFixture()
    let service = fixture.service
    let stuck = try await service.createDraft(for: anna, text: "stuck")
    let drafts = fixture.folder.path("library/drafts")
    for name in try FileManager.default.contentsOfDirectory(atPath: drafts) {
      let path = "\(drafts)/\(name)/draft.json"
      guard FileManager.default.fileExists(atPath: path) else { continue }
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.createDirectory(atPath: "\(path)/in", withIntermediateDirectories: true)
    }
    fixture.clock.advance(10)
    _ = try await service.createDraft(for: anna, text: "abandoned")
    fixture.clock.advance(3_000_000)
    try? await service.sweepDrafts()
    let left = try await service.database.read { db in try String.fetchAll(db, sql: "SELECT id FROM draft") }
    #expect(left == [stuck.id])
  }

  @Test(
    "An id that no path can name is refused",
    arguments: ["a/b", "a b", "%41", "ä", "a;b", "a\\b", "?", "#", ".", "..", "", "a\n"])
  func itemID(id: String) async throws {
    let fixture = try await ServiceFixture()
    let file = try await fixture.add("camera-roll/IMG_0001.jpg")
    let draft = try await fixture.service.createDraft(for: anna)
    let refused = await code {
      _ = try await fixture.service.addToDraft(
        [.init(attachment: file, id: id)], draft: draft.id, of: anna)
    }
    #expect(refused == "invalidRequest")
    let added = try await fixture.service.addToDraft(
      [.init(attachment: file, id: "Upload:1_a-b.c~@")], draft: draft.id, of: anna)
    #expect(added.attachments.map(\.id) == ["Upload:1_a-b.c~@"])
  }

  @Test("A draft shows, sends and labels nothing of a file that is another owner's by now")
  func movedFile() async throws {
    let fixture = try await ServiceFixture()
    let service = fixture.service
    let photo = try await fixture.add("camera-roll/IMG_0001.jpg")
    let draft = try await service.createDraft(for: anna, text: "Look!")
    _ = try await service.addToDraft([.init(attachment: photo)], draft: draft.id, of: anna)
    let file = try MediaService.fileID(photo)
    try await service.library.catalogue.assign([file], owner: "bert", collection: .none)
    let answer = try await service.draft(draft.id, of: anna)
    #expect(answer.attachments[0].thumbnail == nil)
    #expect(answer.attachments[0].placeholder == nil)
    #expect(!answer.canSend)
    #expect(answer.blockers.map(\.code) == ["blocked"])
    let module = try #require(try await service.modules(of: draft.id, for: anna).modules.last)
    #expect(module.media == nil)
    #expect(module.thumbnail == nil)
    #expect(await code { _ = try await service.commitDraft(draft.id, of: anna, labels: ["g:42"]) } == "refused")
    #expect(try await service.attachment(file, for: Caller(owner: "bert")).own?.labels == [])
  }

  @Test("A draft that was sent states all of its attachments: name, facts, crop and description")
  func committed() async throws {
    let fixture = try await ServiceFixture()
    let service = fixture.service
    let photo = try await fixture.add("camera-roll/IMG_0001.jpg")
    let file = try MediaService.fileID(photo)
    try await service.database.write { db in try AttachmentRecord.note(file, owner: "anna", name: "dog.jpg", in: db) }
    let draft = try await service.createDraft(for: anna, text: "Look!")
    _ = try await service.addToDraft([.init(attachment: photo, altText: "A dog")], draft: draft.id, of: anna)
    let sent = try await service.commitDraft(draft.id, of: anna)
    let item = try #require(sent.attachments.first)
    #expect(item.name == "dog.jpg")
    #expect(item.altText == "A dog")
    #expect(item.info?.type == .jpeg)
    #expect(item.info?.width != nil)
    // The answer that is repeated has it too.
    #expect(try await service.commitDraft(draft.id, of: anna).attachments.first?.info == item.info)
  }
}

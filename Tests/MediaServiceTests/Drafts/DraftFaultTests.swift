internal import Foundation
internal import GRDB
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
}

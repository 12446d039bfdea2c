internal import FileSupport
internal import MMSCodec
internal import MediaEngine
internal import MediaLibrary
internal import MediaModel
internal import Messaging
internal import TestSupport
internal import Testing

@testable internal import MediaService

@Suite("Crops of a draft (R-CHAT-12)") struct CroppedDraftTests {
  private let anna = Caller(owner: "anna")
  private let crop = PixelRect(x: 10, y: 20, width: 200, height: 100)

  /// A draft with a photo that is cropped.
  private func draft(_ fixture: ServiceFixture) async throws -> (id: String, photo: String) {
    let photo = try await fixture.add("camera-roll/IMG_0001.jpg")
    let draft = try await fixture.service.createDraft(for: anna, text: "Look!")
    _ = try await fixture.service.addToDraft([.init(attachment: photo)], draft: draft.id, of: anna)
    var change = MediaService.DraftAttachmentChange()
    change.crop = crop
    _ = try await fixture.service.changeDraftAttachment(photo, change, draft: draft.id, of: anna)
    return (draft.id, photo)
  }

  @Test("thumbnails of the draft and of its modules show the part that is sent") func thumbnails() async throws {
    let fixture = try await ServiceFixture()
    let (id, photo) = try await draft(fixture)
    let path = "/v1/attachments/\(photo)/renditions/"
    let answer = try await fixture.service.draft(id, of: anna)
    #expect(answer.attachments[0].thumbnail == path + "grid-x10y20w200h100.webp")
    let modules = try await fixture.service.modules(of: id, for: anna).modules
    #expect(modules[1].thumbnail == path + "message-x10y20w200h100.webp")
    #expect(modules[1].width == 200)
    #expect(modules[1].height == 100)
    #expect(modules[1].media == "/v1/attachments/\(photo)/original")

    let name = try #require(MediaService.RenditionName("view-x10y20w200h100.png", boxes: []))
    let file = try MediaService.fileID(photo)
    let part = try await fixture.service.rendition(name, of: file, for: .caller(anna))
    let facts = try await fixture.service.engine.probe(.bytes(part.bytes))
    #expect(facts.width == 200)
    #expect(facts.height == 100)
    let stored = try await fixture.service.library.catalogue.renditions(of: file)
    #expect(stored.contains { $0.name == "view-x10y20w200h100.png" })
    #expect(try await fixture.service.rendition(name, of: file, for: .caller(anna)) == part)
  }

  @Test("the message that is composed has the part alone") func composed() async throws {
    let fixture = try await ServiceFixture()
    let (id, _) = try await draft(fixture)
    var request = MediaService.CompositionRequest()
    (request.draft, request.to) = (id, ["+15551234567"])
    let message = try await fixture.service.compose(request, for: anna)
    let pdu = try #require(message.pdu)
    var defects: [MMSMessage.Defect] = []
    var parts: [MMSMessage.Part] = []
    _ = try MMSMessage(decoding: pdu[...], defects: &defects).moduleContent { part in
      parts.append(part)
      return MessageModule.File(part)
    }
    let facts = try await fixture.service.engine.probe(.bytes(Array(try #require(parts.first).content)))
    #expect(facts.width == 200)
    #expect(facts.height == 100)
  }

  @Test("others than the owner get no part by a name of their own, and nobody one outside of the image")
  func names() async throws {
    let fixture = try await ServiceFixture()
    let (_, photo) = try await draft(fixture)
    let file = try MediaService.fileID(photo)
    _ = try await fixture.service.library.catalogue.file(file)
    try await fixture.service.database.write { db in
      try AttachmentRecord.note(file, owner: "anna", name: nil, labels: ["g:42": true], in: db)
    }
    func result(of text: String, _ caller: Caller) async -> String? {
      await code {
        guard let name = MediaService.RenditionName(text, boxes: []) else { throw ServiceError(.gone, "no name") }
        _ = try await fixture.service.rendition(name, of: file, for: .caller(caller))
      }
    }
    let friend = Caller(owner: "bert", labels: ["g:42"])
    #expect(await result(of: "grid.webp", friend) == nil)
    #expect(await result(of: "grid-x10y20w200h100.webp", friend) == "notFound")
    #expect(await result(of: "grid-x0y0w99999h1.webp", anna) == "notFound")
    for text in [
      "grid-x010y20w200h100", "grid-y20x10w200h100", "grid-x1y2w3", "grid-", "grid-x1y2w3h4x5",
      "grid-x1y2w3h4-x1y2w3h4",
      "grid-x-1y2w3h4", "-x1y2w3h4", "65-x1y2w3h4", "grid-x1y2w3h99999999999999999999",
    ] {
      #expect(await result(of: text, anna) == "gone", "\(text)")
    }
  }
}

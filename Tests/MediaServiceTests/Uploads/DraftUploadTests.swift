internal import AttachmentPolicy
internal import Foundation
internal import MediaLibrary
internal import TestSupport
internal import Testing

@testable internal import MediaService

@Suite("Uploads for a draft (R-TRAY-27)") struct DraftUploadTests {
  private let anna = Caller(owner: "anna")

  @Test("the file is added when it has arrived; until then the draft lists the upload and cannot be sent")
  func resumable() async throws {
    let service = try await ServiceFixture().service
    let draft = try await service.createDraft(for: anna, text: "Look!")
    let photo = try Fixture.bytes("camera-roll/IMG_0001.jpg")
    let claims = Upload.Claims(name: "a.jpg", draft: draft.id)
    let upload = try await service.createUpload(.init(form: .tus, length: photo.count, claims: claims), for: anna)
    let half = Array(photo.prefix(1_000))
    _ = try await service.append(
      .init(form: .tus, offset: 0, bytes: half.count), to: upload.id, body: Pieces(half), interrupt: {}, for: anna)
    let waiting = try await service.draft(draft.id, of: anna)
    #expect(waiting.uploads.map(\.id) == [upload.id.rawValue])
    #expect(waiting.uploads.map(\.offset) == [1_000])
    #expect(waiting.blockers.map(\.code) == ["uploading"])
    #expect(await code { _ = try await service.commitDraft(draft.id, of: anna) } == "refused")

    let rest = Array(photo.dropFirst(1_000))
    let done = try await service.append(
      .init(form: .tus, offset: 1_000, bytes: rest.count), to: upload.id, body: Pieces(rest), interrupt: {}, for: anna)
    let attachment = try #require(done.attachment)
    #expect(attachment.draft?.isAdded == true)
    let full = try await service.draft(draft.id, of: anna)
    #expect(full.attachments.map(\.attachment) == ["\(attachment.id.rawValue)"])
    #expect(full.version == attachment.draft?.version)
    #expect(full.uploads.isEmpty)
    #expect(try await service.commitDraft(draft.id, of: anna).attachments.count == 1)
  }

  @Test("an upload that is deleted no longer keeps the draft from being sent") func deleted() async throws {
    let service = try await ServiceFixture().service
    let draft = try await service.createDraft(for: anna, text: "Look!")
    let upload = try await service.createUpload(
      .init(form: .tus, length: 10, claims: Upload.Claims(draft: draft.id)), for: anna)
    #expect(try await service.draft(draft.id, of: anna).canSend == false)
    try await service.deleteUpload(upload.id, for: anna)
    #expect(try await service.commitDraft(draft.id, of: anna).text == "Look!")
  }

  @Test("a draft of another owner, an unknown one and one that was sent take no upload") func unknown() async throws {
    let service = try await ServiceFixture().service
    let draft = try await service.createDraft(for: anna, text: "Look!")
    func create(_ id: String, _ caller: Caller) async -> String? {
      await code {
        _ = try await service.createUpload(.init(form: .tus, length: 1, claims: Upload.Claims(draft: id)), for: caller)
      }
    }
    func attach(_ id: String, _ caller: Caller) async -> String? {
      await code {
        _ = try await service.attach(Pieces([1]), length: 1, claims: Upload.Claims(draft: id), for: caller)
      }
    }
    let bert = Caller(owner: "bert")
    #expect(await create(draft.id, bert) == "notFound")
    #expect(await attach(draft.id, bert) == "notFound")
    #expect(await create(String(repeating: "0", count: 32), anna) == "notFound")
    _ = try await service.commitDraft(draft.id, of: anna)
    #expect(await create(draft.id, anna) == "gone")
    #expect(await attach(draft.id, anna) == "gone")
  }

  @Test("a file in one request is added too, and what the rules refuse is an attachment without the draft")
  func oneRequest() async throws {
    let service = try await ServiceFixture { $0.rules.maxAttachments = 1 }.service
    let draft = try await service.createDraft(for: anna)
    func attach(_ name: String) async throws -> IngestedAttachment {
      let bytes = try Fixture.bytes("camera-roll/\(name)")
      return try await service.attach(
        Pieces(bytes), length: bytes.count, claims: Upload.Claims(draft: draft.id), for: anna)
    }
    let first = try await attach("IMG_0001.jpg")
    #expect(first.draft?.isAdded == true)
    let second = try await attach("IMG_0002.jpg")
    #expect(second.draft?.isAdded == false)
    #expect(second.draft?.reasons == [.tooManyAttachments(limit: 1)])
    let now = try await service.draft(draft.id, of: anna)
    #expect(now.attachments.map(\.attachment) == ["\(first.id.rawValue)"])
    #expect(now.uploads.isEmpty)
  }

  @Test("while a file arrives in one request, its draft cannot be sent") func arriving() async throws {
    let service = try await ServiceFixture().service
    let draft = try await service.createDraft(for: anna, text: "Look!")
    let photo = try Fixture.bytes("camera-roll/IMG_0001.jpg")
    let (body, source) = AsyncStream<[UInt8]>.makeStream()
    let claims = Upload.Claims(draft: draft.id)
    let attaching = Task { [anna] in
      try await service.attach(body, length: photo.count, claims: claims, for: anna)
    }
    source.yield(Array(photo.prefix(100)))
    // Until the request has begun; it cannot end before its bytes have come.
    while try await service.draft(draft.id, of: anna).uploads.isEmpty { await Task.yield() }
    #expect(await code { _ = try await service.commitDraft(draft.id, of: anna) } == "refused")
    source.yield(Array(photo.dropFirst(100)))
    source.finish()
    _ = try await attaching.value
    #expect(try await service.commitDraft(draft.id, of: anna).attachments.count == 1)
  }
}

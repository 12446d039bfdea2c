internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import MediaModel
internal import MediaService

/// `/v1/drafts` and below. Each answer has the version of the draft as its `ETag`; with `If-Match`, a change is made to that version only.
struct DraftRoutes<Context: MediaRequestContext> {
  let service: MediaService

  func add(to router: some RouterMethods<Context>) {
    router.post("/v1/drafts", use: create)
    router.get("/v1/drafts", use: list)
    router.get("/v1/drafts/{draft}") { request, context in
      let caller = try context.requireCaller()
      let id = try context.parameters.require("draft")
      return try answer(
        try await Problem.mapping { () async throws(ServiceError) in try await service.draft(id, of: caller) })
    }
    router.patch("/v1/drafts/{draft}", use: change)
    router.delete("/v1/drafts/{draft}") { request, context in
      let caller = try context.requireCaller()
      let id = try context.parameters.require("draft")
      try await Problem.mapping { () async throws(ServiceError) in try await service.deleteDraft(id, of: caller) }
      return Response(status: .noContent)
    }
    router.post("/v1/drafts/{draft}/attachments", use: addAttachments)
    router.patch("/v1/drafts/{draft}/attachments/{item}", use: changeAttachment)
    router.delete("/v1/drafts/{draft}/attachments/{item}") { request, context in
      try await remove(try context.parameters.require("item").removingPercentEncoding, request, context)
    }
    router.delete("/v1/drafts/{draft}/attachments") { request, context in try await remove(nil, request, context) }
    router.post("/v1/drafts/{draft}/commit", use: commit)
  }

  private struct Creation: Decodable {
    var thread: String?
    var text: String?
    var attachments: [Addition]?
  }

  @Sendable private func create(_ request: Request, _ context: Context) async throws -> Response {
    let caller = try context.requireCaller()
    let bytes = try await JSONBody.bytes(of: request)
    let body = bytes.isEmpty ? Creation() : try JSONBody.decode(Creation.self, from: bytes, request)
    // A draft changes, so a repetition reads it again.
    let rebuild = { (status: HTTPResponse.Status, address: String) async throws -> Response in
      let id = address.split(separator: "/").last.map(String.init) ?? ""
      return try answer(try await service.draft(id, of: caller), status: status, location: true)
    }
    return try await Idempotency.respond(
      to: request, caller, service, name: Idempotency.digest(of: bytes), repeating: rebuild
    ) {
      var draft = try await service.createDraft(
        for: caller, thread: body.thread, text: body.text ?? "", key: Idempotency.key(of: request))
      let isNew = draft.isNew
      if let additions = body.attachments, !additions.isEmpty {
        draft = try await service.addToDraft(additions.map(\.value), draft: draft.id, of: caller)
      }
      return try answer(draft, status: isNew ? .created : .ok, location: true)
    }
  }

  private struct List: Encodable {
    var drafts: [MediaService.DraftAnswer]
    var next: String?
  }

  @Sendable private func list(_ request: Request, _ context: Context) async throws -> Response {
    let caller = try context.requireCaller()
    let before = request.parameter("before")
    let page = try await Problem.mapping { () async throws(ServiceError) in
      try await service.drafts(of: caller, before: before)
    }
    return try JSONAnswer.response(List(drafts: page.drafts, next: page.next))
  }

  private struct Change: Decodable {
    var text: String?
    var order: [String]?
  }

  @Sendable private func change(_ request: Request, _ context: Context) async throws -> Response {
    let caller = try context.requireCaller()
    let id = try context.parameters.require("draft")
    let version = try request.expectedVersion()
    let body = try await JSONBody.decode(Change.self, from: request)
    return try answer(
      try await Problem.mapping { () async throws(ServiceError) in
        try await service.changeDraft(id, of: caller, text: body.text, order: body.order, version: version)
      })
  }

  /// `{"attachment":"42","id":…,"altText":…}`, or only the id of the attachment.
  private struct Addition: Decodable {
    let value: MediaService.DraftAddition

    private enum Keys: CodingKey { case attachment, id, altText }

    init(from decoder: any Decoder) throws {
      if let id = try? decoder.singleValueContainer().decode(String.self) {
        value = MediaService.DraftAddition(attachment: id)
        return
      }
      let values = try decoder.container(keyedBy: Keys.self)
      value = MediaService.DraftAddition(
        attachment: try values.decode(String.self, forKey: .attachment),
        id: try values.decodeIfPresent(String.self, forKey: .id),
        altText: try values.decodeIfPresent(String.self, forKey: .altText))
    }
  }

  private struct Additions: Decodable {
    var attachments: [Addition]
    var position: Int?
  }

  @Sendable private func addAttachments(_ request: Request, _ context: Context) async throws -> Response {
    let caller = try context.requireCaller()
    let id = try context.parameters.require("draft")
    let version = try request.expectedVersion()
    let body = try await JSONBody.decode(Additions.self, from: request)
    return try answer(
      try await Problem.mapping { () async throws(ServiceError) in
        try await service.addToDraft(
          body.attachments.map(\.value), draft: id, of: caller, at: body.position, version: version)
      })
  }

  /// A key that is null removes the property; one that is absent leaves it.
  private struct AttachmentChange: Decodable {
    var value = MediaService.DraftAttachmentChange()

    private enum Keys: CodingKey { case crop, altText, position, replacement }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: Keys.self)
      if values.contains(.crop) { value.crop = .some(try values.decodeIfPresent(PixelRect.self, forKey: .crop)) }
      if values.contains(.altText) { value.altText = .some(try values.decodeIfPresent(String.self, forKey: .altText)) }
      value.position = try values.decodeIfPresent(Int.self, forKey: .position)
      value.replacement = try values.decodeIfPresent(Addition.self, forKey: .replacement)?.value
    }
  }

  @Sendable private func changeAttachment(_ request: Request, _ context: Context) async throws -> Response {
    let caller = try context.requireCaller()
    let id = try context.parameters.require("draft")
    let item = try context.parameters.require("item").removingPercentEncoding ?? ""
    let version = try request.expectedVersion()
    let body = try await JSONBody.decode(AttachmentChange.self, from: request)
    return try answer(
      try await Problem.mapping { () async throws(ServiceError) in
        try await service.changeDraftAttachment(item, body.value, draft: id, of: caller, version: version)
      })
  }

  private func remove(_ item: String?, _ request: Request, _ context: Context) async throws -> Response {
    let caller = try context.requireCaller()
    let id = try context.parameters.require("draft")
    let version = try request.expectedVersion()
    return try answer(
      try await Problem.mapping { () async throws(ServiceError) in
        try await service.removeFromDraft(item, draft: id, of: caller, version: version)
      })
  }

  private struct Commit: Decodable {
    var labels: [String]?
  }

  @Sendable private func commit(_ request: Request, _ context: Context) async throws -> Response {
    let caller = try context.requireCaller()
    let id = try context.parameters.require("draft")
    let version = try request.expectedVersion()
    let body = try await JSONBody.decodeIfPresent(Commit.self, from: request)
    let message = try await Problem.mapping { () async throws(ServiceError) in
      try await service.commitDraft(id, of: caller, labels: body?.labels ?? [], version: version)
    }
    return try JSONAnswer.response(message)
  }

  private func answer(
    _ draft: MediaService.DraftAnswer, status: HTTPResponse.Status = .ok, location: Bool = false
  ) throws -> Response {
    var headers: HTTPFields = [.eTag: "\"\(draft.version)\""]
    if location { headers[.location] = "/v1/drafts/\(draft.id)" }
    return try JSONAnswer.response(draft, status: status, headers: headers)
  }
}

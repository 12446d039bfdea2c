internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import MediaLibrary
internal import MediaService

/// Facts of attachments, and what owners change.
struct AttachmentRoutes<Context: MediaRequestContext> {
  let service: MediaService

  func add(to router: some RouterMethods<Context>) {
    let service = service
    router.get("/v1/attachments") { request, context in
      let caller = try context.requireCaller()
      let ids = try request.ids()
      // An id that is malformed is as unknown as one that does not exist.
      let found = try await service.attachments(ids.compactMap { FileID(address: $0) }, for: caller)
      return try JSONAnswer.response(["attachments": found])
    }
    router.get("/v1/attachments/:id") { request, context in
      let caller = try context.requireCaller()
      let found = try await service.attachment(try Self.id(request, context), for: caller)
      return try Self.answer(found)
    }
    router.patch("/v1/attachments/:id") { request, context in
      let caller = try context.requireCaller()
      let id = try Self.id(request, context)
      let change = try await JSONBody.decode(MediaService.AttachmentChange.self, from: request)
      let version = try Self.version(request)
      return try Self.answer(try await service.change(id, change, ifVersion: version, for: caller))
    }
    router.delete("/v1/attachments/:id") { request, context in
      let caller = try context.requireCaller()
      return try JSONAnswer.response(
        ErasureAnswer(try await service.erase(try Self.id(request, context), for: caller)))
    }
  }

  private static func id(_ request: Request, _ context: Context) throws -> FileID {
    guard let id = context.parameters.get("id").flatMap({ FileID(address: $0) }),
      request.uri.path == "/v1/attachments/\(id.rawValue)"
    else { throw ServiceError.notFound }
    return id
  }

  private static func answer(_ attachment: MediaService.Attachment) throws -> Response {
    var fields: HTTPFields = [:]
    if let version = attachment.version { fields[.eTag] = version }
    return try JSONAnswer.response(attachment, headers: fields)
  }

  /// The version that a change assumes; nil if it assumes none.
  private static func version(_ request: Request) throws -> String? {
    guard let field = request.headers[.ifMatch] else { return nil }
    switch EntityTags(field) {
    case .any: return nil
    case .list(let tags):
      guard tags.count == 1, let tag = tags.first, !tag.isWeak else {
        throw ServiceError(.preconditionFailed, "If-Match must contain exactly one strong entity tag.")
      }
      return tag.opaque
    }
  }
}

/// The numbers of an erasure by class, without paths of the server: the same keys for an attachment and for an owner.
struct ErasureAnswer: Encodable {
  private let erasure: MediaService.Erasure

  init(_ erasure: MediaService.Erasure) { self.erasure = erasure }

  private enum Keys: CodingKey {
    case files, collections, moments, notes, trips, reports, verdicts, locations, snapshots, originals, copies,
      originalBytes,
      renditions, attachments, isWiped, notErased, backupsUntil
  }

  func encode(to encoder: any Encoder) throws {
    try erasure.encodeServiceCounts(to: encoder)
    let report = erasure.library
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode(report.files, forKey: .files)
    try container.encode(report.collections, forKey: .collections)
    try container.encode(report.moments, forKey: .moments)
    try container.encode(report.notes, forKey: .notes)
    try container.encode(report.trips, forKey: .trips)
    try container.encode(report.reports, forKey: .reports)
    try container.encode(report.verdicts, forKey: .verdicts)
    try container.encode(report.locations, forKey: .locations)
    try container.encode(report.snapshots, forKey: .snapshots)
    try container.encode(report.originals, forKey: .originals)
    try container.encode(report.copies, forKey: .copies)
    try container.encode(report.originalBytes, forKey: .originalBytes)
    try container.encode(report.renditions, forKey: .renditions)
    try container.encode(report.attachments, forKey: .attachments)
    try container.encode(report.isWiped, forKey: .isWiped)
    // Number of files on the server that could not be read and may have more; the log names them.
    try container.encode(report.notErased.count, forKey: .notErased)
    try container.encodeIfPresent(erasure.backupsUntil, forKey: .backupsUntil)
  }
}

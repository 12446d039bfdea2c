internal import HTTPTypes
internal import Hummingbird
internal import MediaLibrary
internal import MediaService

/// Owners and their locations, signed URLs on request, and moderation.
struct OwnerRoutes<Context: MediaRequestContext> {
  let service: MediaService

  private struct GrantRequest: Decodable {
    let ids: [String]
    let rights: [String]?
  }

  private struct LocationRequest: Decodable {
    let sharing: Moment.LocationSharing
    let appliesToExisting: Bool?
  }

  private struct BlockRequest: Decodable {
    let reason: String?
    let similar: Bool?
  }

  func add(to router: some RouterMethods<Context>) {
    let service = service
    router.get("/v1/owner") { _, context in
      try JSONAnswer.response(try await service.usage(for: try context.requireCaller()))
    }
    router.delete("/v1/owner") { _, context in
      let caller = try context.requireCaller()
      return try JSONAnswer.response(ErasureAnswer(try await service.eraseOwner(for: caller)))
    }
    router.delete("/v1/collections") { request, context in
      let caller = try context.requireCaller()
      guard let name = request.parameter("name"), !name.isEmpty else {
        throw ServiceError(.invalidRequest, "The query parameter `name` is missing; it names the collection to erase.")
      }
      return try JSONAnswer.response(ErasureAnswer(try await service.erase(collection: name, for: caller)))
    }
    router.get("/v1/owner/location-sharing") { _, context in
      try JSONAnswer.response(try await service.locationSettings(for: try context.requireCaller()))
    }
    router.put("/v1/owner/location-sharing") { request, context in
      let caller = try context.requireCaller()
      let body = try await JSONBody.decode(LocationRequest.self, from: request)
      return try JSONAnswer.response(
        try await service.setLocationSharing(
          body.sharing, appliesToExisting: body.appliesToExisting ?? false, for: caller))
    }
    router.post("/v1/grants") { request, context in
      let caller = try context.requireCaller()
      let body = try await JSONBody.decode(GrantRequest.self, from: request)
      let rights = (body.rights ?? ["view"]).map { MediaService.Right(rawValue: $0) }
      guard rights.allSatisfy({ $0 != nil }) else {
        throw ServiceError(.invalidRequest, "`rights` may contain only `view` and `original`.")
      }
      let grants = try await service.grants(
        body.ids.compactMap { FileID(address: $0) }, rights: Set(rights.compactMap { $0 }), for: caller)
      return try JSONAnswer.response(["grants": grants])
    }
    router.delete("/v1/grants") { request, context in
      let caller = try context.requireCaller()
      let ids = try request.ids().map { FileID(address: $0) }
      guard ids.allSatisfy({ $0 != nil }) else { throw ServiceError.notFound }
      try await service.revokeGrants(ids.compactMap { $0 }, for: caller)
      return Response(status: .noContent)
    }
    router.post("/v1/moderation/attachments/:id/block") { request, context in
      let caller = try context.requireCaller()
      let id = try Self.id(request, context, "block")
      let body = try await JSONBody.decodeIfPresent(BlockRequest.self, from: request)
      return try JSONAnswer.response(
        try await service.block(id, reason: body?.reason ?? "", similar: body?.similar ?? false, by: caller))
    }
    router.post("/v1/moderation/attachments/:id/release") { request, context in
      let caller = try context.requireCaller()
      return try JSONAnswer.response(
        try await service.release(try Self.id(request, context, "release"), by: caller))
    }
  }

  private static func id(_ request: Request, _ context: Context, _ action: String) throws -> FileID {
    guard let id = context.parameters.get("id").flatMap({ FileID(address: $0) }),
      request.uri.path == "/v1/moderation/attachments/\(id.rawValue)/\(action)"
    else { throw ServiceError.notFound }
    return id
  }
}

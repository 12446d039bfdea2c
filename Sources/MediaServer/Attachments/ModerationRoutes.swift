internal import HTTPTypes
internal import Hummingbird
internal import MediaLibrary
internal import MediaService

/// Reports of readers, decisions about moments, and what moderators read.
struct ModerationRoutes<Context: MediaRequestContext> {
  let service: MediaService

  /// Items of a page without `limit`.
  private static var pageSize: Int { 50 }

  private struct ReportRequest: Decodable {
    let reason: String?
  }

  func add(to router: some RouterMethods<Context>) {
    addLists(to: router)
    addContents(to: router)
    addUnscannable(to: router)
    addTrips(to: router)
    let service = service
    router.post("/v1/attachments/:id/reports") { request, context in
      let caller = try context.requireCaller()
      guard let id = context.parameters.get("id").flatMap({ FileID(address: $0) }),
        request.uri.path == "/v1/attachments/\(id.rawValue)/reports"
      else { throw ServiceError.notFound }
      let body = try await JSONBody.decodeIfPresent(ReportRequest.self, from: request)
      try await service.report(id, reason: body?.reason ?? "", by: caller)
      return Response(status: .noContent)
    }
    router.post("/v1/moments/{moment}/reports") { request, context in
      let caller = try context.requireCaller()
      let moment = try Self.moment(context)
      let body = try await JSONBody.decodeIfPresent(ReportRequest.self, from: request)
      try await service.report(moment: moment, reason: body?.reason ?? "", by: caller)
      return Response(status: .noContent)
    }
    router.post("/v1/moderation/attachments/:id/protect") { request, context in
      let caller = try context.requireCaller()
      let id = try Self.attachment(request, context, "protect")
      let body = try await JSONBody.decodeIfPresent(ReportRequest.self, from: request)
      return try JSONAnswer.response(try await service.protect(id, reason: body?.reason ?? "", by: caller))
    }
    router.post("/v1/moderation/attachments/:id/unprotect") { request, context in
      let caller = try context.requireCaller()
      let id = try Self.attachment(request, context, "unprotect")
      return try JSONAnswer.response(try await service.unprotect(id, by: caller))
    }
    router.post("/v1/moderation/moments/{moment}/hold") { request, context in
      let caller = try context.requireCaller()
      let moment = try Self.moment(context)
      let body = try await JSONBody.decodeIfPresent(ReportRequest.self, from: request)
      return try JSONAnswer.response(try await service.hold(moment: moment, reason: body?.reason ?? "", by: caller))
    }
    router.post("/v1/moderation/moments/{moment}/release") { _, context in
      let caller = try context.requireCaller()
      return try JSONAnswer.response(try await service.release(moment: try Self.moment(context), by: caller))
    }
    router.post("/v1/moderation/moments/{moment}/protect") { request, context in
      let caller = try context.requireCaller()
      let moment = try Self.moment(context)
      let body = try await JSONBody.decodeIfPresent(ReportRequest.self, from: request)
      return try JSONAnswer.response(try await service.protect(moment: moment, reason: body?.reason ?? "", by: caller))
    }
    router.post("/v1/moderation/moments/{moment}/unprotect") { _, context in
      let caller = try context.requireCaller()
      return try JSONAnswer.response(try await service.unprotect(moment: try Self.moment(context), by: caller))
    }
  }

  /// What moderators read, in pages.
  private func addLists(to router: some RouterMethods<Context>) {
    let service = service
    router.get("/v1/moderation/reports") { request, context in
      let caller = try context.requireCaller()
      let page = try await service.reports(
        after: request.parameter("after"), limit: try Self.limit(request), for: caller)
      return try JSONAnswer.response(page)
    }
    router.get("/v1/moderation/audit") { request, context in
      let caller = try context.requireCaller()
      let page = try await service.moderationAudit(
        after: request.parameter("after"), limit: try Self.limit(request), for: caller)
      return try JSONAnswer.response(page)
    }
    router.get("/v1/moderation/attachments") { request, context in
      let caller = try context.requireCaller()
      let page = try await service.quarantined(
        after: request.parameter("after"), limit: try Self.limit(request), for: caller)
      return try JSONAnswer.response(page)
    }
    router.get("/v1/moderation/moments") { request, context in
      let caller = try context.requireCaller()
      let page = try await service.heldMoments(
        after: request.parameter("after"), limit: try Self.limit(request), for: caller)
      return try JSONAnswer.response(page)
    }
    router.get("/v1/moderation/contents") { request, context in
      let caller = try context.requireCaller()
      let page = try await service.blockedContents(
        after: request.parameter("after"), limit: try Self.limit(request), for: caller)
      return try JSONAnswer.response(page)
    }
  }

  /// Reports about trips, and decisions about them.
  private func addTrips(to router: some RouterMethods<Context>) {
    let service = service
    router.post("/v1/trips/{trip}/reports") { request, context in
      let caller = try context.requireCaller()
      let trip = try Self.trip(context)
      let body = try await JSONBody.decodeIfPresent(ReportRequest.self, from: request)
      try await service.report(trip: trip, reason: body?.reason ?? "", by: caller)
      return Response(status: .noContent)
    }
    router.get("/v1/moderation/trips") { request, context in
      let caller = try context.requireCaller()
      let page = try await service.heldTrips(
        after: request.parameter("after"), limit: try Self.limit(request), for: caller)
      return try JSONAnswer.response(page)
    }
    router.post("/v1/moderation/trips/{trip}/hold") { request, context in
      let caller = try context.requireCaller()
      let trip = try Self.trip(context)
      let body = try await JSONBody.decodeIfPresent(ReportRequest.self, from: request)
      return try JSONAnswer.response(try await service.hold(trip: trip, reason: body?.reason ?? "", by: caller))
    }
    router.post("/v1/moderation/trips/{trip}/release") { _, context in
      let caller = try context.requireCaller()
      return try JSONAnswer.response(try await service.release(trip: try Self.trip(context), by: caller))
    }
    router.post("/v1/moderation/trips/{trip}/protect") { request, context in
      let caller = try context.requireCaller()
      let trip = try Self.trip(context)
      let body = try await JSONBody.decodeIfPresent(ReportRequest.self, from: request)
      return try JSONAnswer.response(try await service.protect(trip: trip, reason: body?.reason ?? "", by: caller))
    }
    router.post("/v1/moderation/trips/{trip}/unprotect") { _, context in
      let caller = try context.requireCaller()
      return try JSONAnswer.response(try await service.unprotect(trip: try Self.trip(context), by: caller))
    }
  }

  private static func trip(_ context: Context) throws -> Trip.ID {
    guard let id = context.parameters.get("trip").flatMap({ FileID(address: $0) }) else { throw ServiceError.notFound }
    return Trip.ID(rawValue: id.rawValue)
  }

  /// Files that the malware scanner could not scan.
  private func addUnscannable(to router: some RouterMethods<Context>) {
    let service = service
    router.get("/v1/moderation/unscannable") { request, context in
      let caller = try context.requireCaller()
      let page = try await service.unscannable(
        after: request.parameter("after"), limit: try Self.limit(request), for: caller)
      return try JSONAnswer.response(page)
    }
    router.get("/v1/moderation/attachments/:id/original") { request, context -> Response in
      let caller = try context.requireCaller()
      let id = try Self.attachment(request, context, "original")
      let file = try await service.original(id, forModerator: caller)
      // Nobody knows yet what is in it, so no browser shows it by itself.
      let representation = Representation(file, id: "\(id.rawValue)", isSaved: true)
      return try representation.response(to: request, access: try GrantedAccess(request, context, service))
    }
    router.post("/v1/moderation/attachments/:id/accept") { request, context in
      let caller = try context.requireCaller()
      let id = try Self.attachment(request, context, "accept")
      let body = try await JSONBody.decodeIfPresent(ReportRequest.self, from: request)
      return try JSONAnswer.response(try await service.accept(id, reason: body?.reason ?? "", by: caller))
    }
  }

  /// Blocks of file content, whether an attachment has it or not.
  private func addContents(to router: some RouterMethods<Context>) {
    let service = service
    router.put("/v1/moderation/contents/{sha256}") { request, context in
      let caller = try context.requireCaller()
      let content = try Self.content(context)
      let body = try await JSONBody.decodeIfPresent(ReportRequest.self, from: request)
      return try JSONAnswer.response(
        try await service.block(content: content, reason: body?.reason ?? "", by: caller))
    }
    router.delete("/v1/moderation/contents/{sha256}") { _, context in
      let caller = try context.requireCaller()
      return try JSONAnswer.response(try await service.unblock(content: try Self.content(context), by: caller))
    }
  }

  private static func content(_ context: Context) throws -> ContentDigest {
    guard let content = context.parameters.get("sha256").flatMap({ ContentDigest(hexadecimal: $0) }) else {
      throw ServiceError(
        .invalidRequest, "File content is identified by its SHA-256: 64 lower-case hexadecimal digits.")
    }
    return content
  }

  private static func attachment(_ request: Request, _ context: Context, _ action: String) throws -> FileID {
    guard let id = context.parameters.get("id").flatMap({ FileID(address: $0) }),
      request.uri.path == "/v1/moderation/attachments/\(id.rawValue)/\(action)"
    else { throw ServiceError.notFound }
    return id
  }

  private static func moment(_ context: Context) throws -> Moment.ID {
    guard let id = context.parameters.get("moment").flatMap({ FileID(address: $0) }) else {
      throw ServiceError.notFound
    }
    return Moment.ID(rawValue: id.rawValue)
  }

  private static func limit(_ request: Request) throws -> Int {
    guard let text = request.parameter("limit") else { return pageSize }
    let limits = FieldLimits.moderationPage
    guard let limit = Int(text), limits.contains(limit) else {
      throw ServiceError(
        .invalidRequest, "`limit` must be from \(limits.lowerBound) to \(limits.upperBound).",
        numbers: ["limit": limits.upperBound])
    }
    return limit
  }
}

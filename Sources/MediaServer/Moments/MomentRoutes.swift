internal import HTTPTypes
internal import Hummingbird
internal import MediaLibrary
internal import MediaService

/// `/v1/moments` and `/v1/locations/moments`, with what is below. Each answer about a moment has its version as its `ETag`; with `If-Match`, or `version` in
/// the body, a change is made to that version only.
struct MomentRoutes<Context: MediaRequestContext> {
  let service: MediaService

  func add(to router: some RouterMethods<Context>) {
    let service = service
    router.post("/v1/moments") { request, context in
      let caller = try context.requireCaller()
      let address = try await Idempotency.create(MediaService.NewMoment.self, request, caller, service) { body in
        "/v1/moments/\(try await service.create(body, for: caller).rawValue)"
      }
      let moment = try await service.moment(try Self.id(address.split(separator: "/").last), for: caller)
      return try Self.answer(moment, status: .created, location: address)
    }
    router.get("/v1/moments") { request, context in
      let caller = try context.requireCaller()
      let order = try request.choice("order", of: Moment.Order.self, or: .time)
      return try JSONAnswer.response(
        try await service.moments(
          try request.momentQuery(), matching: request.parameter("q"), by: order, after: request.parameter("after"),
          limit: try request.number("limit") ?? 50, for: caller))
    }
    router.get("/v1/locations/moments") { request, context in
      let caller = try context.requireCaller()
      return try JSONAnswer.response(
        try await service.momentLocations(
          in: try request.bounds(), zoom: try request.number("zoom") ?? 2, try request.momentQuery(), for: caller))
    }
    router.get("/v1/locations/moments/{cluster}/members") { request, context in
      let caller = try context.requireCaller()
      return try JSONAnswer.response(
        try await service.momentMembers(
          of: try context.parameters.require("cluster"), try request.momentQuery(), after: request.parameter("after"),
          limit: try request.number("limit") ?? 100, for: caller))
    }
    router.get("/v1/moments/{moment}") { _, context in
      let caller = try context.requireCaller()
      return try Self.answer(try await service.moment(try Self.id(context), for: caller))
    }
    router.patch("/v1/moments/{moment}") { request, context in
      let caller = try context.requireCaller()
      let id = try Self.id(context)
      var change = try await JSONBody.decode(MediaService.MomentChange.self, from: request)
      let expected = try request.expectedVersion()
      if let expected { change.version = expected }
      return try Self.answer(
        try await Problem.mapping(isPrecondition: expected != nil) { [change] () async throws(ServiceError) in
          try await service.change(id, change, for: caller)
        })
    }
    router.delete("/v1/moments/{moment}") { request, context in
      let caller = try context.requireCaller()
      let id = try Self.id(context)
      let choice = try request.choice("attachment", of: MediaService.ErasureChoice.self, or: .erase)
      let expected = try request.expectedVersion()
      return try JSONAnswer.response(
        ErasureAnswer(
          try await Problem.mapping(isPrecondition: expected != nil) { () async throws(ServiceError) in
            try await service.eraseMoment(id, ifVersion: expected, attachment: choice, for: caller)
          }))
    }
  }

  private static func id(_ context: Context) throws -> Moment.ID { try id(context.parameters.get("moment")) }

  private static func id(_ text: (some StringProtocol)?) throws -> Moment.ID {
    guard let id = text.flatMap({ FileID(address: String($0)) }) else { throw ServiceError.notFound }
    return Moment.ID(rawValue: id.rawValue)
  }

  private static func answer(
    _ moment: MediaService.MomentAnswer, status: HTTPResponse.Status = .ok, location: String? = nil
  ) throws -> Response {
    var fields: HTTPFields = [.eTag: "\"\(moment.version)\""]
    fields[.location] = location
    return try JSONAnswer.response(moment, status: status, headers: fields)
  }
}

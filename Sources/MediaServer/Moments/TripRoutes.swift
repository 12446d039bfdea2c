internal import HTTPTypes
internal import Hummingbird
internal import MediaLibrary
internal import MediaService
internal import NIOCore

/// `/v1/trips` and below. Each answer about a trip has its version as its `ETag`; with `If-Match`, or `version` in the body, a change is made to that
/// version only.
struct TripRoutes<Context: MediaRequestContext> {
  let service: MediaService

  private struct Additions: Decodable {
    var moments: [String]
    var before: String?
    var version: Int?
  }

  func add(to router: some RouterMethods<Context>) {
    let service = service
    router.post("/v1/trips") { request, context in
      let caller = try context.requireCaller()
      let address = try await Idempotency.create(MediaService.NewTrip.self, request, caller, service) { body in
        "/v1/trips/\(try await service.add(body, for: caller).id)"
      }
      let trip = try await service.trip(try Self.id(address.split(separator: "/").last), for: caller)
      return try Self.answer(trip, status: .created, location: address)
    }
    router.get("/v1/trips") { request, context in
      let caller = try context.requireCaller()
      let order = try request.choice("order", of: Trip.Order.self, or: .started)
      return try JSONAnswer.response(
        try await service.trips(
          try request.momentQuery(), matching: request.parameter("q"), by: order, after: request.parameter("after"),
          limit: try request.number("limit") ?? 50, for: caller))
    }
    router.get("/v1/trips/{trip}") { _, context in
      let caller = try context.requireCaller()
      return try Self.answer(try await service.trip(try Self.id(context), for: caller))
    }
    router.patch("/v1/trips/{trip}") { request, context in
      let caller = try context.requireCaller()
      let id = try Self.id(context)
      var change = try await JSONBody.decode(MediaService.TripChange.self, from: request)
      let expected = try request.expectedVersion()
      if let expected { change.version = expected }
      return try Self.answer(
        try await Problem.mapping(isPrecondition: expected != nil) { [change] () async throws(ServiceError) in
          try await service.change(id, change, for: caller)
        })
    }
    router.delete("/v1/trips/{trip}") { request, context in
      let caller = try context.requireCaller()
      let id = try Self.id(context)
      let choice = try request.choice("moments", of: MediaService.ErasureChoice.self, or: .keep)
      let expected = try request.expectedVersion()
      return try JSONAnswer.response(
        ErasureAnswer(
          try await Problem.mapping(isPrecondition: expected != nil) { () async throws(ServiceError) in
            try await service.eraseTrip(id, ifVersion: expected, withMoments: choice == .erase, for: caller)
          }))
    }
    addMembers(to: router)
  }

  private func addMembers(to router: some RouterMethods<Context>) {
    let service = service
    router.get("/v1/trips/{trip}/moments") { request, context in
      let caller = try context.requireCaller()
      return try JSONAnswer.response(
        try await service.moments(
          of: try Self.id(context), after: request.parameter("after"), limit: try request.number("limit") ?? 50,
          for: caller))
    }
    router.post("/v1/trips/{trip}/moments") { request, context in
      let caller = try context.requireCaller()
      let id = try Self.id(context)
      let body = try await JSONBody.decode(Additions.self, from: request)
      let expected = try request.expectedVersion()
      return try Self.answer(
        try await Problem.mapping(isPrecondition: expected != nil) { () async throws(ServiceError) in
          try await service.add(
            body.moments, to: id, before: body.before, ifVersion: expected ?? body.version, for: caller)
        })
    }
    router.delete("/v1/trips/{trip}/moments") { request, context in
      let caller = try context.requireCaller()
      let id = try Self.id(context)
      let moments = try request.ids()
      let expected = try request.expectedVersion()
      return try Self.answer(
        try await Problem.mapping(isPrecondition: expected != nil) { () async throws(ServiceError) in
          try await service.remove(moments, from: id, ifVersion: expected, for: caller)
        })
    }
    router.get("/v1/trips/{trip}/path") { request, context in
      let caller = try context.requireCaller()
      let path = try await service.path(of: try Self.id(context), rules: try request.pathRules(), for: caller)
      return Response(
        status: .ok, headers: [.contentType: "application/geo+json", .cacheControl: "private, no-store"],
        body: ResponseBody(byteBuffer: try JSONAnswer.encode(path)))
    }
  }

  private static func id(_ context: Context) throws -> Trip.ID { try id(context.parameters.get("trip")) }

  private static func id(_ text: (some StringProtocol)?) throws -> Trip.ID {
    guard let id = text.flatMap({ FileID(address: String($0)) }) else { throw ServiceError.notFound }
    return Trip.ID(rawValue: id.rawValue)
  }

  private static func answer(
    _ trip: MediaService.TripAnswer, status: HTTPResponse.Status = .ok, location: String? = nil
  ) throws -> Response {
    var fields: HTTPFields = [.eTag: "\"\(trip.version)\""]
    fields[.location] = location
    return try JSONAnswer.response(trip, status: status, headers: fields)
  }
}

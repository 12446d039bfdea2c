internal import Hummingbird
internal import MediaLibrary
internal import MediaModel
internal import MediaService

/// `/v1/locations` and `/v1/locations/{cluster}/members`.
struct LocationRoutes<Context: MediaRequestContext> {
  let service: MediaService

  func add(to router: some RouterMethods<Context>) {
    router.get("/v1/locations") { request, context in
      let caller = try context.requireCaller()
      let bounds = try request.bounds()
      let (zoom, times) = (try request.number("zoom") ?? 2, try request.times())
      return try JSONAnswer.response(
        try await Problem.mapping { () async throws(ServiceError) in
          try await service.locations(in: bounds, zoom: zoom, times: times, for: caller)
        })
    }
    router.get("/v1/locations/{cluster}/members") { request, context in
      let caller = try context.requireCaller()
      let cluster = try context.parameters.require("cluster")
      let (limit, times) = (try request.number("limit") ?? 100, try request.times())
      return try JSONAnswer.response(
        try await Problem.mapping { () async throws(ServiceError) in
          try await service.members(
            of: cluster, times: times, after: request.parameter("after"), limit: limit, for: caller)
        })
    }
  }
}

extension Request {
  /// `south,west,north,east` in degrees; the world without it.
  func bounds() throws -> LocationMap.Bounds {
    guard let text = parameter("bounds") else { return .world }
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    guard numbers.count == 4, let south = numbers[0], let west = numbers[1], let north = numbers[2],
      let east = numbers[3], let bounds = LocationMap.Bounds(south: south, west: west, north: north, east: east)
    else {
      throw Problem(
        ServiceError(.invalidRequest, "`bounds` must be south,west,north,east in degrees, with south not above north."))
    }
    return bounds
  }

  /// `since` and `until` in seconds since 1970; `until` itself is not included.
  func times() throws -> Range<Int>? {
    let (since, until) = (try number("since"), try number("until"))
    guard since != nil || until != nil else { return nil }
    guard since ?? .min <= until ?? .max else {
      throw Problem(ServiceError(.invalidRequest, "`since` must not be after `until`."))
    }
    return (since ?? .min)..<(until ?? .max)
  }

  /// A whole number of the query; nil if it is absent.
  /// - Throws: ``Problem`` 400 for anything else.
  func number(_ name: String) throws -> Int? {
    guard let text = parameter(name) else { return nil }
    guard let number = Int(text) else {
      throw Problem(ServiceError(.invalidRequest, "`\(name)` must be a whole number."))
    }
    return number
  }
}

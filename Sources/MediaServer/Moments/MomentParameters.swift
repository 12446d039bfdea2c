internal import HTTPTypes
internal import Hummingbird
internal import MediaLibrary
internal import MediaService

extension Request {
  /// One of several words of the query; a default if it is absent.
  /// - Throws: ``Problem`` 400 for any other word.
  func choice<Value: RawRepresentable>(
    _ name: String, of type: Value.Type, or standard: Value
  ) throws -> Value where Value: CaseIterable, Value.RawValue == String {
    guard let text = parameter(name) else { return standard }
    guard let value = Value(rawValue: text) else {
      let words = Value.allCases.map(\.rawValue).joined(separator: ", ")
      throw Problem(ServiceError(.invalidRequest, "`\(name)` must be one of \(words)."))
    }
    return value
  }

  /// `audience`, `owner`, `kinds`, `since`, `until` and `changedSince`.
  func momentQuery() throws -> MediaService.MomentQuery {
    var query = MediaService.MomentQuery()
    query.audience = try choice("audience", of: Moment.Scope.Audience.self, or: .owner)
    // Repeated, because a name may contain a comma.
    let owners = uri.queryParameters[values: "owner"].map { String($0) }
    if !owners.isEmpty { query.owners = owners }
    if let kinds = parameter("kinds") {
      let words = kinds.split(separator: ",").map { Moment.Kind(rawValue: String($0)) }
      guard words.allSatisfy({ $0 != nil }) else {
        throw Problem(ServiceError(.invalidRequest, "`kinds` may contain only photo, video, audio and note."))
      }
      query.kinds = Set(words.compactMap { $0 })
    }
    (query.times, query.changedSince) = (try times(), try number("changedSince"))
    return query
  }

  /// `zoom`, `maxPoints`, `gapHours` and `gapKilometres`.
  func pathRules() throws -> Trip.Path.Rules {
    func number(_ name: String, _ range: ClosedRange<Int>) throws -> Int? {
      guard let number = try self.number(name) else { return nil }
      guard range.contains(number) else {
        throw Problem(
          ServiceError(
            .invalidRequest, "`\(name)` must be from \(range.lowerBound) to \(range.upperBound).",
            numbers: ["limit": range.upperBound, "actual": number]))
      }
      return number
    }
    var rules = Trip.Path.Rules()
    rules.zoom = try number("zoom", FieldLimits.zoom)
    if let points = try number("maxPoints", FieldLimits.pathPoints) { rules.maxPoints = points }
    if let hours = try number("gapHours", FieldLimits.gapHours) { rules.gapHours = Double(hours) }
    if let kilometres = try number("gapKilometres", FieldLimits.gapKilometres) {
      rules.gapKilometres = Double(kilometres)
    }
    return rules
  }
}

extension Problem {
  /// Calls a use case, with its errors as problems.
  /// - Parameter isPrecondition: Whether the version of the request stood in `If-Match`: another one is then 412, and 409 otherwise.
  static func mapping<Value>(
    isPrecondition: Bool, _ body: () async throws(ServiceError) -> Value
  ) async throws(Problem) -> Value {
    do { return try await body() } catch {
      throw isPrecondition && error.code == .versionConflict ? Problem(.preconditionFailed, error) : Problem(error)
    }
  }
}

extension Idempotency {
  /// Creates something once for its key.
  ///
  /// Only the address is kept with the key: what it names may be erased, and no answer must have it then.
  /// - Returns: The address of what was created, now or by the first request with the key.
  static func create<Body: Decodable>(
    _ type: Body.Type, _ request: Request, _ caller: Caller, _ service: MediaService,
    _ create: (Body) async throws -> String
  ) async throws -> String {
    let bytes = try await JSONBody.bytes(of: request)
    let body = try JSONBody.decode(type, from: bytes, request)
    let response = try await respond(to: request, caller, service, name: digest(of: bytes)) {
      Response(status: .created, headers: [.location: try await create(body)])
    }
    return response.headers[.location] ?? ""
  }
}

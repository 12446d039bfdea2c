public import MediaLibrary

/// Trips (R-MYM-18).
extension MediaService {
  /// Adds a trip of the caller.
  ///
  /// ``Configuration/review`` is asked if others would see it.
  /// - Throws: ``ServiceError/Code/invalidRequest`` beyond a limit, ``ServiceError/Code/diskFull``, ``ServiceError/Code/refused``.
  public func add(_ trip: NewTrip, for caller: Caller) async throws(ServiceError) -> TripAnswer {
    try caller.require([.read, .write])
    try check(title: trip.title, description: trip.description, times: [trip.started, trip.ended])
    try await requireRoom()
    let (work, now) = (work.begin(for: caller.owner), now())
    let hold = try await review(trip, for: caller)
    return try await ServiceError.mapping {
      try await library.changeMoments { moments in
        // Nothing comes back that was erased meanwhile.
        try work.requireRunning()
        var new = Trip.New(owner: caller.owner, title: trip.title, started: trip.started ?? now)
        (new.description, new.ended, new.visibility) = (trip.description, trip.ended, trip.visibility)
        new.hold = hold
        return TripAnswer(try moments.add(new))
      }
    }
  }

  /// A trip, as far as the caller sees it.
  /// - Throws: ``ServiceError/notFound``, also if the caller may not see it.
  public func trip(_ id: Trip.ID, for caller: Caller) async throws(ServiceError) -> TripAnswer {
    try await readTrip(id, for: caller) { moments, owner, audience in
      try moments.trip(id, of: [owner], for: audience).map(TripAnswer.init)
    }
  }

  /// A page of trips, most recently started first or by title; with words, those whose title and description have all of them, the last added first.
  /// - Parameters:
  ///   - query: The audience and the owners; the rest is of moments alone.
  ///   - after: The `next` of an earlier page. Default nil: the first page.
  ///   - limit: 1 to 200. Default 50.
  public func trips(
    _ query: MomentQuery, matching text: String? = nil, by order: Trip.Order = .started, after: String? = nil,
    limit: Int = 50, for caller: Caller
  ) async throws(ServiceError) -> TripList {
    try caller.require(.read)
    try check(limit: limit)
    if let text { try Self.check(words: text) }
    let owners = try owners(query.owners, query.audience, for: caller)
    let (audience, cursor) = (query.audience, after.map(CatalogueFile.Cursor.init))
    return try await ServiceError.mapping {
      try await library.readMoments { moments in
        let page =
          if let text {
            try moments.searchTrips(text, of: owners, for: audience, after: cursor, limit: limit)
          } else {
            try moments.trips(of: owners, for: audience, by: order, after: cursor, limit: limit)
          }
        return TripList(trips: page.trips.map(TripAnswer.init), next: page.next?.rawValue)
      }
    }
  }

  /// Changes a trip of the caller, completely or not at all (R-MYM-13).
  ///
  /// ``Configuration/review`` is asked when more people would see it, and when others see a new title or description.
  /// - Throws: ``ServiceError/notFound``, ``ServiceError/Code/versionConflict`` if the change names another version than the present one,
  ///   ``ServiceError/Code/invalidRequest`` beyond a limit, for an order of moments that the trip does not have, and for an order with other changes,
  ///   ``ServiceError/Code/refused``.
  public func change(_ id: Trip.ID, _ change: TripChange, for caller: Caller) async throws(ServiceError) -> TripAnswer {
    var ended: Int?
    if case .set(let time) = change.ended { ended = time }
    var description: String?
    if case .set(let text) = change.description { description = text }
    try check(title: change.title, description: description, times: [change.started, ended])
    let changes = change.changes
    if change.order != nil, !changes.isEmpty {
      throw ServiceError(.invalidRequest, "`order` and `orderByTime` must be the only change of a request.")
    }
    var first: [Moment.ID]?
    if case .first(let ids) = change.order { first = try MomentFields.moments(ids) }
    if change.order != nil {
      return try await editTrip(id, for: caller) { [first] moments in
        if let first { return try moments.arrange(first, in: id, of: caller.owner, version: change.version) }
        return try moments.arrangeByTime(id, of: caller.owner, version: change.version)
      }
    }
    // Another change in between makes another review necessary: what is shown has been asked about.
    for _ in 0..<8 {
      let review = try await review(change, of: id, for: caller)
      let all = changes + (review?.hold.map { [Trip.Change.hold($0)] } ?? [])
      do throws(ServiceError) {
        return try await editTrip(id, for: caller) { moments in
          try moments.change(id, of: caller.owner, version: review?.version ?? change.version, all)
        }
      } catch {
        // The version that was asked about is not the present one, and the caller named none.
        guard error.code == .versionConflict, review != nil, change.version == nil else { throw error }
      }
    }
    throw ServiceError(.busy, "The trip was changed by other requests during this one; try again.", retryAfter: 1)
  }

  // MARK: Moments of a trip

  /// A page of the moments of a trip that the caller sees, in the order of the trip.
  /// - Parameter limit: 1 to 200. Default 50.
  public func moments(
    of trip: Trip.ID, after: String? = nil, limit: Int = 50, for caller: Caller
  ) async throws(ServiceError) -> MomentList {
    try check(limit: limit)
    let cursor = after.map(CatalogueFile.Cursor.init)
    let page = try await readTrip(trip, for: caller) { moments, owner, audience -> Moment.Page? in
      guard try moments.trip(trip, of: [owner], for: audience) != nil else { return nil }
      return try moments.moments(of: trip, of: [owner], for: audience, after: cursor, limit: limit)
    }
    return MomentList(moments: try await describe(page.moments, for: caller), next: page.next?.rawValue)
  }

  /// Adds moments of the caller to a trip, in the order given. A moment may be in several trips; one that is in this trip moves.
  /// - Parameters:
  ///   - before: The moment of the trip before which they are put. Default nil: at the end.
  ///   - version: The version of the trip that the caller has seen. Default nil: any.
  public func add(
    _ moments: [String], to trip: Trip.ID, before: String? = nil, ifVersion version: Int? = nil, for caller: Caller
  ) async throws(ServiceError) -> TripAnswer {
    let limit = configuration.limits.batch
    return try await editTrip(trip, for: caller) { library in
      let ids = try Self.momentIDs(moments, limit: limit)
      let next = try MomentFields.moments(before.map { [$0] } ?? []).first
      for id in ids where try library.moment(id, in: .owner(caller.owner)) == nil { throw ServiceError.notFound }
      if let next, try !library.isMember(next, of: trip) {
        throw ServiceError(.invalidRequest, "`before` names a moment that the trip does not have.")
      }
      return try library.add(ids, to: trip, of: caller.owner, version: version, before: next)
    }
  }

  /// Removes moments from a trip of the caller. The moments stay.
  /// - Parameter version: The version of the trip that the caller has seen. Default nil: any.
  public func remove(
    _ moments: [String], from trip: Trip.ID, ifVersion version: Int? = nil, for caller: Caller
  ) async throws(ServiceError) -> TripAnswer {
    let limit = configuration.limits.batch
    return try await editTrip(trip, for: caller) { library in
      let ids = try Self.momentIDs(moments, limit: limit)
      return try library.remove(ids, from: trip, of: caller.owner, version: version)
    }
  }

  /// The path of a trip on the map: the moments whose location the caller sees, in the order of time, with gaps.
  /// - Parameter rules: What is a gap, and how much detail there is.
  /// - Returns: The path with ids as texts, as everywhere in the interface.
  public func path(
    of trip: Trip.ID, rules: Trip.Path.Rules = Trip.Path.Rules(), for caller: Caller
  ) async throws(ServiceError) -> Trip.Path.GeoJSON {
    try await readTrip(trip, for: caller) { moments, owner, audience in
      try moments.path(of: trip, of: [owner], for: audience, rules: rules)?.geoJSON(ids: .text)
    }
  }

  // MARK: Access

  private func readTrip<Value: Sendable>(
    _ id: Trip.ID, for caller: Caller,
    _ read: @escaping @Sendable (Moments, String, Moment.Scope.Audience) throws -> Value?
  ) async throws(ServiceError) -> Value {
    try caller.require(.read)
    let found = try await ServiceError.mapping {
      try await library.readMoments { moments in
        // The same steps for an id that nothing has.
        let owner = try moments.owner(of: id) ?? ""
        return try read(moments, owner, caller.audience(of: owner))
      }
    }
    guard let found else { throw .notFound }
    return found
  }

  private func editTrip(
    _ id: Trip.ID, for caller: Caller, _ edit: @escaping @Sendable (Moments) throws -> Trip
  ) async throws(ServiceError) -> TripAnswer {
    try caller.require(.read)
    return try await ServiceError.mapping {
      try await library.changeMoments { moments in
        guard try moments.trip(id, of: [caller.owner]) != nil else { throw ServiceError.notFound }
        try caller.require(.write)
        return TripAnswer(try edit(moments))
      }
    }
  }

  private static func momentIDs(_ ids: [String], limit: Int) throws(ServiceError) -> [Moment.ID] {
    guard (1...max(limit, 1)).contains(ids.count) else {
      throw ServiceError(
        .invalidRequest, "A request needs 1 to \(limit) moments.", numbers: ["limit": limit, "actual": ids.count])
    }
    return try MomentFields.moments(ids)
  }

  private func check(title: String?, description: String?, times: [Int?]) throws(ServiceError) {
    let limit = configuration.limits.textLength
    if title?.isEmpty == true { throw ServiceError(.invalidRequest, "`title` is empty.") }
    try MomentFields.check(title, "title", limit: limit)
    try MomentFields.check(description, "description", limit: limit)
    for time in times { try MomentFields.check(time: time, "started` and `ended") }
  }
}

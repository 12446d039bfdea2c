public import MediaLibrary

/// Complaints about the texts of trips, and what moderators decide about them (R-MYM-26). The moments of a trip are moderated by themselves.
extension MediaService {
  /// What a moderator sees of a trip that was held, released or protected.
  public struct TripModerationState: Encodable, Sendable {
    /// The id of the trip, which is in its path (`/v1/trips/{trip}`).
    public var id: String
    /// The name of the trip's owner.
    public var owner: String
    /// Whether its owner alone sees it.
    public var held: Bool
    /// Whether complaints do not hold it.
    public var protected: Bool
  }

  /// A trip that its owner alone sees until a moderator decides, with what a decision needs.
  public struct HeldTripItem: Encodable, Sendable {
    /// The id by which a moderator decides on the trip.
    public var id: String
    /// The name of the trip's owner.
    public var owner: String
    /// The title that the owner gave it.
    public var title: String
    /// The description that the owner gave it; nil for none.
    public var description: String?
    /// Whom it would be shown to.
    public var visibility: Moment.Visibility
    /// Why it is held.
    public var reason: String?
    /// Who decided.
    public var actor: String?
    /// When, in seconds since 1970.
    public var time: Int?
    /// Number of complaints that no moderator has answered.
    public var reports: Int
  }

  /// Records that a reader complains about a trip. As soon as ``Limits/reportThreshold`` readers did, its owner alone sees it, until a moderator releases it.
  /// Complaints do not hold a trip that is protected, or whose texts a moderator has released.
  /// - Parameter reason: For moderators.
  /// - Throws: ``ServiceError/notFound``, also if the caller may not see it; `invalidRequest` for one of the caller's own, and for a reason that is too long.
  public func report(trip id: Trip.ID, reason: String, by caller: Caller) async throws(ServiceError) {
    try check(reason: reason)
    let found = try await trip(id, for: caller)
    // By bytes, as the catalogue distinguishes owners.
    guard !found.owner.utf8.elementsEqual(caller.owner.utf8) else {
      throw ServiceError(.invalidRequest, "Owners cannot report their own trips.")
    }
    let (now, threshold) = (now(), configuration.limits.reportThreshold)
    try await ServiceError.mapping {
      try await library.moderate { moderation -> Void in
        let isHeld = try moderation.report(trip: id, by: caller.owner, reason: reason, at: now, threshold: threshold)
        guard isHeld != nil else { throw ServiceError.notFound }
      }
    }
  }

  /// Holds a trip: its owner alone sees it, until it is released. Its moments stay what they are.
  /// - Parameter reason: As in ``block(_:reason:similar:by:)``.
  /// - Throws: ``ServiceError/Code/forbidden`` without the scope, ``ServiceError/notFound``; `invalidRequest` for a reason that is too long.
  public func hold(trip id: Trip.ID, reason: String, by caller: Caller) async throws(ServiceError)
    -> TripModerationState
  {
    try caller.require(.moderate)
    try check(reason: reason)
    let now = now()
    return try await moderate(id, by: caller) { try $0.hold(trips: [id], reason: reason, by: caller.owner, at: now) }
  }

  /// Shows a held trip again to whom its owner allows, and answers the complaints about it.
  /// - Throws: As ``hold(trip:reason:by:)``.
  public func release(trip id: Trip.ID, by caller: Caller) async throws(ServiceError) -> TripModerationState {
    let now = now()
    return try await moderate(id, by: caller) { try $0.release(trips: [id], by: caller.owner, at: now) }
  }

  /// Protects a trip: complaints do not hold it.
  /// - Parameter reason: As in ``block(_:reason:similar:by:)``.
  /// - Throws: As ``hold(trip:reason:by:)``.
  public func protect(
    trip id: Trip.ID, reason: String, by caller: Caller
  ) async throws(ServiceError) -> TripModerationState {
    try caller.require(.moderate)
    try check(reason: reason)
    let now = now()
    return try await moderate(id, by: caller) { try $0.protect(trips: [id], reason: reason, by: caller.owner, at: now) }
  }

  /// Ends the protection of a trip.
  /// - Throws: As ``hold(trip:reason:by:)``.
  public func unprotect(trip id: Trip.ID, by caller: Caller) async throws(ServiceError) -> TripModerationState {
    let now = now()
    return try await moderate(id, by: caller) { try $0.unprotect(trips: [id], by: caller.owner, at: now) }
  }

  /// The held trips of all owners, the last added first.
  /// - Throws: As ``reports(after:limit:for:)``.
  public func heldTrips(
    after: String?, limit: Int, for caller: Caller
  ) async throws(ServiceError) -> ModerationPage<HeldTripItem> {
    try await moderationPage(after: after, for: caller) { library, after in
      let page = try library.moderation.heldTrips(after: after, limit: limit)
      let items = try page.trips.compactMap { trip -> HeldTripItem? in
        guard let standing = try library.moderation.standing(ofTrip: trip.id) else { return nil }
        return HeldTripItem(
          id: "\(trip.id.rawValue)", owner: trip.owner, title: trip.title, description: trip.description,
          visibility: trip.visibility, reason: standing.hold?.reason, actor: standing.hold?.actor,
          time: standing.hold?.time, reports: standing.reports)
      }
      return ModerationPage(items: items, next: page.next?.rawValue)
    }
  }

  private func moderate(
    _ id: Trip.ID, by caller: Caller, _ decide: @escaping @Sendable (Moderation) throws -> Void
  ) async throws(ServiceError) -> TripModerationState {
    try await ServiceError.mapping {
      try caller.require(.moderate)
      return try await library.moderate { moderation in
        guard let trip = try moderation.trip(id) else { throw ServiceError.notFound }
        try decide(moderation)
        let standing = try moderation.standing(ofTrip: id)
        return TripModerationState(
          id: "\(id.rawValue)", owner: trip.owner, held: standing?.isHeld ?? true,
          protected: standing?.protection != nil)
      }
    }
  }
}

/// Trips, of which a moderator takes down the texts: a held trip is seen by its owner alone. Its moments stay what they are.
extension Moderation {
  /// What was decided about a trip.
  public struct TripStanding: Hashable, Sendable {
    /// Whether its owner alone sees it.
    public var isHeld: Bool
    /// Why it is held; nil if it is not.
    public var hold: Decision?
    /// Why reports of readers do not hold it; nil if they do.
    public var protection: Decision?
    /// Number of reports about it that no moderator has answered.
    public var reports: Int
  }

  /// Records the report of a reader about a trip. A reader has one report per trip; another one replaces it.
  /// - Parameter threshold: The number of readers whose reports hold the trip until a moderator decides. Nil: reports never do. They do not hold a protected
  ///   trip either, nor one that a moderator has released and whose texts are the same since.
  /// - Returns: Whether the trip is held because of this report; nil if there is no such trip.
  public func report(
    trip: Trip.ID, by reader: String, reason: String, at time: Int, threshold: Int?
  ) throws(LibraryError) -> Bool? {
    try database.report(trip, Decision(reason: reason, actor: reader, time: time), threshold: threshold)
  }

  /// Holds trips, all or none: nobody but their owners sees them until they are released.
  /// - Throws: ``LibraryError/Code/invalidRequest`` if a trip does not exist.
  public func hold(trips: [Trip.ID], reason: String, by actor: String, at time: Int) throws(LibraryError) {
    try database.hold(trips, Decision(reason: reason, actor: actor, time: time))
  }

  /// Shows held trips again to whom their owners allow, all or none, and discards the reports about them.
  /// - Throws: As ``hold(trips:reason:by:at:)``.
  public func release(trips: [Trip.ID], reason: String = "", by actor: String, at time: Int) throws(LibraryError) {
    try database.release(trips, Decision(reason: reason, actor: actor, time: time))
  }

  /// Protects trips, all or none: reports of readers do not hold them. A trip that is held stays held.
  /// - Throws: As ``hold(trips:reason:by:at:)``.
  public func protect(trips: [Trip.ID], reason: String = "", by actor: String, at time: Int) throws(LibraryError) {
    try database.protect(trips, Decision(reason: reason, actor: actor, time: time))
  }

  /// Ends the protection of trips, all or none.
  /// - Throws: As ``hold(trips:reason:by:at:)``.
  public func unprotect(trips: [Trip.ID], reason: String = "", by actor: String, at time: Int) throws(LibraryError) {
    try database.unprotect(trips, Decision(reason: reason, actor: actor, time: time))
  }

  /// Discards the reports about trips, which stay as they are.
  /// - Returns: The number of reports.
  @discardableResult
  public func dismissReports(
    aboutTrips trips: [Trip.ID], reason: String = "", by actor: String, at time: Int
  ) throws(LibraryError) -> Int {
    try database.dismissReports(about: trips, Decision(reason: reason, actor: actor, time: time))
  }

  /// Everything that was decided about a trip; nil if there is no such trip.
  public func standing(ofTrip trip: Trip.ID) throws(LibraryError) -> TripStanding? { try database.standing(of: trip) }

  /// A trip of any owner, also a held one; nil if there is no such trip. For moderators.
  public func trip(_ id: Trip.ID) throws(LibraryError) -> Trip? { try database.trip(id) }

  /// The held trips in pages, the last added first.
  public func heldTrips(after: CatalogueFile.Cursor?, limit: Int) throws(LibraryError) -> Trip.Page {
    try database.heldTrips(after: after, limit: limit)
  }
}

public import MediaLibrary

extension MediaService {
  /// A trip as a reader sees it.
  public struct TripAnswer: Encodable, Sendable {
    /// The id of the trip, which is in its path (`/v1/trips/{trip}`).
    public var id: String
    /// The name of its owner.
    public var owner: String
    /// The title that the owner gave it.
    public var title: String
    /// The description that the owner gave it; nil for none.
    public var description: String?
    /// When it starts, in seconds since 1970.
    public var started: Int
    /// When it ends; nil while it is open.
    public var ended: Int?
    /// Who may see it.
    public var visibility: Moment.Visibility
    /// Whether others may see it yet.
    public var state: Moment.State
    /// Number of its moments that the reader sees.
    public var moments: Int
    /// The version that a change names; it counts changes of the moments and their order, too.
    public var version: Int

    init(_ trip: Trip) {
      (id, owner, title) = ("\(trip.id.rawValue)", trip.owner, trip.title)
      (description, started, ended) = (trip.description, trip.started, trip.ended)
      (visibility, state) = (trip.visibility, trip.state)
      (moments, version) = (trip.moments, trip.version)
    }
  }

  /// A page of trips.
  public struct TripList: Encodable, Sendable {
    /// The trips, in the order of the listing.
    public var trips: [TripAnswer]
    /// The cursor of the next page; nil on the last.
    public var next: String?
  }
}

internal import GRDB

extension Moments {
  /// Adds a trip without moments and returns it with its id.
  @discardableResult
  public func add(_ trip: Trip.New) throws(LibraryError) -> Trip { try database.add(trip) }

  /// Changes a trip of an owner, completely or not at all.
  /// - Parameter version: The version on which the changes were made; nil for any.
  /// - Throws: ``LibraryError/Code/versionConflict`` if it has another version by now.
  @discardableResult
  public func change(
    _ id: Trip.ID, of owner: String, version: Int?, _ changes: [Trip.Change]
  ) throws(LibraryError) -> Trip {
    try database.change(id, of: owner, version: version, changes)
  }

  /// A trip of one of the owners; nil if the audience may not see it.
  public func trip(
    _ id: Trip.ID, of owners: [String], for audience: Moment.Scope.Audience = .owner
  ) throws(LibraryError) -> Trip? {
    try database.trip(id, of: owners, for: audience)
  }

  /// The owner of a trip, whoever may see it: for programs that decide as whom somebody reads.
  public func owner(of id: Trip.ID) throws(LibraryError) -> String? { try database.owner(of: id.rawValue, in: "trip") }

  /// The trips of some owners in pages.
  public func trips(
    of owners: [String], for audience: Moment.Scope.Audience = .owner, by order: Trip.Order = .started,
    after: CatalogueFile.Cursor?, limit: Int
  ) throws(LibraryError) -> Trip.Page {
    try database.trips(of: owners, for: audience, by: order, after: after, limit: limit)
  }

  /// The trips of some owners whose title and description have every word of a text, most recently added first (R-MYM-17).
  public func searchTrips(
    _ text: String, of owners: [String], for audience: Moment.Scope.Audience = .owner, after: CatalogueFile.Cursor?,
    limit: Int
  ) throws(LibraryError) -> Trip.Page {
    try database.searchTrips(text, of: owners, for: audience, after: after, limit: limit)
  }

  /// Adds moments to a trip of the same owner, in the order given. A moment that is in the trip moves.
  /// - Parameter before: The moment before which they are put. Default nil: at the end.
  @discardableResult
  public func add(
    _ moments: [Moment.ID], to trip: Trip.ID, of owner: String, version: Int?, before: Moment.ID? = nil
  ) throws(LibraryError) -> Trip {
    try database.edit(trip, of: owner, version: version) { members, _ in
      let added = moments.filter { $0 != before }.uniqued
      let isAdded = Set(added)
      members.removeAll { isAdded.contains($0) }
      let position = before.flatMap { members.firstIndex(of: $0) } ?? members.endIndex
      members.insert(contentsOf: added, at: position)
    }
  }

  /// Removes moments from a trip. The moments stay.
  @discardableResult
  public func remove(
    _ moments: [Moment.ID], from trip: Trip.ID, of owner: String, version: Int?
  ) throws(LibraryError) -> Trip {
    try database.edit(trip, of: owner, version: version) { members, _ in
      let isRemoved = Set(moments)
      members.removeAll { isRemoved.contains($0) }
    }
  }

  /// Puts moments of a trip at its beginning in the order given; the others follow in their order.
  @discardableResult
  public func arrange(
    _ moments: [Moment.ID], in trip: Trip.ID, of owner: String, version: Int?
  ) throws(LibraryError) -> Trip {
    try database.edit(trip, of: owner, version: version) { members, _ in
      let known = Set(members)
      let first = moments.uniqued
      guard first.allSatisfy(known.contains) else {
        throw LibraryError(.invalidRequest, "The trip does not have all of these moments; list its moments again.")
      }
      let isFirst = Set(first)
      members = first + members.filter { !isFirst.contains($0) }
    }
  }

  /// Arranges the moments of a trip by time, the earliest first.
  @discardableResult
  public func arrangeByTime(_ trip: Trip.ID, of owner: String, version: Int?) throws(LibraryError) -> Trip {
    try database.arrangeByTime(trip, of: owner, version: version)
  }

  /// The moments of a trip that the audience may see, in the order of the trip.
  public func moments(
    of trip: Trip.ID, of owners: [String], for audience: Moment.Scope.Audience = .owner, after: CatalogueFile.Cursor?,
    limit: Int
  ) throws(LibraryError) -> Moment.Page {
    try database.moments(of: trip, of: owners, for: audience, after: after, limit: limit)
  }

  /// The path of a trip on the map, of the moments whose location the audience may see; nil if it may not see the trip.
  public func path(
    of trip: Trip.ID, of owners: [String], for audience: Moment.Scope.Audience = .owner,
    rules: Trip.Path.Rules = .init()
  ) throws(LibraryError) -> Trip.Path? {
    try database.pathPoints(of: trip, of: owners, for: audience).map { Trip.Path($0, rules: rules) }
  }
}

extension [Moment.ID] {
  /// The ids without repetitions.
  fileprivate var uniqued: [Moment.ID] {
    var seen: Set<Moment.ID> = []
    return filter { seen.insert($0).inserted }
  }
}

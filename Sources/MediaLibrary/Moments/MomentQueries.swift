/// Statements that find moments and trips. Each names its index, as those of ``FileQueries``.
///
/// A listing of several owners reads one range of an index for each, and merges their keys; the rows are read afterwards.
enum MomentQueries {
  /// The moments of an owner in a range of the map. Arguments: owner, range, least reach.
  static let locations = """
    SELECT id, location FROM moment INDEXED BY moment_location
    WHERE owner = ? AND location IS NOT NULL AND location >= ? AND location < ? AND map_reach >= ? ORDER BY location
    """

  /// Those of them that are clean. Arguments as before.
  static let cleanLocations = locations(MomentScope.Filter(sql: MomentScope.clean))

  /// Arguments: owner, range, least reach; then those of the filter.
  static func locations(_ filter: MomentScope.Filter) -> String {
    """
    SELECT id, location FROM moment INDEXED BY moment_location
    WHERE owner = ? AND location IS NOT NULL AND location >= ? AND location < ? AND map_reach >= ?\(filter.sql)
    ORDER BY location
    """
  }

  /// The newest moments of an owner, at most so many, also those without a location. Arguments: owner, times, least reach; those of the filter; a limit.
  static func few(_ filter: MomentScope.Filter) -> String {
    """
    SELECT id, location, map_reach FROM moment INDEXED BY moment_newest
    WHERE owner = ? AND hidden = 0 AND time >= ? AND time < ? AND reach >= ?\(filter.sql) LIMIT ?
    """
  }

  /// The moments of an owner that were changed since a time, at most so many, also those without a location. Arguments: owner, time, least reach; those of the
  /// filter; a limit.
  static func recent(_ filter: MomentScope.Filter) -> String {
    """
    SELECT id, location, map_reach FROM moment INDEXED BY moment_activity
    WHERE owner = ? AND hidden = 0 AND changed >= ? AND reach >= ?\(filter.sql) LIMIT ?
    """
  }

  /// Keys of an owner's moments, the newest first. Arguments: owner, earliest time, position (time and id), least reach; those of the filter; a limit.
  static func keys(by order: Moment.Order, _ filter: MomentScope.Filter) -> String {
    let (index, column) = order == .time ? ("moment_newest", "time") : ("moment_activity", "changed")
    return """
      SELECT \(column), id FROM moment INDEXED BY \(index)
      WHERE owner = ? AND hidden = 0 AND \(column) >= ? AND (\(column), id) < (?, ?) AND reach >= ?\(filter.sql)
      ORDER BY \(column) DESC, id DESC LIMIT ?
      """
  }

  /// Keys of an owner's moments in a cluster. Arguments: owner, position, end, least reach; those of the filter; a limit.
  static func members(_ filter: MomentScope.Filter) -> String {
    """
    SELECT location, time, id FROM moment INDEXED BY moment_location
    WHERE owner = ? AND location IS NOT NULL AND (location, time, id) > (?, ?, ?) AND location < ? AND map_reach >= ?\(filter.sql)
    ORDER BY location, time, id LIMIT ?
    """
  }

  /// Matches in the order of their keys. Arguments: pattern, range of keys, least reach; those of the filter; a limit.
  static func search(_ filter: MomentScope.Filter) -> String {
    """
    SELECT moment.id, moment_text.rowid FROM moment_text
    CROSS JOIN moment ON moment.id = (moment_text.rowid & \(SearchKey.mask))
    WHERE moment_text MATCH ? AND moment_text.rowid >= ? AND moment_text.rowid < ? AND reach >= ?\(filter.sql)
    ORDER BY moment_text.rowid DESC LIMIT ?
    """
  }

  /// A moment with the name of its owner. Argument: id.
  static let byID = """
    SELECT \(MomentRows.columns) FROM moment CROSS JOIN owner ON owner.id = moment.owner WHERE moment.id = ?
    """

  /// The moments of a trip in their order. Arguments: trip, position (and moment), least reach, limit.
  static func ofTrip(_ condition: String = "") -> String {
    """
    SELECT \(MomentRows.columns), trip_moment.position FROM trip_moment INDEXED BY trip_order
    CROSS JOIN moment ON moment.id = trip_moment.moment CROSS JOIN owner ON owner.id = moment.owner
    WHERE trip_moment.trip = ? AND (trip_moment.position, trip_moment.moment) > (?, ?) AND moment.reach >= ?\(condition)
    ORDER BY trip_moment.position, trip_moment.moment LIMIT ?
    """
  }

  /// The moments of a trip that are on the map, in the order of the trip. Arguments: trip, least reach.
  /// Damaged moments have no place on it.
  static func path(_ condition: String = "") -> String {
    """
    SELECT moment.id, latitude, longitude, time, iif(typeof(utc_offset) = 'integer', utc_offset, NULL)
    FROM trip_moment INDEXED BY trip_order CROSS JOIN moment ON moment.id = trip_moment.moment
    WHERE trip_moment.trip = ? AND moment.map_reach >= ?
      AND typeof(latitude) = 'real' AND typeof(longitude) = 'real' AND typeof(time) = 'integer'\(condition)
    ORDER BY trip_moment.position, trip_moment.moment
    """
  }

  // MARK: Trips

  /// The visibility of a trip, as a number; that of a held one is private.
  private static let tripReach =
    "iif(trip.state = \(Moment.State.held.sql), \(Moment.Visibility.private.sql), trip.visibility)"

  /// A trip. Argument: its id.
  static func tripByID(for audience: Moment.Scope.Audience, _ condition: String = "") -> String {
    """
    SELECT \(TripRows.columns(for: audience, condition)) FROM trip CROSS JOIN owner ON owner.id = trip.owner WHERE trip.id = ?
    """
  }

  /// Keys of an owner's trips by title. Arguments: owner, position (title and id), least visibility, limit.
  static let tripsByTitle = """
    SELECT title, id FROM trip INDEXED BY trip_title
    WHERE owner = ? AND (title, id) > (?, ?) AND \(tripReach) >= ? AND typeof(title) = 'text' ORDER BY title, id LIMIT ?
    """
  /// Keys of an owner's trips, most recently started first. Arguments as by title.
  static let tripsByStart = """
    SELECT started, id FROM trip INDEXED BY trip_started
    WHERE owner = ? AND (started, id) < (?, ?) AND \(tripReach) >= ? AND typeof(started) = 'integer'
    ORDER BY started DESC, id DESC LIMIT ?
    """
  /// An owner's trips that are damaged so that they have no place among those by title. Arguments: owner, least visibility, limit.
  static let tripsWithoutTitle = """
    SELECT id FROM trip INDEXED BY trip_title WHERE owner = ? AND typeof(title) <> 'text' AND \(tripReach) >= ? LIMIT ?
    """
  /// The same for those by start.
  static let tripsWithoutStart = """
    SELECT id FROM trip INDEXED BY trip_started
    WHERE owner = ? AND typeof(started) <> 'integer' AND \(tripReach) >= ? LIMIT ?
    """
  /// Trips with words, most recently added first. Arguments: pattern, position, least visibility, limit.
  static let searchTrips = """
    SELECT trip.id FROM trip_text CROSS JOIN trip ON trip.id = trip_text.rowid
    WHERE trip_text MATCH ? AND trip_text.rowid < ? AND \(tripReach) >= ? ORDER BY trip_text.rowid DESC LIMIT ?
    """
}

internal import GRDB
internal import MediaModel

/// Conversion of rows to moments.
enum MomentRows {
  /// The columns in the order in which ``moment(_:for:)`` reads them.
  static let columns = """
    moment.id, owner.name, moment.kind, moment.file, moment.title, moment.caption, moment.time, moment.utc_offset,
    moment.time_source, moment.latitude, moment.longitude, moment.altitude, moment.location_source,
    moment.location_reach, moment.visibility, moment.state, moment.version, moment.created, moment.changed,
    moment.reach, moment.map_reach
    """

  /// The moment of a row as an audience sees it. A value of another type is an error; with a subscript it would end the process.
  /// - Throws: ``LibraryError/Code/corrupt`` for a value that no version writes.
  static func moment(_ row: Row, for audience: Moment.Scope.Audience) throws -> Moment {
    guard let kind = Moment.Kind(number: try row.decode(atIndex: 2)),
      let visibility = Moment.Visibility(number: try row.decode(atIndex: 14)),
      let state = Moment.State(number: try row.decode(atIndex: 15)),
      let sharing = Moment.LocationSharing(number: try row.decode(atIndex: 13))
    else {
      throw LibraryError(.corrupt, LibraryError.damagedRow, detail: "moment \(row[0] as Int64)")
    }
    var location: Location?
    if let latitude = try row.decode(Double?.self, atIndex: 9),
      let longitude = try row.decode(Double?.self, atIndex: 10),
      audience == .owner || (audience == .friends && sharing == .friends)
    {
      location = Location(
        latitude: latitude, longitude: longitude, altitude: try row.decode(Double?.self, atIndex: 11),
        source: try row.decode(String?.self, atIndex: 12).flatMap(Location.Source.init) ?? .user)
    }
    return Moment(
      id: Moment.ID(rawValue: row[0]), owner: try row.decode(atIndex: 1), kind: kind,
      file: try row.decode(Int64?.self, atIndex: 3).map(FileID.init(rawValue:)),
      title: try row.decode(String?.self, atIndex: 4), caption: try row.decode(String?.self, atIndex: 5),
      time: try row.decode(atIndex: 6), utcOffset: try row.decode(Int?.self, atIndex: 7),
      timeSource: MediaInfo.TimeSource(rawValue: try row.decode(atIndex: 8)), location: location,
      locationSharing: sharing, visibility: visibility, state: state, version: try row.decode(atIndex: 16),
      created: try row.decode(atIndex: 17), changed: try row.decode(atIndex: 18))
  }
}

/// Conversion of rows to trips.
enum TripRows {
  /// The columns in the order in which ``trip(_:)`` reads them. For its owner the number of moments is stored, for others it is counted.
  static func columns(for audience: Moment.Scope.Audience, _ condition: String = "") -> String {
    let count =
      audience == .owner
      ? "trip.moments"
      : """
      (SELECT count(*) FROM trip_moment CROSS JOIN moment ON moment.id = trip_moment.moment
        WHERE trip_moment.trip = trip.id AND moment.reach >= \(audience.reach)\(condition))
      """
    return """
      trip.id, owner.name, trip.title, trip.description, trip.started, trip.ended, trip.visibility, trip.version, \(count),
      trip.state
      """
  }

  static func trip(_ row: Row) throws -> Trip {
    guard let visibility = Moment.Visibility(number: try row.decode(atIndex: 6)),
      let state = Moment.State(number: try row.decode(atIndex: 9))
    else {
      throw LibraryError(.corrupt, LibraryError.damagedRow, detail: "trip \(row[0] as Int64)")
    }
    return Trip(
      id: Trip.ID(rawValue: row[0]), owner: try row.decode(atIndex: 1), title: try row.decode(atIndex: 2),
      description: try row.decode(String?.self, atIndex: 3), started: try row.decode(atIndex: 4),
      ended: try row.decode(Int?.self, atIndex: 5), visibility: visibility, state: state,
      moments: try row.decode(atIndex: 8), version: try row.decode(atIndex: 7))
  }
}

extension Moment.Kind: NumberedCase {
  /// The number in the catalogue, which never changes. Those of files are those of ``MediaModel/MediaKind``.
  var number: Int64 {
    switch self {
    case .photo: 0
    case .video: 1
    case .audio: 2
    case .note: 3
    }
  }

  /// The kind of a moment with a file; nil if such a file is no content of a moment.
  init?(_ kind: MediaKind?) {
    switch kind {
    case .image: self = .photo
    case .video: self = .video
    case .audio: self = .audio
    default: return nil
    }
  }
}

extension Moment.Visibility: NumberedCase {
  /// The number in the catalogue, which never changes.
  var number: Int64 {
    switch self {
    case .private: 0
    case .friends: 1
    case .public: 2
    }
  }
}

extension Moment.State: NumberedCase {
  /// The number in the catalogue, which never changes.
  var number: Int64 { self == .shown ? 0 : 1 }
}

extension Moment.LocationSharing: NumberedCase {
  /// The number in the catalogue, which never changes.
  var number: Int64 {
    switch self {
    case .none: 0
    case .private: 1
    case .friends: 2
    }
  }
}

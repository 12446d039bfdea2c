internal import GRDB

/// The files of moments, also of those that no listing has.
extension Moments {
  /// Whether an owner shows a file to an audience with any of its moments. One step of an index, however many moments have the file. With
  /// ``Library/Options/showsOnlyClean``, others see no file that is not clean.
  public func shows(
    _ file: FileID, of owner: String, to audience: Moment.Scope.Audience
  ) throws(LibraryError) -> Bool {
    try database.read { db in
      let sql = """
        SELECT EXISTS (SELECT 1 FROM moment INDEXED BY moment_file WHERE file IS NOT NULL AND file = ?
          AND owner = (SELECT id FROM owner WHERE name = ?) AND reach >= ?\(database.condition(for: audience)))
        """
      return try Bool.fetchOne(db, sql: sql, arguments: [file.rawValue, owner, audience.reach]) ?? false
    }
  }

  /// Whether an owner shows friends the location that a file has: a moment that they see has the location of the file itself, and the owner's setting is
  /// ``Moment/LocationSharing/friends``. A moment whose location was changed says nothing of that within the file.
  package func showsFriendsLocation(within file: FileID, of owner: String) throws(LibraryError) -> Bool {
    try database.read { db in
      let sql = """
        SELECT EXISTS (SELECT 1 FROM owner CROSS JOIN moment INDEXED BY moment_file ON moment.owner = owner.id
          WHERE owner.name = ?1 AND owner.location = \(Moment.LocationSharing.friends.number) AND moment.file IS NOT NULL AND moment.file = ?2
          AND moment.map_reach >= \(Moment.Scope.Audience.friends.reach) AND moment.location_source = 'file'\(database.condition(for: .friends)))
        """
      return try Bool.fetchOne(db, sql: sql, arguments: [owner, file.rawValue]) ?? false
    }
  }

  /// Whether a file may contain a location, as far as the library knows: its row or its facts have one, or one was removed from its row. A library that keeps no
  /// locations knows nothing of any file.
  package func mayContainLocation(_ file: FileID) throws(LibraryError) -> Bool {
    guard database.keepsLocations else { return true }
    return try database.read { db in
      let sql = "SELECT location_source IS NOT NULL FROM file WHERE id = ?"
      if try Bool.fetchOne(db, sql: sql, arguments: [file.rawValue]) == true { return true }
      return try SQLiteCatalogue.hasLocation(file: file.rawValue, db)
    }
  }

  /// What an owner erases with a moment, also with one that is damaged, or hidden because its file is blocked.
  /// - Returns: Its version, nil if it is damaged, and its file, nil for a note; nil for a moment that the owner does not have.
  public func erasable(_ id: Moment.ID, of owner: String) throws(LibraryError) -> (version: Int?, file: FileID?)? {
    try database.read { db in
      let sql = "SELECT version, file FROM moment WHERE id = ? AND owner = (SELECT id FROM owner WHERE name = ?)"
      guard let row = try Row.fetchOne(db, sql: sql, arguments: [id.rawValue, owner]) else { return nil }
      let (version, file): (DatabaseValue, DatabaseValue) = (row[0], row[1])
      return (Int.fromDatabaseValue(version), Int64.fromDatabaseValue(file).map(FileID.init(rawValue:)))
    }
  }

  /// The files of the moments that an owner erases with a trip: of those in no other trip, also of damaged and hidden ones.
  public func erasableFiles(of trip: Trip.ID, of owner: String) throws(LibraryError) -> [FileID] {
    try database.read { db in
      let sql = """
        SELECT DISTINCT moment.file FROM trip CROSS JOIN trip_moment ON trip_moment.trip = trip.id
        CROSS JOIN moment ON moment.id = trip_moment.moment
        WHERE trip.id = ? AND trip.owner = (SELECT id FROM owner WHERE name = ?) AND typeof(moment.file) = 'integer'
          AND NOT EXISTS (SELECT 1 FROM trip_moment AS other
            WHERE other.moment = trip_moment.moment AND other.trip <> trip_moment.trip)
        ORDER BY moment.file
        """
      return try Int64.fetchAll(db, sql: sql, arguments: [trip.rawValue, owner]).map(FileID.init(rawValue:))
    }
  }

  /// Whether a file has a use (``addUse(_:of:)``).
  public func hasUse(_ name: String, of file: FileID) throws(LibraryError) -> Bool {
    try database.read { db in
      let sql = "SELECT EXISTS (SELECT 1 FROM file_use WHERE file = ? AND name = ?)"
      return try Bool.fetchOne(db, sql: sql, arguments: [file.rawValue, name]) ?? false
    }
  }

  /// Whether a moment is in a trip.
  public func isMember(_ moment: Moment.ID, of trip: Trip.ID) throws(LibraryError) -> Bool {
    try database.read { db in
      let sql = "SELECT EXISTS (SELECT 1 FROM trip_moment WHERE trip = ? AND moment = ?)"
      return try Bool.fetchOne(db, sql: sql, arguments: [trip.rawValue, moment.rawValue]) ?? false
    }
  }
}

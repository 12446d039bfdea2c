internal import GRDB
internal import MediaModel

/// Compares the derived data of moments and trips with their rows, and rebuilds it from them.
enum MomentChecks {
  /// Location columns of a moment that no version writes so.
  private static let isMisplaced = """
    ((latitude IS NULL) <> (location IS NULL) OR (longitude IS NULL) <> (location IS NULL)
      OR NOT (latitude IS NULL OR latitude BETWEEN -90 AND 90) OR NOT (longitude IS NULL OR longitude BETWEEN -180 AND 180)
      OR location < 0 OR location >= 1 << 56 OR typeof(location) NOT IN ('integer', 'null')
      OR typeof(altitude) NOT IN ('real', 'null') OR typeof(location_source) NOT IN ('text', 'null'))
    """

  /// The values that the other columns of a moment may have. A value that no version has is damage.
  private static let isWrong = """
    (kind NOT IN \(Moment.Kind.allSQL) OR visibility NOT IN \(Moment.Visibility.allSQL)
      OR state NOT IN \(Moment.State.allSQL) OR edited NOT IN (0, 1) OR location_reach NOT IN \(Moment.LocationSharing.allSQL)
      OR typeof(time) <> 'integer' OR typeof(version) <> 'integer' OR typeof(created) <> 'integer'
      OR typeof(changed) <> 'integer' OR typeof(utc_offset) NOT IN ('integer', 'null')
      OR NOT (utc_offset IS NULL OR utc_offset BETWEEN -54000 AND 54000)
      OR typeof(title) NOT IN ('text', 'null') OR typeof(caption) NOT IN ('text', 'null'))
    """

  /// SQL of a visibility that a version writes: the one in the row, or the one that shows least.
  private static let visibility = """
    iif(visibility IN \(Moment.Visibility.allSQL), visibility, \(Moment.Visibility.private.sql))
    """

  private static let hidden = """
    coalesce((SELECT \(CatalogueSchema.isBlocked("file")) FROM file WHERE file.id = moment.file), 0)
    """

  private static let isClean = CatalogueSchema.isClean("moment.file")

  /// The kinds of files that a moment shows, with the numbers of their moments.
  private static let shownKinds = [MediaKind.image, .video, .audio].map(\.sql).joined(separator: ", ")

  private static let nobody = Moment.Scope.Audience.nobody
  private static let ownerReach = Moment.Scope.Audience.owner.sql

  private static let members = """
    (SELECT count(*) FROM trip_moment CROSS JOIN moment ON moment.id = trip_moment.moment
      WHERE trip_moment.trip = trip.id AND moment.reach > \(nobody))
    """

  /// Each difference with the statement that finds it.
  static let differences = [
    (
      "a moment has a value that no version of mediatool writes",
      "SELECT 1 FROM moment WHERE \(isWrong) OR \(isMisplaced)"
    ),
    (
      "a trip has a value that no version of mediatool writes",
      """
      SELECT 1 FROM trip WHERE visibility NOT IN \(Moment.Visibility.allSQL) OR state NOT IN \(Moment.State.allSQL)
        OR edited NOT IN (0, 1) OR typeof(started) <> 'integer'
        OR typeof(ended) NOT IN ('integer', 'null') OR typeof(version) <> 'integer'
        OR typeof(title) <> 'text' OR typeof(description) NOT IN ('text', 'null') OR typeof(moments) <> 'integer'
      """
    ),
    (
      "moments of quarantined files are not marked as hidden, or moments of other files are",
      "SELECT 1 FROM moment WHERE hidden <> \(hidden)"
    ),
    (
      "the column `clean` of moments disagrees with the scan verdicts",
      "SELECT 1 FROM moment WHERE clean IS NOT \(isClean)"
    ),
    (
      "a moment has a file of another owner",
      """
      SELECT 1 FROM moment CROSS JOIN file ON file.id = moment.file
      WHERE file.owner IS NOT NULL AND file.owner <> moment.owner
      """
    ),
    (
      "a trip has a moment of another owner",
      """
      SELECT 1 FROM trip_moment CROSS JOIN trip ON trip.id = trip_moment.trip
      CROSS JOIN moment ON moment.id = trip_moment.moment WHERE trip.owner <> moment.owner
      """
    ),
    ("the moment counts of trips differ from their moments", "SELECT 1 FROM trip WHERE moments <> \(members)"),
    (
      "the search index of moments differs from the moments",
      """
      SELECT 1 FROM moment LEFT JOIN moment_text ON moment_text.rowid = \(SearchKey.sql("moment.")) WHERE moment.reach > \(nobody)
        AND (moment_text.rowid IS NULL OR moment_text.title IS NOT moment.title
        OR moment_text.caption IS NOT moment.caption OR moment_text.owner IS NOT moment.owner)
      """
    ),
    (
      "the search index has entries for moments that do not exist",
      "SELECT 1 FROM moment_text WHERE rowid NOT IN (SELECT \(SearchKey.sql("")) FROM moment WHERE reach > \(nobody))"
    ),
    (
      "the search index of trips differs from the trips",
      """
      SELECT 1 FROM trip LEFT JOIN trip_text ON trip_text.rowid = trip.id WHERE trip_text.rowid IS NULL
        OR trip_text.title IS NOT trip.title OR trip_text.description IS NOT trip.description
        OR trip_text.owner IS NOT trip.owner
      UNION ALL SELECT 1 FROM trip_text WHERE rowid NOT IN (SELECT id FROM trip)
      """
    ),
    ("changes to the search index of moments are pending", "SELECT 1 FROM moment_change"),
    ("changes to the map of moments are pending", "SELECT 1 FROM moment_location_change"),
  ]

  /// Rebuilds the derived data. A value that no version writes becomes the one that shows least: private, held, without
  /// a location. The other values of its moment stay, because nobody else has them.
  static func rebuild(_ db: Database) throws {
    try db.execute(
      sql: """
        DELETE FROM trip_moment WHERE (SELECT owner FROM trip WHERE id = trip) IS NOT (SELECT owner FROM moment WHERE id = moment);
        UPDATE moment SET file = NULL WHERE EXISTS (SELECT 1 FROM file
          WHERE file.id = moment.file AND file.owner IS NOT NULL AND file.owner <> moment.owner);
        UPDATE moment SET latitude = NULL, longitude = NULL, altitude = NULL, location_source = NULL, location = NULL
          WHERE \(isMisplaced);
        UPDATE moment SET visibility = \(visibility),
          state = iif(state IN \(Moment.State.allSQL), state, \(Moment.State.held.sql)),
          edited = iif(edited IN (0, 1), edited, 1),
          location_reach = iif(location_reach IN \(Moment.LocationSharing.allSQL), location_reach, \(Moment.LocationSharing.private.sql)),
          kind = iif(kind IN \(Moment.Kind.allSQL), kind, coalesce(
            (SELECT file.kind FROM file WHERE file.id = moment.file AND file.kind IN (\(shownKinds))),
            iif(file IS NULL, \(Moment.Kind.note.sql), \(Moment.Kind.photo.sql)))),
          time = iif(typeof(time) = 'integer', time, coalesce(
            (SELECT file.time FROM file WHERE file.id = moment.file AND typeof(file.time) = 'integer'),
            CAST(created AS INTEGER))),
          version = CAST(version AS INTEGER), created = CAST(created AS INTEGER), changed = CAST(changed AS INTEGER),
          utc_offset = iif(typeof(utc_offset) = 'integer' AND utc_offset BETWEEN -54000 AND 54000, utc_offset, NULL),
          title = CAST(title AS TEXT), caption = CAST(caption AS TEXT)
          WHERE \(isWrong);
        UPDATE trip SET visibility = \(visibility),
          state = iif(state IN \(Moment.State.allSQL), state, \(Moment.State.held.sql)),
          edited = iif(edited IN (0, 1), edited, 1), started = CAST(started AS INTEGER),
          ended = CAST(ended AS INTEGER), version = CAST(version AS INTEGER), title = CAST(title AS TEXT),
          description = CAST(description AS TEXT);
        UPDATE moment SET hidden = \(hidden) WHERE hidden <> \(hidden);
        UPDATE moment SET clean = \(isClean) WHERE clean IS NOT \(isClean);
        UPDATE trip SET moments = \(members);
        DELETE FROM moment_text;
        DELETE FROM trip_text;
        DELETE FROM moment_change;
        DELETE FROM moment_cell;
        DELETE FROM moment_location_change;
        INSERT INTO moment_location_change SELECT owner * 2, location, 1 FROM moment WHERE map_reach > \(nobody);
        INSERT INTO moment_location_change SELECT owner * 2 + 1, location, 1 FROM moment WHERE map_reach > \(ownerReach);
        INSERT INTO moment_location_change SELECT -owner, location, 1 FROM moment WHERE map_reach > \(ownerReach) AND clean;
        """)
    try MomentWords(db).fill()
  }

  /// The scopes of grid cells (``LocationLayer/scope(ofMomentsOf:for:isClean:)``): SQL of the scope of a moment, of whether the moment counts, of whether a cell
  /// is of such a scope, and of the order of cells that is that of their owners.
  private static let scopes = [
    ("owner * 2", "map_reach > \(nobody)", "scope > 0 AND scope % 2 = 0", "scope"),
    ("owner * 2 + 1", "map_reach > \(ownerReach)", "scope > 0 AND scope % 2 = 1", "scope"),
    ("-owner", "map_reach > \(ownerReach) AND clean", "scope < 0", "scope DESC"),
  ]

  /// Whether the grid cells agree with the moments in them: those of owners, those of friends, and the clean ones of friends.
  static func cellsAreRight(_ db: Database) throws -> Bool {
    for level in LocationGrid.levels {
      for (scope, counts, hasScope, order) in scopes {
        let locations = try Row.fetchCursor(
          db,
          sql: """
            SELECT \(scope), location FROM moment WHERE location IS NOT NULL AND \(counts) ORDER BY owner, location
            """)
        let cells = try Row.fetchCursor(
          db,
          sql: """
            SELECT scope, cell, \(LocationSum.columns) FROM moment_cell WHERE level = ? AND \(hasScope)
            ORDER BY \(order), cell
            """, arguments: [level])
        guard try DerivedChecks.agree(locations, cells, level: level) else { return false }
      }
    }
    return true
  }
}

internal import MediaModel

/// The tables of moments and trips: migration "2" (docs/decisions/0140).
///
/// What a row of a moment derives from others is `hidden` alone, from the state of its file. Who can see it and its location are generated columns, so that
/// indexes have them and no writer can forget them.
extension CatalogueSchema {
  /// The parts of migration "2", in the order in which they run.
  static let moments = [momentTables, momentIndexes, momentTriggers, tripsOfCollections]

  /// Tables of moments with data that exists nowhere else.
  static let momentRows = ["moment", "trip", "trip_moment", "file_use"]
  /// Tables of moments with derived data.
  static let derivedMomentTables: Set = [
    "moment_text", "moment_change", "moment_cell", "moment_location_change", "trip_text",
  ]
  /// All names of migration "2".
  static let momentNames =
    momentRows + derivedMomentTables.sorted() + [
      "moment_newest", "moment_activity", "moment_location", "moment_file", "moment_owner", "trip_started",
      "trip_title", "trip_open", "trip_order", "trip_of_moment", "moment_inserted", "moment_deleted", "moment_worded",
      "moment_moved",
      "moment_reached", "moment_of_erased_file", "moment_of_given_file", "moment_of_blocked_file", "file_unlocated",
      "moment_unlocated", "moment_relocated", "trip_inserted",
      "trip_deleted", "trip_worded", "trip_moment_inserted", "trip_moment_deleted",
    ]

  /// SQL of whether the file of a row is quarantined, also if it has vanished since.
  static func isBlocked(_ row: String) -> String {
    "(\(row).state = \(CatalogueFile.State.quarantined.sql) OR \(row).before = \(CatalogueFile.State.quarantined.sql))"
  }

  private static let nobody = Moment.Scope.Audience.nobody
  private static let ownerReach = Moment.Scope.Audience.owner.sql

  private static let momentTables = """
    -- Whether an owner's locations are stored (0: no), for the owner alone (1), or for friends too (2).
    ALTER TABLE owner ADD COLUMN location INTEGER NOT NULL DEFAULT 1;
    -- Ids are never reused. Kinds: photo 0, video 1, audio 2, note 3. Visibility: private 0, friends 1, public 2. State: shown 0, held 1.
    CREATE TABLE moment (
      id INTEGER PRIMARY KEY AUTOINCREMENT, owner INTEGER NOT NULL REFERENCES owner, kind INTEGER NOT NULL,
      file INTEGER REFERENCES file, title TEXT, caption TEXT, time INTEGER NOT NULL, utc_offset INTEGER,
      time_source TEXT NOT NULL, latitude REAL, longitude REAL, altitude REAL, location_source TEXT, location INTEGER,
      location_reach INTEGER NOT NULL, visibility INTEGER NOT NULL, state INTEGER NOT NULL,
      hidden INTEGER NOT NULL DEFAULT 0, version INTEGER NOT NULL DEFAULT 1, created INTEGER NOT NULL,
      changed INTEGER NOT NULL,
      -- Who sees it: nobody 0, the owner 1, friends 2, everyone 3.
      reach INTEGER AS (iif(hidden, \(nobody), iif(state = \(Moment.State.held.sql), \(ownerReach), visibility + 1))),
      -- Who sees it on the map.
      map_reach INTEGER AS (iif(location IS NULL OR hidden, \(nobody), min(iif(state = \(Moment.State.held.sql), \(ownerReach), visibility + 1), location_reach))));
    CREATE TABLE trip (
      id INTEGER PRIMARY KEY AUTOINCREMENT, owner INTEGER NOT NULL REFERENCES owner, title TEXT NOT NULL,
      description TEXT, started INTEGER NOT NULL, ended INTEGER, visibility INTEGER NOT NULL,
      version INTEGER NOT NULL DEFAULT 1, moments INTEGER NOT NULL DEFAULT 0);
    CREATE TABLE trip_moment (
      trip INTEGER NOT NULL REFERENCES trip, moment INTEGER NOT NULL REFERENCES moment, position INTEGER NOT NULL,
      PRIMARY KEY (trip, moment)) WITHOUT ROWID;
    -- What else than moments uses a file, such as a message: erasing the file's moments erases the file only if there is nothing.
    CREATE TABLE file_use (file INTEGER NOT NULL REFERENCES file, name TEXT NOT NULL, PRIMARY KEY (file, name)) WITHOUT ROWID;
    CREATE VIRTUAL TABLE moment_text USING fts5(title, caption, owner, tokenize = "unicode61 remove_diacritics 2");
    CREATE VIRTUAL TABLE trip_text USING fts5(title, description, owner, tokenize = "unicode61 remove_diacritics 2");
    -- Rowids in moment_text that need an update, until the end of the transaction.
    CREATE TABLE moment_change (key INTEGER PRIMARY KEY);
    -- As location_cell; the scope is twice the owner's number, plus 1 for what friends see.
    CREATE TABLE moment_cell (
      scope INTEGER NOT NULL, level INTEGER NOT NULL, cell INTEGER NOT NULL, files INTEGER NOT NULL,
      x INTEGER NOT NULL, y INTEGER NOT NULL, west INTEGER NOT NULL, east INTEGER NOT NULL, north INTEGER NOT NULL,
      south INTEGER NOT NULL, PRIMARY KEY (scope, level, cell)) WITHOUT ROWID;
    CREATE TABLE moment_location_change (scope INTEGER NOT NULL, location INTEGER NOT NULL, sign INTEGER NOT NULL);
    """

  private static let momentIndexes = """
    CREATE INDEX moment_newest ON moment (owner, time, id, kind, reach) WHERE hidden = 0;
    CREATE INDEX moment_activity ON moment (owner, changed, id, kind, reach) WHERE hidden = 0;
    CREATE INDEX moment_location ON moment (owner, location, time, id, map_reach) WHERE location IS NOT NULL;
    CREATE INDEX moment_file ON moment (file) WHERE file IS NOT NULL;
    CREATE INDEX moment_owner ON moment (owner);
    CREATE INDEX trip_started ON trip (owner, started, id);
    CREATE INDEX trip_title ON trip (owner, title, id);
    CREATE INDEX trip_open ON trip (owner, started) WHERE ended IS NULL;
    CREATE INDEX trip_order ON trip_moment (trip, position, moment);
    CREATE INDEX trip_of_moment ON trip_moment (moment);
    """

  private static let key = SearchKey.sql("new.")
  private static let oldKey = SearchKey.sql("old.")

  /// SQL that notes a location of a row for the cells of the owner and of friends.
  private static func note(_ row: String, _ sign: Int) -> String {
    """
    INSERT INTO moment_location_change SELECT \(row).owner * 2, \(row).location, \(sign) WHERE \(row).map_reach > \(nobody);
      INSERT INTO moment_location_change SELECT \(row).owner * 2 + 1, \(row).location, \(sign) WHERE \(row).map_reach > \(ownerReach);
    """
  }

  private static let momentTriggers = """
    CREATE TRIGGER moment_inserted AFTER INSERT ON moment BEGIN
      INSERT OR IGNORE INTO moment_change SELECT \(key) WHERE new.reach > \(nobody);
      \(note("new", 1))
    END;
    CREATE TRIGGER moment_deleted AFTER DELETE ON moment BEGIN
      INSERT OR IGNORE INTO moment_change SELECT \(oldKey) WHERE old.reach > \(nobody);
      UPDATE trip SET moments = moments - 1 WHERE old.reach > \(nobody) AND id IN (SELECT trip FROM trip_moment WHERE moment = old.id);
      DELETE FROM trip_moment WHERE moment = old.id;
      \(note("old", -1))
    END;
    CREATE TRIGGER moment_worded AFTER UPDATE OF title, caption, time, hidden, owner ON moment
      WHEN new.title IS NOT old.title OR new.caption IS NOT old.caption OR new.time <> old.time
        OR new.hidden <> old.hidden OR new.owner <> old.owner BEGIN
      INSERT OR IGNORE INTO moment_change SELECT \(oldKey) WHERE old.reach > \(nobody);
      INSERT OR IGNORE INTO moment_change SELECT \(key) WHERE new.reach > \(nobody);
    END;
    CREATE TRIGGER moment_moved AFTER UPDATE OF location, location_reach, visibility, state, hidden, owner ON moment
      WHEN new.location IS NOT old.location OR new.map_reach <> old.map_reach OR new.owner <> old.owner BEGIN
      \(note("old", -1))
      \(note("new", 1))
    END;
    CREATE TRIGGER moment_reached AFTER UPDATE OF hidden ON moment WHEN new.hidden <> old.hidden BEGIN
      UPDATE trip SET moments = moments + iif(new.hidden, -1, 1) WHERE id IN (SELECT trip FROM trip_moment WHERE moment = new.id);
    END;
    CREATE TRIGGER moment_of_erased_file AFTER DELETE ON file BEGIN
      DELETE FROM moment WHERE file = old.id;
      DELETE FROM file_use WHERE file = old.id;
    END;
    -- The moments of an owner show only files of this owner.
    CREATE TRIGGER moment_of_given_file AFTER UPDATE OF owner ON file WHEN old.owner IS NOT NULL AND new.owner IS NOT old.owner BEGIN
      DELETE FROM moment WHERE file = new.id AND owner IS NOT new.owner;
    END;
    CREATE TRIGGER moment_of_blocked_file AFTER UPDATE OF state, before ON file
      WHEN \(isBlocked("new")) <> \(isBlocked("old")) BEGIN
      UPDATE moment SET hidden = \(isBlocked("new")) WHERE file = new.id;
    END;
    -- Nothing stores a location of an owner who wants none stored.
    CREATE TRIGGER file_unlocated AFTER UPDATE OF latitude, owner ON file WHEN new.latitude IS NOT NULL
      AND (SELECT location FROM owner WHERE id = new.owner) = \(Moment.LocationSharing.none.sql) BEGIN
      UPDATE file SET latitude = NULL, longitude = NULL, altitude = NULL, location_source = 'user', location = NULL
        WHERE id = new.id;
    END;
    CREATE TRIGGER moment_unlocated AFTER INSERT ON moment WHEN new.latitude IS NOT NULL
      AND (SELECT location FROM owner WHERE id = new.owner) = \(Moment.LocationSharing.none.sql) BEGIN
      UPDATE moment SET latitude = NULL, longitude = NULL, altitude = NULL, location_source = NULL, location = NULL
        WHERE id = new.id;
    END;
    CREATE TRIGGER moment_relocated AFTER UPDATE OF latitude ON moment WHEN new.latitude IS NOT NULL
      AND (SELECT location FROM owner WHERE id = new.owner) = \(Moment.LocationSharing.none.sql) BEGIN
      UPDATE moment SET latitude = NULL, longitude = NULL, altitude = NULL, location_source = NULL, location = NULL
        WHERE id = new.id;
    END;
    CREATE TRIGGER trip_inserted AFTER INSERT ON trip BEGIN
      INSERT INTO trip_text (rowid, title, description, owner) VALUES (new.id, new.title, new.description, new.owner);
    END;
    CREATE TRIGGER trip_deleted AFTER DELETE ON trip BEGIN
      DELETE FROM trip_text WHERE rowid = old.id;
      DELETE FROM trip_moment WHERE trip = old.id;
    END;
    CREATE TRIGGER trip_worded AFTER UPDATE OF title, description ON trip
      WHEN new.title <> old.title OR new.description IS NOT old.description BEGIN
      UPDATE trip_text SET title = new.title, description = new.description WHERE rowid = new.id;
    END;
    CREATE TRIGGER trip_moment_inserted AFTER INSERT ON trip_moment BEGIN
      UPDATE trip SET moments = moments + 1
        WHERE id = new.trip AND EXISTS (SELECT 1 FROM moment WHERE id = new.moment AND reach > \(nobody));
    END;
    CREATE TRIGGER trip_moment_deleted AFTER DELETE ON trip_moment BEGIN
      UPDATE trip SET moments = moments - 1
        WHERE id = old.trip AND EXISTS (SELECT 1 FROM moment WHERE id = old.moment AND reach > \(nobody));
    END;
    """

  /// A collection that was ever open is a trip of its owner, which nobody else sees, with a moment per photo, video and audio file. It stays a collection, too,
  /// because apps and URLs have its name.
  static let tripsOfCollections = """
    INSERT INTO trip (owner, title, started, ended, visibility)
      SELECT owner, coalesce(title, name), started,
        iif(open, NULL, max(started, coalesce((SELECT max(time) FROM file
          WHERE file.owner = collection.owner AND file.collection = collection.id), started))), \(Moment.Visibility.private.sql)
      FROM collection WHERE started <> 0 ORDER BY id;
    INSERT INTO moment (owner, kind, file, title, caption, time, time_source, latitude, longitude, altitude,
        location_source, location, location_reach, visibility, state, hidden, created, changed)
      SELECT file.owner, file.kind, file.id, file.title, file.caption, file.time, file.time_source, latitude, longitude,
        altitude, location_source, location, \(Moment.LocationSharing.private.sql), \(Moment.Visibility.private.sql), \(Moment.State.shown.sql), \(isBlocked("file")), file.time, file.time
      FROM collection CROSS JOIN file ON file.collection = collection.id AND file.owner = collection.owner
      WHERE collection.started <> 0 AND file.kind <= \(MediaKind.audio.sql) ORDER BY file.id;
    INSERT INTO trip_moment (trip, moment, position)
      SELECT trip.id, moment.id, row_number() OVER (PARTITION BY trip.id ORDER BY moment.time, moment.id) << 20
      FROM moment CROSS JOIN file ON file.id = moment.file CROSS JOIN (
        SELECT id AS collection, row_number() OVER (ORDER BY id) AS number FROM collection WHERE started <> 0) AS numbered
        ON numbered.collection = file.collection
      CROSS JOIN (SELECT id, row_number() OVER (ORDER BY id) AS number FROM trip) AS trip ON trip.number = numbered.number;
    """
}

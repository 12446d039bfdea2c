internal import GRDB
internal import MediaModel

/// The tables of a catalogue, and the migrations of older ones.
///
/// Triggers maintain what follows from the rows of files (counts, search words, garbage, changes of the map), so that every writer does. What is
/// expensive row by row they only note, and the end of the transaction does it (``SearchWords``, ``LocationCells``).
enum CatalogueSchema {
  /// `MdTl`, by which `file` and this library recognise a catalogue.
  static let applicationID: Int64 = 0x4D64_546C

  private static let new = CatalogueFile.State.new.sql
  private static let done = CatalogueFile.State.done.sql
  private static let failed = CatalogueFile.State.failed.sql
  private static let vanished = CatalogueFile.State.vanished.sql
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { db in
      try db.execute(sql: tables)
      try db.execute(sql: indexes)
      try db.execute(sql: triggers)
    }
    migrator.registerMigration("2") { db in
      for sql in moments { try db.execute(sql: sql) }
      // In the same transaction, so that a process that ends after it leaves words and map complete. Of moments
      // alone: it changes no file, and must not fail where a table of derived data of files is missing.
      try PendingChanges.applyOfMoments(db)
    }
    migrator.registerMigration("3") { db in
      for sql in moderation { try db.execute(sql: sql) }
    }
    migrator.registerMigration("4") { db in
      for sql in images { try db.execute(sql: sql) }
    }
    migrator.registerMigration("5") { db in
      for sql in moderatedNotes + moderatedTrips + acceptedContents + cleanMoments { try db.execute(sql: sql) }
      try PendingChanges.applyOfMoments(db)
    }
    return migrator
  }

  /// SQL of a file's size in sums, at most 8 TiB. A sparse file may have exabytes, and the sum of a few would overflow.
  static func countedBytes(_ size: String) -> String { "min(\(size), 8796093022208)" }

  /// SQL of the columns of ``tally`` under which a file is counted: state, kind and failure.
  static func tallied(_ row: String) -> (state: String, kind: String, failure: String) {
    (
      "\(row).state", "coalesce(\(row).kind, -1)",
      "iif(\(row).state = \(failed), coalesce(\(row).failure, ''), '')"
    )
  }

  /// SQL that counts a row of a trigger, in total and for its owner.
  private static func count(_ row: String) -> String {
    let key = tallied(row)
    let values = "\(key.state), \(key.kind), \(key.failure), 1, \(countedBytes("\(row).size"))"
    let adding = "ON CONFLICT DO UPDATE SET files = files + 1, bytes = bytes + excluded.bytes;"
    return """
      INSERT INTO tally VALUES (0, \(values)) \(adding)
      INSERT INTO tally SELECT \(row).owner, \(values) WHERE \(row).owner IS NOT NULL
        \(adding)
      """
  }

  /// SQL that removes a row of a trigger from the counts.
  private static func uncount(_ row: String) -> String {
    let key = tallied(row)
    return """
      UPDATE tally SET files = files - 1, bytes = bytes - \(countedBytes("\(row).size")) WHERE owner IN (0, \(row).owner)
        AND state = \(key.state) AND kind = \(key.kind) AND failure = \(key.failure);
      """
  }

  private static let tables = """
    -- Short texts that many rows share: engines and recipes.
    CREATE TABLE word (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
    CREATE TABLE folder (
      id INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE, fingerprint INTEGER, vanished INTEGER NOT NULL DEFAULT 0);
    CREATE TABLE owner (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE collection (
      id INTEGER PRIMARY KEY, owner INTEGER NOT NULL REFERENCES owner, name TEXT NOT NULL, title TEXT,
      open INTEGER NOT NULL, started INTEGER NOT NULL, files INTEGER NOT NULL DEFAULT 0, UNIQUE (owner, name));
    -- The facts of a content, shared by all files that have it.
    CREATE TABLE content (
      id INTEGER PRIMARY KEY, digest BLOB UNIQUE, bytes INTEGER NOT NULL, facts BLOB NOT NULL,
      thumbhash TEXT, blurhash TEXT, color TEXT, files INTEGER NOT NULL DEFAULT 0);
    CREATE TABLE rendition (
      content INTEGER NOT NULL REFERENCES content, name TEXT NOT NULL, address BLOB NOT NULL, type TEXT NOT NULL,
      width INTEGER NOT NULL, height INTEGER NOT NULL, frames INTEGER NOT NULL, bytes INTEGER NOT NULL,
      source TEXT NOT NULL, PRIMARY KEY (content, name)) WITHOUT ROWID;
    -- Ids are never reused: drafts and apps may still hold them.
    CREATE TABLE file (
      id INTEGER PRIMARY KEY AUTOINCREMENT, folder INTEGER NOT NULL REFERENCES folder, name BLOB NOT NULL,
      device INTEGER NOT NULL, inode INTEGER NOT NULL, size INTEGER NOT NULL, modified INTEGER NOT NULL,
      changed INTEGER NOT NULL, state INTEGER NOT NULL, before INTEGER NOT NULL, content INTEGER REFERENCES content,
      kind INTEGER, time INTEGER NOT NULL, time_source TEXT NOT NULL, mismatch TEXT,
      latitude REAL, longitude REAL, altitude REAL, location_source TEXT, location INTEGER,
      owner INTEGER REFERENCES owner, collection INTEGER REFERENCES collection, title TEXT, caption TEXT,
      failure TEXT, failure_message TEXT, failure_detail TEXT, attempts INTEGER NOT NULL DEFAULT 0,
      engine INTEGER REFERENCES word, recipe INTEGER REFERENCES word);
    -- Search text and owner ids of files in the state done; the rowid sorts by time (SearchKey).
    CREATE VIRTUAL TABLE file_text USING fts5(name, title, caption, owner, tokenize = "unicode61 remove_diacritics 2");
    -- Rowids in file_text that need an update, until the end of the transaction.
    CREATE TABLE text_change (key INTEGER PRIMARY KEY);
    CREATE TABLE scan (id INTEGER PRIMARY KEY AUTOINCREMENT, started INTEGER NOT NULL, finished INTEGER);
    CREATE TABLE scan_root (scan INTEGER NOT NULL REFERENCES scan, path BLOB NOT NULL, PRIMARY KEY (scan, path)) WITHOUT ROWID;
    -- Number of files per state, kind (-1 for none) and failure ('' for none), in total (owner 0) and per owner.
    CREATE TABLE tally (
      owner INTEGER NOT NULL, state INTEGER NOT NULL, kind INTEGER NOT NULL, failure TEXT NOT NULL,
      files INTEGER NOT NULL, bytes INTEGER NOT NULL, PRIMARY KEY (owner, state, kind, failure)) WITHOUT ROWID;
    -- Grid cells of the map with many files, in total (scope 0) and per owner; x and y are the sums of the files' positions, the others the edges
    -- of their bounds.
    CREATE TABLE location_cell (
      scope INTEGER NOT NULL, level INTEGER NOT NULL, cell INTEGER NOT NULL, files INTEGER NOT NULL,
      x INTEGER NOT NULL, y INTEGER NOT NULL, west INTEGER NOT NULL, east INTEGER NOT NULL, north INTEGER NOT NULL,
      south INTEGER NOT NULL, PRIMARY KEY (scope, level, cell)) WITHOUT ROWID;
    -- Locations added to or removed from the map, until the grid cells are updated at the end of the transaction.
    CREATE TABLE location_change (scope INTEGER NOT NULL, location INTEGER NOT NULL, sign INTEGER NOT NULL);
    -- Addresses whose rendition was deleted or replaced; those that no file uses are removed from the store.
    CREATE TABLE garbage (address BLOB PRIMARY KEY) WITHOUT ROWID;
    -- Files and attachments to erase outside the catalogue; each row stays until that is done.
    CREATE TABLE erasure (id INTEGER PRIMARY KEY, original BLOB, draft TEXT, item TEXT);
    """

  private static let indexes = """
    CREATE INDEX folder_there ON folder (path) WHERE vanished = 0;
    CREATE UNIQUE INDEX file_path ON file (folder, name);
    CREATE INDEX file_inode ON file (inode);
    CREATE INDEX file_content ON file (content) WHERE content IS NOT NULL;
    CREATE INDEX file_lost ON file (content) WHERE state = \(vanished) AND content IS NOT NULL;
    CREATE INDEX file_newest ON file (time, name) WHERE state = \(done);
    CREATE INDEX file_visual ON file (time, name) WHERE state = \(done) AND kind <= \(MediaKind.video.sql);
    CREATE INDEX file_kind ON file (kind, time, name) WHERE state = \(done);
    CREATE INDEX file_folder ON file (folder, time, name) WHERE state = \(done);
    CREATE INDEX file_owner ON file (owner, time, name) WHERE state = \(done) AND owner IS NOT NULL;
    CREATE INDEX file_owner_visual ON file (owner, time, name)
      WHERE state = \(done) AND owner IS NOT NULL AND kind <= \(MediaKind.video.sql);
    CREATE INDEX file_owner_kind ON file (owner, kind, time, name) WHERE state = \(done) AND owner IS NOT NULL;
    CREATE INDEX file_owner_content ON file (owner, content)
      WHERE owner IS NOT NULL AND content IS NOT NULL;
    CREATE INDEX file_collection ON file (collection, time, name) WHERE state = \(done) AND collection IS NOT NULL;
    CREATE INDEX file_belonging ON file (owner, collection) WHERE owner IS NOT NULL;
    CREATE INDEX file_new ON file (folder) WHERE state = \(new);
    CREATE INDEX file_failed ON file (failure) WHERE state = \(failed);
    CREATE INDEX file_state ON file (state) WHERE state <> \(done);
    CREATE INDEX file_location ON file (location, time) WHERE state = \(done) AND location IS NOT NULL;
    CREATE INDEX file_owner_location ON file (owner, location, time) WHERE state = \(done) AND location IS NOT NULL AND owner IS NOT NULL;
    CREATE INDEX content_shared ON content (bytes) WHERE files > 1;
    CREATE INDEX rendition_address ON rendition (address);
    CREATE INDEX collection_started ON collection (owner, started);
    CREATE INDEX collection_open ON collection (owner) WHERE open;
    """

  private static let triggers = """
    CREATE TRIGGER file_inserted AFTER INSERT ON file BEGIN
      \(count("new"))
      INSERT OR IGNORE INTO text_change SELECT \(SearchKey.sql("new.")) WHERE new.state = \(done);
      UPDATE content SET files = files + 1 WHERE id = new.content;
      UPDATE collection SET files = files + 1 WHERE id = new.collection AND new.state = \(done);
      UPDATE folder SET fingerprint = NULL, vanished = 0 WHERE id = new.folder AND (fingerprint IS NOT NULL OR vanished);
    END;
    CREATE TRIGGER file_deleted AFTER DELETE ON file BEGIN
      \(uncount("old"))
      INSERT OR IGNORE INTO text_change SELECT \(SearchKey.sql("old.")) WHERE old.state = \(done);
      UPDATE content SET files = files - 1 WHERE id = old.content;
      DELETE FROM content WHERE id = old.content AND files <= 0;
      UPDATE collection SET files = files - 1 WHERE id = old.collection AND old.state = \(done);
      UPDATE folder SET fingerprint = NULL WHERE id = old.folder AND fingerprint IS NOT NULL;
    END;
    CREATE TRIGGER file_counted AFTER UPDATE OF state, kind, failure, size, owner ON file
      WHEN new.state <> old.state OR new.kind IS NOT old.kind OR new.failure IS NOT old.failure
        OR new.size <> old.size OR new.owner IS NOT old.owner BEGIN
      \(uncount("old"))
      \(count("new"))
    END;
    CREATE TRIGGER file_worded AFTER UPDATE OF name, title, caption, time, state, owner ON file
      WHEN (old.state = \(done) OR new.state = \(done)) AND (new.state <> old.state OR new.name <> old.name OR new.time <> old.time
        OR new.title IS NOT old.title OR new.caption IS NOT old.caption OR new.owner IS NOT old.owner) BEGIN
      INSERT OR IGNORE INTO text_change SELECT \(SearchKey.sql("old.")) WHERE old.state = \(done);
      INSERT OR IGNORE INTO text_change SELECT \(SearchKey.sql("new.")) WHERE new.state = \(done);
    END;
    CREATE TRIGGER file_content_changed AFTER UPDATE OF content ON file WHEN new.content IS NOT old.content BEGIN
      UPDATE content SET files = files + 1 WHERE id = new.content;
      UPDATE content SET files = files - 1 WHERE id = old.content;
      DELETE FROM content WHERE id = old.content AND files <= 0;
    END;
    CREATE TRIGGER file_collected AFTER UPDATE OF collection, state ON file
      WHEN new.collection IS NOT old.collection OR new.state <> old.state BEGIN
      UPDATE collection SET files = files - 1 WHERE id = old.collection AND old.state = \(done);
      UPDATE collection SET files = files + 1 WHERE id = new.collection AND new.state = \(done);
    END;
    CREATE TRIGGER file_touched AFTER UPDATE OF folder, name, device, inode, size, modified, state ON file BEGIN
      UPDATE folder SET fingerprint = NULL WHERE id = old.folder AND fingerprint IS NOT NULL;
      UPDATE folder SET fingerprint = NULL WHERE id = new.folder AND fingerprint IS NOT NULL;
      UPDATE folder SET vanished = 0 WHERE id = new.folder AND vanished AND new.state <> \(vanished);
    END;
    CREATE TRIGGER owner_deleted AFTER DELETE ON owner BEGIN
      DELETE FROM tally WHERE owner = old.id;
    END;
    CREATE TRIGGER content_deleted AFTER DELETE ON content BEGIN
      DELETE FROM rendition WHERE content = old.id;
    END;
    CREATE TRIGGER rendition_deleted AFTER DELETE ON rendition BEGIN
      INSERT OR IGNORE INTO garbage VALUES (old.address);
    END;
    CREATE TRIGGER rendition_changed AFTER UPDATE OF address ON rendition WHEN new.address <> old.address BEGIN
      INSERT OR IGNORE INTO garbage VALUES (old.address);
    END;
    CREATE TRIGGER location_inserted AFTER INSERT ON file WHEN new.state = \(done) AND new.location IS NOT NULL BEGIN
      INSERT INTO location_change VALUES (0, new.location, 1);
      INSERT INTO location_change SELECT new.owner, new.location, 1 WHERE new.owner IS NOT NULL;
    END;
    CREATE TRIGGER location_deleted AFTER DELETE ON file WHEN old.state = \(done) AND old.location IS NOT NULL BEGIN
      INSERT INTO location_change VALUES (0, old.location, -1);
      INSERT INTO location_change SELECT old.owner, old.location, -1 WHERE old.owner IS NOT NULL;
    END;
    CREATE TRIGGER location_changed AFTER UPDATE OF location, state, owner ON file
      WHEN new.location IS NOT old.location OR new.state <> old.state OR new.owner IS NOT old.owner BEGIN
      INSERT INTO location_change SELECT 0, old.location, -1 WHERE old.state = \(done) AND old.location IS NOT NULL;
      INSERT INTO location_change SELECT old.owner, old.location, -1
        WHERE old.state = \(done) AND old.location IS NOT NULL AND old.owner IS NOT NULL;
      INSERT INTO location_change SELECT 0, new.location, 1 WHERE new.state = \(done) AND new.location IS NOT NULL;
      INSERT INTO location_change SELECT new.owner, new.location, 1
        WHERE new.state = \(done) AND new.location IS NOT NULL AND new.owner IS NOT NULL;
    END;
    """
}

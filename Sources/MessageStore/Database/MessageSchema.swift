internal import FileSupport
internal import GRDB

/// The database of a message store. Not yet released: until it is, change migration 1 itself.
enum MessageSchema {
  static let fileName = "messages.sqlite"
  /// "MdMs".
  static let applicationID: Int64 = 0x4D64_4D73

  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { db in
      try db.execute(sql: tables)
      try db.execute(sql: triggers)
      try db.execute(sql: usage)
      try db.execute(sql: "PRAGMA application_id = \(applicationID)")
    }
    return migrator
  }

  /// Opens or creates the database.
  static func open(_ path: PathBytes) throws -> DatabasePool {
    var configuration = Configuration()
    configuration.maximumReaderCount = 4
    configuration.busyMode = .timeout(10)
    configuration.prepareDatabase { db in
      // Deleted messages are overwritten.
      try db.execute(sql: "PRAGMA secure_delete = ON")
      // What was acknowledged is on the disk (docs/decisions/0091).
      try db.execute(sql: "PRAGMA synchronous = FULL")
    }
    let pool = try DatabasePool(path: path.description, configuration: configuration)
    try check(pool, at: path)
    try migrator.migrate(pool)
    return pool
  }

  /// Opens an existing database without migrating it.
  /// - Throws: `notAStore` if there is none.
  static func openForReading(_ path: PathBytes) throws -> DatabasePool {
    guard let status = try? FileStatus(at: path), status.kind == .file else {
      throw MessageStore.Failure(
        .notAStore, "The folder is not a message store: it has no file messages.sqlite; name another folder.",
        detail: "\(path)")
    }
    do { return try openForReading(path.description, at: path) } catch let error as DatabaseError
      where error.resultCode == .SQLITE_CANTOPEN || error.resultCode == .SQLITE_READONLY
    {
      // SQLite reads a database in WAL mode with two files next to it, which it cannot make in a folder that cannot be written. Without a write-ahead log,
      // as after a store was closed, the file alone is the whole database.
      let log = try? FileStatus(at: PathBytes(path.bytes + Array("-wal".utf8)))
      guard (log?.bytes ?? 0) == 0 else { throw error }
      do { return try openForReading(unchangingAddress(of: path), at: path) } catch is DatabaseError { throw error }
    }
  }

  private static func openForReading(_ name: String, at path: PathBytes) throws -> DatabasePool {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.maximumReaderCount = 4
    configuration.busyMode = .timeout(10)
    let pool = try DatabasePool(path: name, configuration: configuration)
    try check(pool, at: path)
    guard try pool.read({ try migrator.hasCompletedMigrations($0) }) else {
      throw MessageStore.Failure(
        .notAStore, "The message store is incomplete; open it with the app that writes it.",
        detail: "\(path)")
    }
    return pool
  }

  /// The address of a file that nobody changes, for SQLite (<https://sqlite.org/uri.html>): it neither locks it nor makes files next to it.
  private static func unchangingAddress(of path: PathBytes) -> String {
    let plain = Set("/-._~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
    let escaped = path.bytes.map { (byte: UInt8) -> String in
      if plain.contains(byte) { return String(UnicodeScalar(byte)) }
      return (byte < 16 ? "%0" : "%") + String(byte, radix: 16)
    }
    return "file:\(escaped.joined())?immutable=1"
  }

  /// Refuses the database of another program, and that of a newer version.
  private static func check(_ pool: DatabasePool, at path: PathBytes) throws {
    let (application, tables, isNewer) = try pool.read { db in
      (
        try Int64.fetchOne(db, sql: "PRAGMA application_id") ?? 0,
        // A process that is killed while it creates the database may leave the migrator's empty table.
        try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master WHERE tbl_name <> 'grdb_migrations'") ?? 0,
        try migrator.hasBeenSuperseded(db)
      )
    }
    guard tables == 0 || application == applicationID else {
      throw MessageStore.Failure(
        .notAStore, "The file messages.sqlite is the database of another program; name another folder.",
        detail: "\(path): application_id \(application)")
    }
    if isNewer {
      throw MessageStore.Failure(
        .newerSchema, "The messages were written by a newer version of mediatool; update mediatool to open them.",
        detail: "\(path)")
    }
  }

  private static let tables = """
    CREATE TABLE setting (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
    -- key: the comparable forms of the participants, sorted (A34). The columns from `messages` on are derived by triggers, and `verify` recomputes
    -- them. time is that of the last message or of a newer draft, in seconds since 1970.
    CREATE TABLE thread (
      id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, participants TEXT NOT NULL,
      messages INTEGER NOT NULL DEFAULT 0, unread INTEGER NOT NULL DEFAULT 0, last INTEGER, draft INTEGER, time REAL NOT NULL DEFAULT 0,
      hasAttachment INTEGER NOT NULL DEFAULT 0, lastFailed INTEGER NOT NULL DEFAULT 0);
    CREATE INDEX thread_time ON thread (time, id);
    CREATE INDEX thread_last ON thread (last);
    -- machine: MessageSending or MessageRetrieval as JSON, nil for a received SMS. state, failed, transactionID, location, messageID are its values that are
    -- queried. message: the MessageDraft of an outgoing message, from which its request is made again. notice: the PDU of a notification until its
    -- message is there. answer: the last answer to it, which is repeated for a second notification. download: what a downloaded message is recognised by
    -- when it is stored again. requestKey: what the request to send it is recognised by when it is repeated.
    CREATE TABLE message (
      id INTEGER PRIMARY KEY AUTOINCREMENT, thread INTEGER NOT NULL REFERENCES thread (id), incoming INTEGER NOT NULL, type TEXT NOT NULL,
      time REAL NOT NULL, state TEXT NOT NULL, sender TEXT, subject TEXT, body TEXT NOT NULL DEFAULT '', names TEXT NOT NULL DEFAULT '',
      attachments INTEGER NOT NULL DEFAULT 0, unread INTEGER NOT NULL DEFAULT 0, failed INTEGER NOT NULL DEFAULT 0, machine BLOB, message BLOB,
      notice BLOB, answer BLOB, transactionID TEXT, location TEXT, messageID TEXT, download TEXT, requestKey BLOB);
    CREATE INDEX message_time ON message (thread, time, id);
    CREATE INDEX message_unread ON message (thread) WHERE unread;
    CREATE INDEX message_messageID ON message (messageID) WHERE messageID IS NOT NULL;
    CREATE INDEX message_waiting ON message (state) WHERE state = 'waiting';
    -- A second notification is the same row (A44), and so is an SMS that the network delivers again, by the digest of what it is recognised by.
    CREATE UNIQUE INDEX message_transaction ON message (transactionID, type) WHERE incoming AND transactionID IS NOT NULL;
    CREATE INDEX message_download ON message (download) WHERE download IS NOT NULL;
    CREATE INDEX message_requestKey ON message (requestKey) WHERE requestKey IS NOT NULL;
    CREATE INDEX message_location ON message (location) WHERE incoming AND location IS NOT NULL;
    -- The content in the order of display: a text, or a file named by its digest. source: the digest of the file that it was made of, such as a photo that
    -- was reduced; nil if it is that file.
    CREATE TABLE part (
      message INTEGER NOT NULL REFERENCES message (id) ON DELETE CASCADE, position INTEGER NOT NULL, name TEXT, type TEXT, contentID TEXT,
      bytes INTEGER NOT NULL, digest BLOB, text TEXT, source BLOB, PRIMARY KEY (message, position)) WITHOUT ROWID;
    CREATE INDEX part_digest ON part (digest) WHERE digest IS NOT NULL;
    CREATE TABLE recipient (
      message INTEGER NOT NULL REFERENCES message (id) ON DELETE CASCADE, position INTEGER NOT NULL, address TEXT NOT NULL,
      submission TEXT NOT NULL, delivery TEXT NOT NULL, reading TEXT NOT NULL, reference TEXT, PRIMARY KEY (message, position)) WITHOUT ROWID;
    -- Which SMS a delivery report is about. A network counts references from 0 to 255 and begins again, so each belongs to the SMS that was given it
    -- last; address is the comparable form of its recipient (A34).
    CREATE TABLE smsReference (
      reference TEXT NOT NULL, address TEXT NOT NULL, message INTEGER NOT NULL REFERENCES message (id) ON DELETE CASCADE,
      PRIMARY KEY (reference, address)) WITHOUT ROWID;
    CREATE INDEX smsReference_message ON smsReference (message);
    -- message: a MessageDraft. thread: nil for a new message whose recipients have no thread. A thread has one draft (A35).
    CREATE TABLE draft (
      id INTEGER PRIMARY KEY AUTOINCREMENT, thread INTEGER UNIQUE REFERENCES thread (id), time REAL NOT NULL, message BLOB NOT NULL);
    CREATE TABLE draftFile (
      draft INTEGER NOT NULL REFERENCES draft (id) ON DELETE CASCADE, attachment TEXT NOT NULL, digest BLOB NOT NULL,
      PRIMARY KEY (draft, attachment)) WITHOUT ROWID;
    CREATE INDEX draftFile_digest ON draftFile (digest);
    -- The effects of the state machines that are still to be carried out. due: 0 for at once. since: when a later due was set, by which a clock that was
    -- set back is noticed. timer: the time that a timer has for its state machine. lease: 1 while a request is with the network. Answers outlive
    -- their message.
    CREATE TABLE outbox (
      id INTEGER PRIMARY KEY AUTOINCREMENT, message INTEGER, kind TEXT NOT NULL, due REAL NOT NULL DEFAULT 0, since REAL NOT NULL DEFAULT 0,
      timer REAL, lease INTEGER NOT NULL DEFAULT 0, attempts INTEGER NOT NULL DEFAULT 0, content BLOB);
    CREATE INDEX outbox_due ON outbox (lease, due, id);
    CREATE INDEX outbox_message ON outbox (message);
    -- Notifications and SMS whose message was deleted, so that a second one does not bring it back. Kept until `ends`.
    CREATE TABLE gone (
      transactionID TEXT NOT NULL, type TEXT NOT NULL, location TEXT, answer BLOB, ends REAL NOT NULL, download TEXT,
      PRIMARY KEY (transactionID, type)) WITHOUT ROWID;
    CREATE INDEX gone_download ON gone (download) WHERE download IS NOT NULL;
    CREATE INDEX gone_location ON gone (location) WHERE location IS NOT NULL;
    -- Segments of received SMS. content: the text in UTF-16, the high byte first. message: nil until the SMS is whole; then the digest is all that is kept
    -- of a segment, so that one that is delivered again is recognised. key: that of the sender's thread. Kept until `ends`.
    CREATE TABLE segment (
      digest BLOB PRIMARY KEY, key TEXT NOT NULL, sender TEXT NOT NULL, reference INTEGER NOT NULL, count INTEGER NOT NULL, number INTEGER NOT NULL,
      time REAL NOT NULL, content BLOB, message INTEGER, ends REAL NOT NULL) WITHOUT ROWID;
    CREATE INDEX segment_key ON segment (key, reference);
    CREATE INDEX segment_ends ON segment (ends);
    -- What a malware scanner found in the files of messages, by content. A row says what somebody had: it goes with the last part that has the content.
    CREATE TABLE verdict (
      digest BLOB PRIMARY KEY, state TEXT NOT NULL, detail TEXT, engine TEXT, signatures INTEGER, time INTEGER NOT NULL, due INTEGER,
      attempts INTEGER NOT NULL) WITHOUT ROWID;
    -- Digests of files that may belong to nothing any more.
    CREATE TABLE garbage (digest BLOB PRIMARY KEY) WITHOUT ROWID;
    CREATE VIRTUAL TABLE messageText USING fts5(subject, body, names, content='message', content_rowid='id', tokenize='unicode61 remove_diacritics 2');
    """
}

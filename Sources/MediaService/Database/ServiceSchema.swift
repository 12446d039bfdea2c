internal import GRDB

/// The tables of the service's database. Not yet released: until it is, change migration 1 itself.
enum ServiceSchema {
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { db in try db.execute(sql: tables) }
    return migrator
  }

  private static let tables = """
    -- Settings of this database, such as the generation of attachments that have no row of their own.
    CREATE TABLE setting (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
    -- What the service knows of an attachment beyond the catalogue; name is the client's name of the file. An erased one stays, so that its
    -- addresses stay dead. stripped: whether the original was stored without metadata.
    CREATE TABLE attachment (
      file INTEGER PRIMARY KEY, owner TEXT, name TEXT, generation INTEGER NOT NULL DEFAULT 0, blocked INTEGER NOT NULL DEFAULT 0,
      erased INTEGER NOT NULL DEFAULT 0, stripped INTEGER NOT NULL DEFAULT 0);
    CREATE INDEX attachment_owner ON attachment (owner);
    -- Who else may read an attachment: labels that a token may name. original: whether with the right to the original.
    CREATE TABLE label (
      file INTEGER NOT NULL, label TEXT NOT NULL, original INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (file, label)) WITHOUT ROWID;
    -- Collections whose erasure has begun: their files have tombstones, the catalogue may still have their rows.
    CREATE TABLE erasing_collection (owner TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (owner, name)) WITHOUT ROWID;
    -- Owners whose erasure has begun, and who may have rows in any store.
    CREATE TABLE erasing_owner (owner TEXT PRIMARY KEY) WITHOUT ROWID;
    -- An upload from its first byte until its answer is forgotten. Times are seconds since 1970.
    CREATE TABLE upload (
      id TEXT PRIMARY KEY, owner TEXT NOT NULL, form TEXT NOT NULL, state TEXT NOT NULL, length INTEGER, offset INTEGER NOT NULL,
      name TEXT, type TEXT, metadata TEXT, digest BLOB, draft TEXT, created INTEGER NOT NULL, expires INTEGER NOT NULL,
      attachment INTEGER, answer BLOB) WITHOUT ROWID;
    CREATE INDEX upload_owner ON upload (owner, state);
    CREATE INDEX upload_expires ON upload (expires);
    CREATE INDEX upload_attachment ON upload (attachment) WHERE attachment IS NOT NULL;
    -- Whose draft it is. The draft itself is in the library's DraftStore. A committed one stays with its answer until that is forgotten.
    CREATE TABLE draft (
      id TEXT PRIMARY KEY, owner TEXT NOT NULL, thread TEXT, created INTEGER NOT NULL, changed INTEGER NOT NULL,
      version INTEGER NOT NULL, committed INTEGER, answer BLOB) WITHOUT ROWID;
    CREATE INDEX draft_owner ON draft (owner, changed, id);
    CREATE INDEX draft_changed ON draft (changed);
    -- A thread of an owner has one draft at a time (A35).
    CREATE UNIQUE INDEX draft_thread ON draft (owner, thread) WHERE thread IS NOT NULL AND committed IS NULL;
    -- The image of an owner's profile (R-CHAT-14): the attachment, the part of it as x,y,width,height in upright pixels, and what stands in its addresses.
    CREATE TABLE profile (
      owner TEXT PRIMARY KEY, avatar INTEGER NOT NULL, crop TEXT, address TEXT NOT NULL UNIQUE) WITHOUT ROWID;
    CREATE INDEX profile_avatar ON profile (avatar);
    -- What was made of it: squares by the length of a side in pixels.
    CREATE TABLE profile_image (
      owner TEXT NOT NULL REFERENCES profile ON DELETE CASCADE, size INTEGER NOT NULL, image BLOB NOT NULL, type TEXT NOT NULL,
      PRIMARY KEY (owner, size)) WITHOUT ROWID;
    -- Answers to requests that create something, to be repeated for the same key (draft-ietf-httpapi-idempotency-key-header).
    CREATE TABLE idempotency (
      owner TEXT NOT NULL, key TEXT NOT NULL, request BLOB NOT NULL, created INTEGER NOT NULL, attachment INTEGER, answer BLOB,
      PRIMARY KEY (owner, key)) WITHOUT ROWID;
    CREATE INDEX idempotency_created ON idempotency (created);
    CREATE INDEX idempotency_attachment ON idempotency (attachment) WHERE attachment IS NOT NULL;
    """
}

/// Blocked images, and the texts of the audit trail: migration "4" (docs/decisions/0144).
extension CatalogueSchema {
  /// The parts of migration "4", in the order in which they run.
  static let images = [imageTables, auditTriggers]

  /// Tables of migration "4" with data that exists nowhere else.
  static let imageRows = ["blocked_image"]
  /// All names of migration "4".
  static let imageNames =
    imageRows + [
      "blocked_image_time", "audit_file", "audit_digest", "audit_of_erased_file",
    ]

  private static let imageTables = """
    -- Images whose near-duplicates may be unwanted. Hash: 64 bits of how the image looks; distance: number of bits that may differ.
    CREATE TABLE blocked_image (
      id INTEGER PRIMARY KEY, hash INTEGER NOT NULL UNIQUE, distance INTEGER NOT NULL, reason TEXT NOT NULL,
      actor TEXT NOT NULL, time INTEGER NOT NULL);
    CREATE INDEX blocked_image_time ON blocked_image (time, hash);
    -- The hash of the image that an entry is about.
    ALTER TABLE audit ADD COLUMN image INTEGER;
    CREATE INDEX audit_file ON audit (file) WHERE file IS NOT NULL;
    CREATE INDEX audit_digest ON audit (digest) WHERE digest IS NOT NULL;
    """

  /// The reason is a free text, which may be about the owner: it goes with the file. Who decided what and when stays. ``Erasure`` erases reasons of contents: a trigger would
  /// also run when the last file of a content is only edited.
  private static let auditTriggers = """
    DROP TRIGGER audit_changed;
    CREATE TRIGGER audit_changed BEFORE UPDATE ON audit WHEN new.reason IS NOT NULL OR new.id <> old.id OR new.time IS NOT old.time
      OR new.actor IS NOT old.actor OR new.action IS NOT old.action OR new.digest IS NOT old.digest
      OR new.file IS NOT old.file OR new.image IS NOT old.image BEGIN
      SELECT RAISE(ABORT, 'the audit trail is only added to');
    END;
    CREATE TRIGGER audit_of_erased_file AFTER DELETE ON file BEGIN
      UPDATE audit SET reason = NULL WHERE file = old.id AND reason IS NOT NULL;
    END;
    -- What was erased by earlier versions.
    UPDATE audit SET reason = NULL WHERE file IS NOT NULL AND reason IS NOT NULL AND file NOT IN (SELECT id FROM file);
    """
}

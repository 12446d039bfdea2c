/// Decisions about moments without a file, and reports about them: the first half of migration "5" (docs/decisions/0142).
extension CatalogueSchema {
  /// The parts of this half, in the order in which they run.
  static let moderatedNotes = [noteTables, noteTriggers, textsOfErasedSubjects]

  /// Tables of migration "5" with data that exists nowhere else.
  static let noteRows = ["moment_report"]
  /// All names that it adds.
  static let noteNames =
    noteRows + [
      "moment_report_reader", "moment_report_time", "moment_held", "audit_moment", "audit_image",
      "decisions_of_erased_moment",
    ]

  private static let noteTables = """
    -- Complaints of readers about moments without a file that no moderator has answered yet, one per reader and moment.
    CREATE TABLE moment_report (
      moment INTEGER NOT NULL REFERENCES moment, reader TEXT NOT NULL, reason TEXT NOT NULL, time INTEGER NOT NULL,
      PRIMARY KEY (moment, reader)) WITHOUT ROWID;
    CREATE INDEX moment_report_reader ON moment_report (reader);
    CREATE INDEX moment_report_time ON moment_report (time);
    CREATE INDEX moment_held ON moment (state) WHERE state = \(Moment.State.held.sql);
    -- The moment that an entry is about.
    ALTER TABLE audit ADD COLUMN moment INTEGER;
    CREATE INDEX audit_moment ON audit (moment) WHERE moment IS NOT NULL;
    -- The last decision about an image.
    CREATE INDEX audit_image ON audit (id) WHERE image IS NOT NULL;
    """

  private static let noteTriggers = """
    DROP TRIGGER audit_changed;
    CREATE TRIGGER audit_changed BEFORE UPDATE ON audit WHEN new.reason IS NOT NULL OR new.id <> old.id OR new.time IS NOT old.time
      OR new.actor IS NOT old.actor OR new.action IS NOT old.action OR new.digest IS NOT old.digest
      OR new.file IS NOT old.file OR new.image IS NOT old.image OR new.moment IS NOT old.moment BEGIN
      SELECT RAISE(ABORT, 'the audit trail is only added to');
    END;
    -- As for a file: who decided what and when stays.
    CREATE TRIGGER decisions_of_erased_moment AFTER DELETE ON moment BEGIN
      DELETE FROM moment_report WHERE moment = old.id;
      UPDATE audit SET reason = NULL WHERE moment = old.id AND reason IS NOT NULL;
    END;
    """

  /// Reasons of blocks whose image or content was erased by earlier versions (docs/decisions/0144): those erased the reasons of the audit trail alone, which shows
  /// what was erased.
  private static let textsOfErasedSubjects = """
    UPDATE blocked_image SET reason = '' WHERE reason <> '' AND hash IN (
      SELECT image FROM audit WHERE image IS NOT NULL AND file IS NOT NULL AND file NOT IN (SELECT id FROM file));
    UPDATE blocked SET reason = '' WHERE reason <> ''
      AND EXISTS (SELECT 1 FROM audit WHERE audit.digest = blocked.digest AND audit.action = 'block')
      AND NOT EXISTS (SELECT 1 FROM audit
        WHERE audit.digest = blocked.digest AND audit.action = 'block' AND audit.reason IS NOT NULL);
    -- Files that were added with such a content later repeat the reason.
    UPDATE file SET failure_message = '' WHERE failure = 'quarantined' AND failure_message <> ''
      AND content IN (SELECT content.id FROM blocked CROSS JOIN content ON content.digest = blocked.digest WHERE blocked.reason = '')
      AND NOT EXISTS (SELECT 1 FROM file_flag WHERE file_flag.file = file.id AND file_flag.flag = \(SQLiteCatalogue.FileFlag.quarantined.sql));
    """
}

/// The tables of moderation: migration "3" (docs/decisions/0142).
///
/// A file is quarantined because of a flag of its own, because its content is blocked, or because its content is infected. Triggers note the files for which one of
/// these may have changed, and the end of the transaction sets their states (``ModerationChanges``): so every writer obeys, also a scan that finds a blocked content.
extension CatalogueSchema {
  /// The parts of migration "3", in the order in which they run.
  static let moderation = [moderationTables, moderationIndexes, moderationTriggers, flagsOfQuarantinedFiles]

  /// Tables of moderation with data that exists nowhere else.
  static let moderationRows = ["verdict", "blocked", "file_flag", "report", "audit"]
  /// Tables of moderation with derived data.
  static let derivedModerationTables: Set = ["moderation_change"]
  /// All names of migration "3".
  static let moderationNames =
    moderationRows + derivedModerationTables.sorted() + [
      "verdict_due", "report_reader", "report_time", "blocked_time", "file_flag_time", "file_added_moderated",
      "file_moderated", "flag_added", "flag_removed", "content_blocked", "content_unblocked", "content_digested",
      "verdict_given", "verdict_changed", "verdict_of_erased_content", "flags_of_erased_file", "audit_changed",
      "audit_deleted",
    ]

  private static let quarantinedFlag = SQLiteCatalogue.FileFlag.quarantined.sql
  private static let infected = Moderation.Verdict.State.infected.sql

  /// SQL of whether a row of a file has a reason to be quarantined.
  static func hasQuarantineReason(_ row: String) -> String {
    """
    (EXISTS (SELECT 1 FROM file_flag WHERE file_flag.file = \(row).id AND file_flag.flag = \(quarantinedFlag))
      OR EXISTS (SELECT 1 FROM content CROSS JOIN blocked ON blocked.digest = content.digest WHERE content.id = \(row).content)
      OR EXISTS (SELECT 1 FROM content CROSS JOIN verdict ON verdict.digest = content.digest
        WHERE content.id = \(row).content AND verdict.state = \(infected)))
    """
  }

  private static let moderationTables = """
    -- What a scanner found in a content. State: pending 0, clean 1, infected 2, unscannable 3. Detail: the signature or the reason. Due: when it is to be
    -- scanned, seconds since 1970; NULL if only newer signatures are a reason.
    CREATE TABLE verdict (
      digest BLOB PRIMARY KEY, state INTEGER NOT NULL, detail TEXT, engine TEXT, signatures INTEGER,
      time INTEGER NOT NULL, due INTEGER, attempts INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
    -- Contents that nobody may see, whoever adds them. They stay when no file has them any more.
    CREATE TABLE blocked (
      digest BLOB PRIMARY KEY, reason TEXT NOT NULL, actor TEXT NOT NULL, time INTEGER NOT NULL) WITHOUT ROWID;
    -- Decisions about one file. Flag: quarantined 1, protected 2.
    CREATE TABLE file_flag (
      file INTEGER NOT NULL REFERENCES file, flag INTEGER NOT NULL, reason TEXT NOT NULL, actor TEXT NOT NULL,
      time INTEGER NOT NULL, PRIMARY KEY (file, flag)) WITHOUT ROWID;
    -- Complaints of readers that no moderator has answered yet, one per reader and file.
    CREATE TABLE report (
      file INTEGER NOT NULL REFERENCES file, reader TEXT NOT NULL, reason TEXT NOT NULL, time INTEGER NOT NULL,
      PRIMARY KEY (file, reader)) WITHOUT ROWID;
    -- Who decided what, about a content or a file, when and why. Rows are only added.
    CREATE TABLE audit (
      id INTEGER PRIMARY KEY AUTOINCREMENT, time INTEGER NOT NULL, actor TEXT NOT NULL, action TEXT NOT NULL,
      digest BLOB, file INTEGER, reason TEXT);
    -- Files whose state has to be set, until the end of the transaction.
    CREATE TABLE moderation_change (file INTEGER PRIMARY KEY);
    """

  private static let moderationIndexes = """
    CREATE INDEX verdict_due ON verdict (due) WHERE due IS NOT NULL;
    CREATE INDEX report_reader ON report (reader);
    CREATE INDEX report_time ON report (time);
    CREATE INDEX blocked_time ON blocked (time);
    CREATE INDEX file_flag_time ON file_flag (flag, time);
    """

  /// SQL that notes the files of a content.
  private static func noteFiles(of digest: String) -> String {
    """
    INSERT OR IGNORE INTO moderation_change SELECT file.id FROM content
        CROSS JOIN file ON file.content IS NOT NULL AND file.content = content.id WHERE content.digest = \(digest);
    """
  }

  private static let moderationTriggers = """
    CREATE TRIGGER file_added_moderated AFTER INSERT ON file WHEN \(isBlocked("new")) OR \(hasQuarantineReason("new")) BEGIN
      INSERT OR IGNORE INTO moderation_change VALUES (new.id);
    END;
    CREATE TRIGGER file_moderated AFTER UPDATE OF state, before, content ON file
      WHEN \(isBlocked("new")) OR \(hasQuarantineReason("new")) BEGIN
      INSERT OR IGNORE INTO moderation_change VALUES (new.id);
    END;
    CREATE TRIGGER flag_added AFTER INSERT ON file_flag WHEN new.flag = \(quarantinedFlag) BEGIN
      INSERT OR IGNORE INTO moderation_change VALUES (new.file);
    END;
    CREATE TRIGGER flag_removed AFTER DELETE ON file_flag WHEN old.flag = \(quarantinedFlag) BEGIN
      INSERT OR IGNORE INTO moderation_change VALUES (old.file);
    END;
    CREATE TRIGGER content_blocked AFTER INSERT ON blocked BEGIN
      \(noteFiles(of: "new.digest"))
    END;
    CREATE TRIGGER content_unblocked AFTER DELETE ON blocked BEGIN
      \(noteFiles(of: "old.digest"))
    END;
    CREATE TRIGGER content_digested AFTER UPDATE OF digest ON content WHEN new.digest IS NOT old.digest BEGIN
      \(noteFiles(of: "new.digest"))
    END;
    CREATE TRIGGER verdict_given AFTER INSERT ON verdict WHEN new.state = \(infected) BEGIN
      \(noteFiles(of: "new.digest"))
    END;
    CREATE TRIGGER verdict_changed AFTER UPDATE OF state ON verdict WHEN (new.state = \(infected)) <> (old.state = \(infected)) BEGIN
      \(noteFiles(of: "new.digest"))
    END;
    -- A verdict says what somebody had: it goes with the last file.
    CREATE TRIGGER verdict_of_erased_content AFTER DELETE ON content BEGIN
      DELETE FROM verdict WHERE digest = old.digest;
    END;
    CREATE TRIGGER flags_of_erased_file AFTER DELETE ON file BEGIN
      DELETE FROM file_flag WHERE file = old.id;
      DELETE FROM report WHERE file = old.id;
    END;
    CREATE TRIGGER audit_changed BEFORE UPDATE ON audit BEGIN
      SELECT RAISE(ABORT, 'the audit trail is only added to');
    END;
    CREATE TRIGGER audit_deleted BEFORE DELETE ON audit BEGIN
      SELECT RAISE(ABORT, 'the audit trail is only added to');
    END;
    """

  /// Files that earlier versions quarantined: who decided was not recorded.
  private static let flagsOfQuarantinedFiles = """
    INSERT INTO file_flag SELECT id, \(quarantinedFlag), coalesce(failure_message, ''), '', 0 FROM file
      WHERE \(isBlocked("file")) AND typeof(coalesce(failure_message, '')) = 'text';
    INSERT OR IGNORE INTO file_flag SELECT id, \(quarantinedFlag), '', '', 0 FROM file WHERE \(isBlocked("file"));
    DELETE FROM moderation_change;
    """
}

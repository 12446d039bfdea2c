internal import GRDB

/// Compares the states of files with the moderation decisions, and sets them from these.
enum ModerationChecks {
  private static let isWrongDigest = "(typeof(digest) <> 'blob' OR length(digest) <> 32)"
  private static let isUnused = """
    digest NOT IN (SELECT content.digest FROM content WHERE content.digest IS NOT NULL)
    """
  private static let isWrongVerdict = """
    (state NOT IN \(Moderation.Verdict.State.allSQL) OR typeof(detail) NOT IN ('text', 'null') OR typeof(engine) NOT IN ('text', 'null')
      OR typeof(signatures) NOT IN ('integer', 'null') OR typeof(time) <> 'integer'
      OR typeof(due) NOT IN ('integer', 'null') OR typeof(attempts) <> 'integer' OR accepted NOT IN (0, 1))
    """
  private static let isWrongDecision =
    "(typeof(reason) <> 'text' OR typeof(actor) <> 'text' OR typeof(time) <> 'integer')"
  private static let isWrongReport =
    "(typeof(reader) <> 'text' OR typeof(reason) <> 'text' OR typeof(time) <> 'integer')"
  private static let isWrongImage =
    "(typeof(hash) <> 'integer' OR typeof(distance) <> 'integer' OR distance NOT BETWEEN 0 AND \(Moderation.ImageHash.maxDistance))"
  private static let isWrongFlag = "flag NOT IN \(SQLiteCatalogue.FileFlag.allSQL)"
  private static let isBlocked = CatalogueSchema.isBlocked("file")
  private static let hasReason = CatalogueSchema.hasQuarantineReason("file")

  /// Each difference with the statement that finds it.
  static let differences = [
    (
      "a verdict of a scanner has a value that no version of mediatool writes",
      "SELECT 1 FROM verdict WHERE \(isWrongDigest) OR \(isWrongVerdict)"
    ),
    ("a verdict belongs to content that no file has", "SELECT 1 FROM verdict WHERE \(isUnused)"),
    (
      "a moderation decision has a value that no version of mediatool writes",
      """
      SELECT 1 FROM blocked WHERE \(isWrongDigest) OR \(isWrongDecision)
      UNION ALL SELECT 1 FROM file_flag WHERE \(isWrongFlag) OR \(isWrongDecision)
      UNION ALL SELECT 1 FROM report WHERE \(isWrongReport)
      UNION ALL SELECT 1 FROM moment_report WHERE \(isWrongReport)
      UNION ALL SELECT 1 FROM trip_report WHERE \(isWrongReport)
      UNION ALL SELECT 1 FROM blocked_image WHERE \(isWrongImage) OR \(isWrongDecision)
      """
    ),
    (
      "quarantined files differ from the moderation decisions",
      "SELECT 1 FROM file WHERE \(isBlocked) <> \(hasReason)"
    ),
    ("changes of moderation are pending", "SELECT 1 FROM moderation_change"),
  ]

  /// Sets the states of files. A verdict that no version writes is pending again; a quarantined file without a decision stays quarantined, and gets one.
  static func rebuild(_ db: Database) throws {
    try db.execute(
      sql: """
        DELETE FROM verdict WHERE \(isWrongDigest) OR \(isUnused);
        UPDATE verdict SET state = \(Moderation.Verdict.State.pending.sql), detail = NULL, engine = NULL, signatures = NULL,
          time = CAST(time AS INTEGER), due = 0, attempts = 0, accepted = 0 WHERE \(isWrongVerdict);
        DELETE FROM blocked WHERE \(isWrongDigest);
        DELETE FROM blocked_image WHERE typeof(hash) <> 'integer';
        UPDATE blocked_image SET distance = \(Moderation.ImageHash.standardDistance) WHERE \(isWrongImage);
        UPDATE blocked_image SET reason = CAST(reason AS TEXT), actor = CAST(actor AS TEXT), time = CAST(time AS INTEGER)
          WHERE \(isWrongDecision);
        DELETE FROM file_flag WHERE \(isWrongFlag) OR file NOT IN (SELECT id FROM file);
        DELETE FROM report WHERE typeof(reader) <> 'text' OR file NOT IN (SELECT id FROM file);
        DELETE FROM moment_report WHERE typeof(reader) <> 'text' OR moment NOT IN (SELECT id FROM moment);
        DELETE FROM trip_report WHERE typeof(reader) <> 'text' OR trip NOT IN (SELECT id FROM trip);
        UPDATE blocked SET reason = CAST(reason AS TEXT), actor = CAST(actor AS TEXT), time = CAST(time AS INTEGER)
          WHERE \(isWrongDecision);
        UPDATE file_flag SET reason = CAST(reason AS TEXT), actor = CAST(actor AS TEXT), time = CAST(time AS INTEGER)
          WHERE \(isWrongDecision);
        UPDATE report SET reason = CAST(reason AS TEXT), time = CAST(time AS INTEGER) WHERE \(isWrongReport);
        UPDATE moment_report SET reason = CAST(reason AS TEXT), time = CAST(time AS INTEGER) WHERE \(isWrongReport);
        UPDATE trip_report SET reason = CAST(reason AS TEXT), time = CAST(time AS INTEGER) WHERE \(isWrongReport);
        INSERT OR IGNORE INTO file_flag
          SELECT id, \(SQLiteCatalogue.FileFlag.quarantined.sql), coalesce(CAST(failure_message AS TEXT), ''), '', 0 FROM file
          WHERE \(isBlocked) AND NOT \(hasReason);
        INSERT OR IGNORE INTO moderation_change SELECT id FROM file WHERE \(isBlocked) <> \(hasReason);
        """)
    try ModerationChanges(db).apply()
  }
}

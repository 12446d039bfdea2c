internal import GRDB

/// Sets the states of the files that triggers noted during a transaction: a file with a reason to be quarantined is, and any other is not.
struct ModerationChanges {
  private let db: Database

  init(_ db: Database) { self.db = db }

  /// Applies the changes that triggers noted.
  func apply() throws {
    let any = try db.cachedStatement(sql: "SELECT 1 FROM moderation_change LIMIT 1")
    guard try Int.fetchOne(any) != nil else { return }
    for sql in Self.statements { try db.cachedStatement(sql: sql).execute() }
  }

  private static let done = CatalogueFile.State.done.sql
  private static let new = CatalogueFile.State.new.sql
  private static let vanished = CatalogueFile.State.vanished.sql
  private static let quarantined = CatalogueFile.State.quarantined.sql
  private static let isBlocked = CatalogueSchema.isBlocked("file")
  private static let hasReason = CatalogueSchema.hasQuarantineReason("file")
  private static let isNoted = "file.id IN (SELECT moderation_change.file FROM moderation_change)"

  /// SQL of why a file is quarantined: what was decided about the file, then about its content.
  static let reason = """
    coalesce((SELECT file_flag.reason FROM file_flag WHERE file_flag.file = file.id
      AND file_flag.flag = \(SQLiteCatalogue.FileFlag.quarantined.sql)),
      (SELECT blocked.reason FROM content CROSS JOIN blocked ON blocked.digest = content.digest WHERE content.id = file.content),
      (SELECT 'malware: ' || verdict.detail FROM content CROSS JOIN verdict ON verdict.digest = content.digest
        WHERE content.id = file.content AND verdict.state = \(Moderation.Verdict.State.infected.sql)))
    """

  /// Whether an examined file is shown again, because its facts are known. One that failed, or that vanished and came back while it was quarantined, has no recipe
  /// then, so that the next scan examines it.
  private static let isKnown = """
    file.before IN (\(done), \(CatalogueFile.State.failed.sql), \(quarantined)) AND file.content IS NOT NULL
    """

  private static let statements = [
    """
    UPDATE file SET before = iif(state = \(vanished), \(quarantined), before),
      state = iif(state = \(vanished), \(vanished), \(quarantined)), failure = 'quarantined', failure_message = \(reason),
      failure_detail = NULL WHERE \(isNoted) AND NOT \(isBlocked) AND \(hasReason)
    """,
    // A vanished file is examined when it comes back.
    """
    UPDATE file SET state = CASE WHEN state = \(vanished) THEN \(vanished) WHEN \(isKnown) THEN \(done) ELSE \(new) END,
      before = CASE WHEN state <> \(vanished) AND \(isKnown) THEN \(done) ELSE \(new) END, recipe = iif(before = \(done), recipe, NULL),
      failure = NULL, failure_message = NULL WHERE \(isNoted) AND \(isBlocked) AND NOT \(hasReason)
    """,
    "DELETE FROM moderation_change",
  ]
}

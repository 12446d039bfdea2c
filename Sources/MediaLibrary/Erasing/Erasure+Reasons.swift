internal import GRDB

/// The texts of moderation decisions in an erasure: a free text may be about the owner. Who decided what and when stays, and so do digests and hashes, because
/// they are what blocks (docs/decisions/0144). Texts about files and moments are erased by triggers.
extension Erasure {
  /// Erases the reasons of decisions about contents that lose their last file, and of blocks of images that look like an erased file. With an owner,
  /// those about all contents of the owner, whoever else has them.
  func eraseReasons(_ scope: ErasureRequest.Scope) throws {
    try db.execute(
      sql: """
        CREATE TEMP TABLE IF NOT EXISTS gone_content (id INTEGER PRIMARY KEY, digest BLOB);
        DELETE FROM gone_content;
        INSERT OR IGNORE INTO gone_content SELECT content.id, content.digest FROM gone CROSS JOIN file ON file.id = gone.id
          CROSS JOIN content ON content.id = file.content WHERE content.digest IS NOT NULL\(Self.isWhole(scope) ? "" : Self.isLast);
        UPDATE audit SET reason = NULL WHERE reason IS NOT NULL AND digest IN (SELECT digest FROM gone_content);
        UPDATE blocked SET reason = '' WHERE reason <> '' AND digest IN (SELECT digest FROM gone_content);
        UPDATE blocked_image SET reason = '' WHERE reason <> '' AND hash IN (
          SELECT audit.image FROM gone CROSS JOIN audit INDEXED BY audit_file ON audit.file IS NOT NULL AND audit.file = gone.id
          WHERE audit.image IS NOT NULL);
        -- Files of others repeat the reason for which their content is blocked.
        UPDATE file SET failure_message = \(ModerationChanges.reason) WHERE id IN (
          SELECT other.id FROM gone_content CROSS JOIN file AS other INDEXED BY file_content
          ON other.content IS NOT NULL AND other.content = gone_content.id
          WHERE other.failure = 'quarantined' AND other.id NOT IN (SELECT id FROM gone));
        DELETE FROM gone_content;
        """)
  }

  /// Number of verdicts on contents that lose their last file; a trigger deletes them with it.
  func verdictsOfLastFiles() throws -> Int {
    let sql = """
      SELECT count(DISTINCT content.id) FROM gone CROSS JOIN file ON file.id = gone.id
      CROSS JOIN content ON content.id = file.content CROSS JOIN verdict ON verdict.digest = content.digest
      WHERE content.digest IS NOT NULL\(Self.isLast)
      """
    return try Int.fetchOne(db, sql: sql) ?? 0
  }

  private static func isWhole(_ scope: ErasureRequest.Scope) -> Bool { if case .owner = scope { true } else { false } }

  private static let isLast = """
     AND NOT EXISTS (SELECT 1 FROM file AS other
            WHERE other.content IS NOT NULL AND other.content = content.id AND other.id NOT IN (SELECT id FROM gone))
    """
}

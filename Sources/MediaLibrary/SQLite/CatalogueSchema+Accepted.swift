/// File contents that a moderator accepted because no scanner could look at them: a part of migration "5" (docs/decisions/0142).
///
/// The decision belongs to the verdict, so it is erased with the last file of the content, and a file that gets another content has another verdict. Who
/// accepted it and why is in the audit trail alone.
extension CatalogueSchema {
  private typealias State = Moderation.Verdict.State

  /// The parts of it, in the order in which they run. Before ``cleanMoments``, which reads the column.
  static let acceptedContents = [acceptedColumn]

  /// All names that it adds.
  static let acceptedContentNames = ["verdict_unscannable"]

  /// SQL of whether a verdict lets others see its content where they see only what is clean.
  static func isClean(verdict: String) -> String {
    "(\(verdict).state = \(State.clean.sql) OR (\(verdict).state = \(State.unscannable.sql) AND \(verdict).accepted))"
  }

  private static let acceptedColumn = """
    -- Whether a moderator accepted an unscannable content. It counts in this state alone, and ends when malware is found or the content is blocked.
    ALTER TABLE verdict ADD COLUMN accepted INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX verdict_unscannable ON verdict (time, digest) WHERE state = \(State.unscannable.sql) AND accepted = 0;
    """
}

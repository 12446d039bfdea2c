/// Which moments others see where they see only what is clean: the second half of migration "5" (docs/decisions/0142).
///
/// A moment is clean if it has no file, or if a scanner found the file's content clean, or a moderator accepted what none could scan. It is a column, because a map and a listing would otherwise look up file,
/// content and verdict for each moment. Triggers on everything that it derives from set it, so no writer can forget it; `verify` compares it with the verdicts.
extension CatalogueSchema {
  /// The parts of this half, in the order in which they run.
  static let cleanMoments = [cleanColumn, cleanIndexes, cleanTriggers, cellsOfCleanMoments]

  /// All names that it adds.
  static let cleanMomentNames = [
    "moment_of_scanned_file", "moment_of_other_file", "moment_of_changed_file", "moment_of_digested_content",
    "moment_verdict_given", "moment_verdict_changed", "moment_verdict_erased", "clean_moment_inserted",
    "clean_moment_deleted", "clean_moment_moved",
  ]

  /// SQL of whether the file of a moment was found clean or accepted. A note has no file, and nothing to scan.
  /// - Parameter file: SQL of the file's number.
  static func isClean(_ file: String) -> String {
    """
    (\(file) IS NULL OR EXISTS (SELECT 1 FROM file AS own CROSS JOIN content ON content.id = own.content
      CROSS JOIN verdict ON verdict.digest = content.digest WHERE own.id = \(file) AND \(isClean(verdict: "verdict"))))
    """
  }

  private static let cleanColumn = """
    -- Whether it has no file, or one whose content was found clean or accepted.
    ALTER TABLE moment ADD COLUMN clean INTEGER NOT NULL DEFAULT 0;
    UPDATE moment SET clean = 1 WHERE \(isClean("moment.file"));
    """

  /// The indexes of migration "2" with the new column, so that what is not clean is skipped without a look at its row.
  private static let cleanIndexes = """
    DROP INDEX moment_newest;
    DROP INDEX moment_activity;
    DROP INDEX moment_location;
    CREATE INDEX moment_newest ON moment (owner, time, id, kind, reach, clean) WHERE hidden = 0;
    CREATE INDEX moment_activity ON moment (owner, changed, id, kind, reach, clean) WHERE hidden = 0;
    CREATE INDEX moment_location ON moment (owner, location, time, id, map_reach, clean) WHERE location IS NOT NULL;
    """

  /// SQL that sets the column of the moments of a content.
  private static func set(_ value: String, ofMomentsOf digest: String) -> String {
    """
    UPDATE moment SET clean = \(value) WHERE id IN (SELECT shown.id FROM content
        CROSS JOIN file ON file.content IS NOT NULL AND file.content = content.id
        CROSS JOIN moment AS shown ON shown.file IS NOT NULL AND shown.file = file.id WHERE content.digest = \(digest));
    """
  }

  /// SQL that notes a location of a row for the cells of what friends see of clean moments.
  private static func note(_ row: String, _ sign: Int) -> String {
    """
    INSERT INTO moment_location_change SELECT -\(row).owner, \(row).location, \(sign)
        WHERE \(row).clean AND \(row).map_reach > \(Moment.Scope.Audience.owner.sql);
    """
  }

  private static let cleanTriggers = """
    CREATE TRIGGER moment_of_scanned_file AFTER INSERT ON moment WHEN new.clean <> \(isClean("new.file")) BEGIN
      UPDATE moment SET clean = \(isClean("moment.file")) WHERE id = new.id;
    END;
    CREATE TRIGGER moment_of_other_file AFTER UPDATE OF file ON moment WHEN new.clean <> \(isClean("new.file")) BEGIN
      UPDATE moment SET clean = \(isClean("moment.file")) WHERE id = new.id;
    END;
    CREATE TRIGGER moment_of_changed_file AFTER UPDATE OF content ON file WHEN new.content IS NOT old.content BEGIN
      UPDATE moment SET clean = \(isClean("moment.file"))
        WHERE file IS NOT NULL AND file = new.id AND clean <> \(isClean("moment.file"));
    END;
    CREATE TRIGGER moment_of_digested_content AFTER UPDATE OF digest ON content WHEN new.digest IS NOT old.digest BEGIN
      UPDATE moment SET clean = \(isClean("moment.file")) WHERE id IN (SELECT shown.id FROM file
        CROSS JOIN moment AS shown ON shown.file IS NOT NULL AND shown.file = file.id
        WHERE file.content IS NOT NULL AND file.content = new.id);
    END;
    CREATE TRIGGER moment_verdict_given AFTER INSERT ON verdict WHEN \(isClean(verdict: "new")) BEGIN
      \(set("1", ofMomentsOf: "new.digest"))
    END;
    CREATE TRIGGER moment_verdict_changed AFTER UPDATE OF state, accepted ON verdict
      WHEN \(isClean(verdict: "new")) <> \(isClean(verdict: "old")) BEGIN
      \(set(isClean(verdict: "new"), ofMomentsOf: "new.digest"))
    END;
    CREATE TRIGGER moment_verdict_erased AFTER DELETE ON verdict WHEN \(isClean(verdict: "old")) BEGIN
      \(set("0", ofMomentsOf: "old.digest"))
    END;
    CREATE TRIGGER clean_moment_inserted AFTER INSERT ON moment BEGIN
      \(note("new", 1))
    END;
    CREATE TRIGGER clean_moment_deleted AFTER DELETE ON moment BEGIN
      \(note("old", -1))
    END;
    CREATE TRIGGER clean_moment_moved
      AFTER UPDATE OF clean, location, location_reach, visibility, state, hidden, owner ON moment
      WHEN new.clean <> old.clean OR new.location IS NOT old.location OR new.map_reach <> old.map_reach
        OR new.owner <> old.owner BEGIN
      \(note("old", -1))
      \(note("new", 1))
    END;
    """

  /// The scope of these cells is the owner's number as a negative one; those of migration "2" are positive.
  private static let cellsOfCleanMoments = """
    INSERT INTO moment_location_change SELECT -owner, location, 1 FROM moment WHERE clean AND map_reach > \(Moment.Scope.Audience.owner.sql);
    """
}

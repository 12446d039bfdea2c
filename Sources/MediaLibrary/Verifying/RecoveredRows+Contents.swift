internal import GRDB

/// Contents of files that come from snapshots: from any snapshot in which the file has the same content.
extension RecoveredRows {
  /// Makes the list of files whose contents are sought.
  func startSeekingContents() throws {
    try db.execute(
      sql: """
        CREATE TEMP TABLE sought (
          file INTEGER PRIMARY KEY, content INTEGER NOT NULL, size INTEGER NOT NULL, modified INTEGER NOT NULL, engine TEXT)
        """)
  }

  /// Notes the contents of files that were just taken from a snapshot, with what shows that another one has the same: ids of contents are given again.
  func seekContents(by condition: String, _ range: StatementArguments) throws {
    try db.execute(
      sql: """
        INSERT OR IGNORE INTO temp.sought (file, content, size, modified, engine)
        SELECT saved.id, saved.content, saved.size, saved.modified,
          (SELECT here.text FROM saved.word AS here WHERE here.id = saved.engine)
        FROM saved.file AS saved WHERE \(condition) AND saved.content IS NOT NULL
          AND saved.id NOT IN (SELECT id FROM temp.copied_file)
        """, arguments: range)
  }

  /// Takes the sought contents. A file whose content no snapshot has is read by the next scan.
  func fillSoughtContents(_ gaps: [ClosedRange<Int64>]) throws {
    for statements in [[Self.useContents, Self.insertContents, Self.useContents], [Self.insertRenditions]] {
      try saved.fillFromAll(gaps, db) { part in
        for sql in statements { try db.execute(sql: sql, arguments: [part.lowerBound, part.upperBound]) }
      }
    }
    // Facts without a digest may be those of another content.
    try db.execute(
      sql: """
        UPDATE main.file SET \(Self.readAgain) WHERE content IS NULL AND state = \(CatalogueFile.State.done.sql)
          AND id NOT IN (SELECT id FROM temp.copied_file)
        """)
  }

  /// SQL of the files whose contents are sought (`sought`) with their contents in the attached snapshot (`here`), where they were the same files, unchanged.
  private static let unchanged = """
    temp.sought AS sought JOIN saved.file AS saved ON saved.id = sought.file AND saved.content = sought.content
      AND saved.size = sought.size AND saved.modified = sought.modified
      AND (SELECT word.text FROM saved.word AS word WHERE word.id = saved.engine) IS sought.engine
    JOIN saved.content AS here ON here.id = saved.content AND here.digest IS NOT NULL
    """

  private static let useContents = """
    UPDATE main.file AS now SET content = there.id
    FROM \(unchanged) JOIN main.content AS there ON there.digest = here.digest
    WHERE now.id = sought.file AND now.content IS NULL AND sought.file BETWEEN ? AND ?
    """

  private static let insertContents = """
    INSERT OR IGNORE INTO main.content (digest, bytes, facts, thumbhash, blurhash, color)
    SELECT here.digest, here.bytes, here.facts, here.thumbhash, here.blurhash, here.color
    FROM \(unchanged) JOIN main.file AS now ON now.id = sought.file AND now.content IS NULL
    WHERE sought.file BETWEEN ? AND ?
    """

  /// Of the latest snapshot that has any: an earlier one may have some that were removed since. The next scan makes sure that they are complete.
  private static let insertRenditions = """
    INSERT OR IGNORE INTO main.rendition (content, name, address, type, width, height, frames, bytes, source)
    SELECT there.id, made.name, made.address, made.type, made.width, made.height, made.frames, made.bytes, made.source
    FROM \(unchanged) JOIN main.content AS there ON there.digest = here.digest
    JOIN saved.rendition AS made ON made.content = here.id
    WHERE sought.file BETWEEN ? AND ? AND NOT EXISTS (SELECT 1 FROM main.rendition AS other WHERE other.content = there.id)
    """
}

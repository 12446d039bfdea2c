internal import GRDB

/// Rows of damaged pages that other rows refer to: their other half is in an index, or in the snapshot.
extension RecoveredRows {
  /// Short texts, folders and owners: the index of their names has both columns that matter.
  func fillNames(of table: String, _ column: String, _ gap: ClosedRange<Int64>) throws {
    let range: StatementArguments = [gap.lowerBound, gap.upperBound]
    try attempt(
      """
      INSERT OR IGNORE INTO main.\(table) (id, \(column))
      SELECT id, \(column) FROM old.\(table) INDEXED BY sqlite_autoindex_\(table)_1 WHERE id BETWEEN ? AND ?
      """, range)
    guard hasSnapshot else { return }
    try attempt(
      """
      INSERT OR IGNORE INTO main.\(table) (id, \(column)) SELECT id, \(column) FROM saved.\(table) WHERE id BETWEEN ? AND ?
      """, range)
  }

  /// Collections: the index has owner and name, the snapshot the rest of the same collection.
  func fillCollections(_ gap: ClosedRange<Int64>) throws {
    let range: StatementArguments = [gap.lowerBound, gap.upperBound]
    let isIndexed = try attempt(
      """
      INSERT OR IGNORE INTO main.collection (id, owner, name, open, started)
      SELECT id, owner, name, 0, 0 FROM old.collection INDEXED BY sqlite_autoindex_collection_1 WHERE id BETWEEN ? AND ?
      """, range)
    guard hasSnapshot else { return }
    if isIndexed {
      try attempt(
        """
        UPDATE main.collection SET (title, open, started) =
          (SELECT saved.title, saved.open, saved.started FROM saved.collection AS saved WHERE saved.id = main.collection.id)
        WHERE id BETWEEN ? AND ? AND EXISTS (
          SELECT 1 FROM saved.collection AS saved JOIN saved.owner AS owner ON owner.id = saved.owner
          JOIN main.owner AS other ON other.name = owner.name
          WHERE saved.id = main.collection.id AND other.id = main.collection.owner AND saved.name = main.collection.name)
        """, range)
    } else {
      try attempt(
        """
        INSERT OR IGNORE INTO main.collection (id, owner, name, title, open, started)
        SELECT saved.id, other.id, saved.name, saved.title, saved.open, saved.started FROM saved.collection AS saved
        JOIN saved.owner AS owner ON owner.id = saved.owner JOIN main.owner AS other ON other.name = owner.name
        WHERE saved.id BETWEEN ? AND ?
        """, range)
    }
  }

  /// Contents: the index has the digests, and facts of the same digest are the same.
  func fillContents(_ gap: ClosedRange<Int64>) throws {
    try attempt(
      """
      INSERT OR IGNORE INTO main.content (id, digest, bytes, facts, thumbhash, blurhash, color)
      SELECT old.id, old.digest, saved.bytes, saved.facts, saved.thumbhash, saved.blurhash, saved.color
      FROM old.content AS old INDEXED BY sqlite_autoindex_content_1 JOIN saved.content AS saved ON saved.digest = old.digest
      WHERE old.id BETWEEN ? AND ? AND old.digest IS NOT NULL
      """, [gap.lowerBound, gap.upperBound])
    // Without a digest: if the file with this content is unchanged since the snapshot.
    try attempt(
      """
      INSERT OR IGNORE INTO main.content (id, digest, bytes, facts, thumbhash, blurhash, color)
      SELECT id, digest, bytes, facts, thumbhash, blurhash, color FROM saved.content AS content
      WHERE id BETWEEN ? AND ? AND EXISTS (
        SELECT 1 FROM saved.file AS file JOIN main.file AS other ON other.id = file.id AND other.content = file.content
          AND other.size = file.size AND other.modified = file.modified AND other.engine IS file.engine
        WHERE file.content = content.id)
      """, [gap.lowerBound, gap.upperBound])
  }

  /// Renditions of contents whose rows cannot be read. The next scan makes sure that they are complete.
  func fillRenditions(_ gap: ClosedRange<Int64>) throws {
    let range: StatementArguments = [gap.lowerBound, gap.upperBound]
    if hasSnapshot {
      try attempt(
        """
        INSERT OR IGNORE INTO main.rendition (content, name, address, type, width, height, frames, bytes, source)
        SELECT content.id, saved.name, saved.address, saved.type, saved.width, saved.height, saved.frames, saved.bytes, saved.source
        FROM main.content AS content JOIN saved.content AS other ON other.digest = content.digest
        JOIN saved.rendition AS saved ON saved.content = other.id WHERE content.id BETWEEN ? AND ?
        """, range)
    }
    try db.execute(sql: "UPDATE main.file SET recipe = NULL WHERE content BETWEEN ? AND ?", arguments: range)
  }
}

internal import GRDB

/// Rows of damaged pages that other rows refer to: their other half is in an index, or in a snapshot.
extension RecoveredRows {
  /// Short texts, folders and owners: the index of their names has both columns that matter. Where that is damaged too, a snapshot has the name of an id if a
  /// row of the damaged catalogue, or its index, and the same row of the snapshot refer to it: the id of a name that is gone may have been given to another one.
  func fillNames(of table: String, _ column: String, _ gaps: [ClosedRange<Int64>]) throws {
    guard !gaps.isEmpty, try !copyIndex(of: table, column, gaps) else { return }
    try saved.fill(gaps, db) { gap, _ in
      let proofs = try referrers(of: table).map { proof in
        """
        EXISTS (SELECT 1 FROM saved.\(proof.rows) AS other
          JOIN \(proof.now) AS now ON now.id = other.id AND now.\(proof.reference) = other.\(proof.reference)
          WHERE other.\(proof.reference) = name.id)
        """
      }
      try db.execute(
        sql: """
          INSERT OR IGNORE INTO main.\(table) (id, \(column)) SELECT id, \(column) FROM saved.\(table) AS name
          WHERE id BETWEEN ? AND ? AND (\(proofs.joined(separator: " OR ")))
          """, arguments: [gap.lowerBound, gap.upperBound])
    }
  }

  /// A table whose rows have ids that are never given again, where its rows of the damaged catalogue are, and the column that refers to a name.
  private typealias Referrer = (rows: String, now: String, reference: String)

  /// The tables that refer to a table of names. Who owns a row of a damaged page is in the index of owners.
  private func referrers(of table: String) throws -> [Referrer] {
    guard table == "owner" else {
      let references = table == "word" ? ["engine", "recipe"] : [table]
      return references.map { reference -> Referrer in (rows: "file", now: "main.file", reference: reference) }
    }
    let owned = try sharesMoments() ? ["file", "moment", "trip"] : ["file"]
    return owned.flatMap { rows -> [Referrer] in
      [
        (rows: rows, now: "main.\(rows)", reference: "owner"),
        (rows: rows, now: "temp.belonging_of_\(rows)", reference: "owner"),
      ]
    }
  }

  /// Reads the index of names from both ends, up to the pages that cannot be read.
  /// - Returns: Whether the whole index was read.
  private func copyIndex(of table: String, _ column: String, _ gaps: [ClosedRange<Int64>]) throws -> Bool {
    let insert = try db.makeStatement(sql: "INSERT OR IGNORE INTO main.\(table) (id, \(column)) VALUES (?, ?)")
    for order in ["ASC", "DESC"] {
      do {
        let rows = try Row.fetchCursor(
          db,
          sql: """
            SELECT id, \(column) FROM old.\(table) INDEXED BY sqlite_autoindex_\(table)_1 ORDER BY \(column) \(order)
            """)
        while let row = try rows.next() {
          let (id, name): (Int64, DatabaseValue) = (row[0], row[1])
          if gaps.contains(where: { $0.contains(id) }) { try insert.execute(arguments: [id, name]) }
        }
        return true
      } catch let error as DatabaseError where error.isDamage || error.resultCode == .SQLITE_ERROR {
        continue
      }
    }
    return false
  }

  /// Collections: the index has owner and name, a snapshot the rest of the same collection.
  func fillCollections(_ gaps: [ClosedRange<Int64>]) throws {
    var isIndexed = true
    for gap in gaps {
      let isRead = try attempt(
        """
        INSERT OR IGNORE INTO main.collection (id, owner, name, open, started)
        SELECT id, owner, name, 0, 0 FROM old.collection INDEXED BY sqlite_autoindex_collection_1 WHERE id BETWEEN ? AND ?
        """, [gap.lowerBound, gap.upperBound])
      isIndexed = isIndexed && isRead
    }
    try saved.fill(gaps, db) { gap, _ in
      let range: StatementArguments = [gap.lowerBound, gap.upperBound]
      if isIndexed {
        try db.execute(
          sql: """
            UPDATE main.collection SET (title, open, started) =
              (SELECT saved.title, saved.open, saved.started FROM saved.collection AS saved WHERE saved.id = main.collection.id)
            WHERE id BETWEEN ? AND ? AND EXISTS (
              SELECT 1 FROM saved.collection AS saved JOIN saved.owner AS owner ON owner.id = saved.owner
              JOIN main.owner AS other ON other.name = owner.name
              WHERE saved.id = main.collection.id AND other.id = main.collection.owner AND saved.name = main.collection.name)
            """, arguments: range)
      } else {
        try db.execute(
          sql: """
            INSERT OR IGNORE INTO main.collection (id, owner, name, title, open, started)
            SELECT saved.id, other.id, saved.name, saved.title, saved.open, saved.started FROM saved.collection AS saved
            JOIN saved.owner AS owner ON owner.id = saved.owner JOIN main.owner AS other ON other.name = owner.name
            WHERE saved.id BETWEEN ? AND ?
            """, arguments: range)
      }
    }
  }

  /// File contents: the index has the digests, and facts of the same digest are the same in every snapshot.
  func fillContents(_ gaps: [ClosedRange<Int64>]) throws {
    try saved.fillFromAll(gaps, db) { gap in
      // Not in parts: a damaged page of the index is read for each of them.
      try attempt(
        """
        INSERT OR IGNORE INTO main.content (id, digest, bytes, facts, thumbhash, blurhash, color)
        SELECT old.id, old.digest, saved.bytes, saved.facts, saved.thumbhash, saved.blurhash, saved.color
        FROM old.content AS old INDEXED BY sqlite_autoindex_content_1 JOIN saved.content AS saved ON saved.digest = old.digest
        WHERE old.id BETWEEN ? AND ? AND old.digest IS NOT NULL
        """, [gap.lowerBound, gap.upperBound])
    }
    // Without a digest: if the file with this content is unchanged since the snapshot.
    try saved.fillFromAll(gaps, db) { gap in
      try db.execute(
        sql: """
          INSERT OR IGNORE INTO main.content (id, digest, bytes, facts, thumbhash, blurhash, color)
          SELECT id, digest, bytes, facts, thumbhash, blurhash, color FROM saved.content AS content
          WHERE id BETWEEN ? AND ? AND EXISTS (
            SELECT 1 FROM saved.file AS file JOIN main.file AS other ON other.id = file.id AND other.content = file.content
              AND other.size = file.size AND other.modified = file.modified AND other.engine IS file.engine
            WHERE file.content = content.id)
          """, arguments: [gap.lowerBound, gap.upperBound])
    }
  }

  /// Renditions of file contents whose rows cannot be read. The next scan makes sure that they are complete.
  func fillRenditions(_ gaps: [ClosedRange<Int64>]) throws {
    try saved.fillFromAll(gaps, db) { gap in
      try db.execute(
        sql: """
          INSERT OR IGNORE INTO main.rendition (content, name, address, type, width, height, frames, bytes, source)
          SELECT content.id, saved.name, saved.address, saved.type, saved.width, saved.height, saved.frames, saved.bytes, saved.source
          FROM main.content AS content JOIN saved.content AS other ON other.digest = content.digest
          JOIN saved.rendition AS saved ON saved.content = other.id WHERE content.id BETWEEN ? AND ?
          """, arguments: [gap.lowerBound, gap.upperBound])
    }
    for gap in gaps {
      try db.execute(
        sql: "UPDATE main.file SET recipe = NULL WHERE content BETWEEN ? AND ?",
        arguments: [gap.lowerBound, gap.upperBound])
    }
  }
}

internal import GRDB

/// Titles and captions of rows that come from snapshots: the text indexes of the damaged catalogue have the current ones.
extension RecoveredRows {
  /// Tables with texts that people wrote, and the columns of these in the table that a text index keeps them in. The lowest bits of its keys are the id.
  private static let texts = [
    (table: "file", first: ("title", "c1"), second: ("caption", "c2")),
    (table: "moment", first: ("title", "c0"), second: ("caption", "c1")),
    (table: "trip", first: ("title", "c0"), second: ("description", "c1")),
  ]

  /// Gives rows from snapshots the texts that the damaged catalogue has of them.
  /// - Returns: The number of rows whose current texts cannot be read.
  func takeCurrentTexts() throws -> Int {
    var older = 0
    for (table, first, second) in Self.texts {
      try db.execute(
        sql: """
          CREATE TEMP TABLE filled_\(table) (id INTEGER PRIMARY KEY);
          INSERT INTO temp.filled_\(table) SELECT id FROM main.\(table) WHERE id NOT IN (SELECT id FROM temp.copied_\(table));
          CREATE TEMP TABLE text_of_\(table) (id INTEGER PRIMARY KEY, one TEXT, two TEXT);
          """)
      let rows = try count("filled_\(table)")
      guard rows > 0 else { continue }
      // Keys of times before 1970 are negative.
      for keys in [Int64.min ... -1, 0...Int64.max] {
        _ = try SnapshotRows.unread(in: keys) { range in
          try db.execute(
            sql: """
              INSERT OR IGNORE INTO temp.text_of_\(table)
              SELECT id & \(SearchKey.mask), \(first.1), \(second.1) FROM old.\(table)_text_content
              WHERE id BETWEEN ? AND ? AND (id & \(SearchKey.mask)) IN (SELECT id FROM temp.filled_\(table))
              """, arguments: [range.lowerBound, range.upperBound])
        }
      }
      try db.execute(
        sql: """
          UPDATE main.\(table) SET \(first.0) = now.one, \(second.0) = now.two
          FROM temp.text_of_\(table) AS now WHERE now.id = main.\(table).id
          """)
      older += rows - (try count("text_of_\(table)"))
    }
    return older
  }

  private func count(_ table: String) throws -> Int {
    try Int.fetchOne(db, sql: "SELECT count(*) FROM temp.\(table)") ?? 0
  }
}

internal import GRDB

/// The key of a file's words in the text index: its time in the upper bits, its id in the lower. The index returns matches in the order of keys,
/// so the newest come first without sorting.
enum SearchKey {
  /// The lowest bits of a file's id: a catalogue can have 2,147,483,648 rows in its life.
  static let mask: Int64 = 0x7FFF_FFFF

  /// The keys of files of some times; unlimited at the ends, so that no file is missing.
  static func range(of times: Range<Int>?) -> Range<Int64> {
    guard let times, !times.isEmpty else { return .min ..< .max }
    return (kept(times.lowerBound) << 31)..<((kept(times.upperBound - 1) + 1) << 31)
  }

  private static func kept(_ time: Int) -> Int64 { max(-4_294_967_296, min(4_294_967_294, Int64(time))) }

  /// The key in SQL, of columns with a prefix. Times outside 1833…2106 are clamped.
  static func sql(_ prefix: String) -> String {
    "((max(-4294967296, min(4294967294, \(prefix)time)) << 31) | (\(prefix)id & \(mask)))"
  }
}

/// Search patterns for words and an owner.
enum SearchPattern {
  /// The FTS5 pattern for files with each word of a text as a word or the beginning of one. Nil if the text has no word.
  static func match(_ text: String, owner: Int64?) -> String? {
    match(text, in: "name title caption", owners: owner.map { [$0] } ?? [])
  }

  /// The FTS5 pattern for rows of some owners, of any if there are none, with each word of a text in one of the columns.
  static func match(_ text: String, in columns: String, owners: [Int64]) -> String? {
    guard let words = FTS5Pattern(matchingAllPrefixesIn: text)?.rawPattern else { return nil }
    let pattern = "{\(columns)} : (\(words))"
    if owners.isEmpty { return pattern }
    return "\(pattern) AND owner : (\(owners.map { "\"\($0)\"" }.joined(separator: " OR ")))"
  }
}

/// Updates the text index once per transaction in the order of keys, because it writes its pending data to the disk whenever a key is less than
/// the one before.
struct SearchWords {
  private let db: Database

  init(_ db: Database) { self.db = db }

  /// Applies the changes that triggers noted.
  func update() throws {
    guard try Int.fetchOne(try db.cachedStatement(sql: "SELECT 1 FROM text_change LIMIT 1")) != nil else { return }
    for sql in Self.statements { try db.cachedStatement(sql: sql).execute() }
  }

  /// Inserts the words of all files into an empty index.
  func fill() throws {
    try db.execute(
      sql: """
        INSERT INTO file_text (rowid, name, title, caption, owner)
        SELECT \(SearchKey.sql("")) AS key, CAST(name AS TEXT), title, caption, owner
        FROM file WHERE state = \(CatalogueFile.State.done.sql) ORDER BY key
        """)
  }

  private static let statements = [
    "DELETE FROM file_text WHERE rowid IN (SELECT key FROM text_change)",
    """
    INSERT INTO file_text (rowid, name, title, caption, owner)
    SELECT key, CAST(file.name AS TEXT), file.title, file.caption, file.owner
    FROM text_change CROSS JOIN file ON file.id = (text_change.key & \(SearchKey.mask))
    WHERE file.state = \(CatalogueFile.State.done.sql) AND \(SearchKey.sql("file.")) = key ORDER BY key
    """,
    "DELETE FROM text_change",
  ]
}

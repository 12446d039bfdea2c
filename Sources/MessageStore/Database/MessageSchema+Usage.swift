/// The running sums of ``MessageStore/Usage``: one row, which triggers keep whatever statement changes what is counted. `verify` counts again.
extension MessageSchema {
  /// What a row of a message, a part or a deleted notification counts in addition to its content, so that empty ones count, too.
  private static let rowBytes = 200

  /// A table whose rows are counted.
  private struct Counted: Sendable {
    let table: String
    /// The sum that has the number of rows; nil if only bytes are counted.
    var number: String?
    /// The columns that ``bytes`` reads.
    let columns: String
    /// Bytes of a row, in SQL: of a table, or `NEW` and `OLD` in a trigger.
    let bytes: @Sendable (_ row: String) -> String
  }

  private static let everything = [
    Counted(
      table: "message", number: "messages",
      columns: "sender, subject, transactionID, location, messageID, download, notice, machine, answer, message"
    ) { row in
      """
      \(rowBytes) + \(texts("sender", "subject", "transactionID", "location", "messageID", "download", of: row))
      + \(blobs("notice", "machine", "answer", "message", of: row))
      """
    },
    // Texts and names count twice, because they are also stored for searches.
    Counted(table: "part", columns: "bytes, type, text, name, contentID") { row in
      """
      \(rowBytes) + \(row).bytes + \(texts("type", of: row)) + CASE WHEN \(row).text IS NOT NULL THEN \(row).bytes
      ELSE 2 * \(texts("name", of: row)) + \(texts("contentID", of: row)) END
      """
    },
    Counted(table: "thread", number: "threads", columns: "key, participants") { texts("key", "participants", of: $0) },
    Counted(table: "draft", number: "drafts", columns: "message") { blobs("message", of: $0) },
    Counted(table: "gone", columns: "transactionID, location, download, answer") { row in
      "\(rowBytes) + \(texts("transactionID", "location", "download", of: row)) + \(blobs("answer", of: row))"
    },
    Counted(table: "segment", columns: "key, sender, content") { row in
      "\(rowBytes) + \(texts("key", "sender", of: row)) + \(blobs("content", of: row))"
    },
    Counted(table: "outbox", columns: "content") { blobs("content", of: $0) },
  ]

  /// Bytes of text columns of a row, in SQL.
  private static func texts(_ columns: String..., of row: String) -> String {
    columns.map { "ifnull(length(CAST(\(row).\($0) AS BLOB)), 0)" }.joined(separator: " + ")
  }

  /// Bytes of BLOB columns of a row, in SQL. The length of a BLOB is read without its bytes.
  private static func blobs(_ columns: String..., of row: String) -> String {
    columns.map { "ifnull(length(\(row).\($0)), 0)" }.joined(separator: " + ")
  }

  /// The table with the sums, and the triggers that keep them.
  static let usage = """
    CREATE TABLE usage (
      id INTEGER PRIMARY KEY CHECK (id = 1), threads INTEGER NOT NULL, messages INTEGER NOT NULL, drafts INTEGER NOT NULL,
      bytes INTEGER NOT NULL);
    INSERT INTO usage VALUES (1, 0, 0, 0, 0);
    \(everything.map { triggers(of: $0) }.joined(separator: "\n"))
    """

  private static func triggers(of counted: Counted) -> String {
    let (table, bytes) = (counted.table, counted.bytes)
    func number(_ sign: String) -> String { counted.number.map { "\($0) = \($0) \(sign) 1, " } ?? "" }
    return """
      CREATE TRIGGER usage_\(table)_added AFTER INSERT ON \(table) BEGIN
        UPDATE usage SET \(number("+"))bytes = bytes + (\(bytes("NEW")));
      END;
      CREATE TRIGGER usage_\(table)_removed AFTER DELETE ON \(table) BEGIN
        UPDATE usage SET \(number("-"))bytes = bytes - (\(bytes("OLD")));
      END;
      CREATE TRIGGER usage_\(table)_changed AFTER UPDATE OF \(counted.columns) ON \(table) BEGIN
        UPDATE usage SET bytes = bytes + (\(bytes("NEW"))) - (\(bytes("OLD")));
      END;
      """
  }

  /// The query that counts again: threads, messages, drafts, bytes. Cost: reads the rows of all messages and parts, but no texts and no notifications.
  static let counted: String = {
    let bytes = everything.map { "(SELECT total(\($0.bytes($0.table))) FROM \($0.table))" }.joined(separator: " + ")
    return """
      SELECT (SELECT count(*) FROM thread), (SELECT count(*) FROM message), (SELECT count(*) FROM draft), CAST(\(bytes) AS INTEGER)
      """
  }()
}

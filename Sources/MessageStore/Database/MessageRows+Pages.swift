internal import FileSupport
internal import Foundation
internal import GRDB
internal import MediaLibrary

extension MessageRows {
  /// A page of the threads: one range of the index by time.
  static func threads(after cursor: MessageStore.Cursor?, limit: Int) -> SQLRequest<Row> {
    var start: SQL = ""
    if let cursor { start = "WHERE (t.time, t.id) < (\(cursor.time), \(cursor.id))" }
    return """
      SELECT \(sql: threadColumns) FROM \(sql: threadTables) \(start)
      ORDER BY t.time DESC, t.id DESC LIMIT \(min(max(0, limit), 1_000))
      """
  }

  /// A page of the messages of a thread: one range of the index by thread and time.
  static func messages(
    in thread: MessageStore.Thread.ID, before cursor: MessageStore.Cursor?, limit: Int
  ) -> SQLRequest<Row> {
    var start: SQL = ""
    if let cursor { start = "AND (message.time, id) < (\(cursor.time), \(cursor.id))" }
    return """
      SELECT \(sql: messageColumns) FROM message WHERE thread = \(thread.rawValue) \(start)
      ORDER BY message.time DESC, id DESC LIMIT \(min(max(0, limit), 1_000))
      """
  }

  /// A page of the messages with the words of a pattern. Cost: reads the time of each message that has them.
  static func messages(
    matching pattern: FTS5Pattern, before cursor: MessageStore.Cursor?, limit: Int
  ) -> SQLRequest<Row> {
    var start: SQL = ""
    if let cursor { start = "AND (m.time, m.id) < (\(cursor.time), \(cursor.id))" }
    return """
      SELECT \(sql: messageColumns) FROM message WHERE id IN (
        SELECT m.id FROM messageText JOIN message m ON m.id = messageText.rowid
        WHERE messageText MATCH \(pattern) \(start) ORDER BY m.time DESC, m.id DESC LIMIT \(min(max(0, limit), 1_000)))
      ORDER BY message.time DESC, id DESC
      """
  }

  /// The first messages of a request that are within the limits of a page. Of the others, one row is read at a time.
  static func page(
    _ db: Database, _ request: SQLRequest<Row>, _ limits: MessageStore.PageLimits, files: DirectoryStore
  ) throws -> MessageStore.Page {
    var rows: [Row] = []
    var bytes = 0
    var hasMore = false
    let found = try request.fetchCursor(db)
    while let row = try found.next() {
      bytes += try size(row, limits, db)
      guard rows.count < limits.messages, rows.isEmpty || bytes <= limits.bytes else {
        hasMore = true
        break
      }
      rows.append(row.copy())
    }
    return MessageStore.Page(
      messages: try messages(db, rows, files: files, characters: limits.characters), hasMore: hasMore)
  }

  /// Bytes that a message takes in a page.
  private static func size(_ row: Row, _ limits: MessageStore.PageLimits, _ db: Database) throws -> Int {
    let (machine, notice): (Data?, Data?) = (row["machine"], row["notice"])
    let (sender, subject): (String?, String?) = (row["sender"], row["subject"])
    let parts = try Int.fetchOne(
      db,
      sql: """
        SELECT CAST(ifnull(sum(200 + CASE WHEN text IS NULL THEN
          ifnull(length(CAST(name AS BLOB)), 0) + ifnull(length(CAST(contentID AS BLOB)), 0)
            + ifnull(length(CAST(type AS BLOB)), 0) ELSE min(bytes, ?) END), 0) AS INTEGER)
        FROM part WHERE message = ?
        """, arguments: [4 * limits.characters, row["id"] as Int64])
    let states = (machine?.count ?? 0) + (notice?.count ?? 0)
    return states + (sender?.utf8.count ?? 0) + (subject?.utf8.count ?? 0) + (parts ?? 0)
  }
}

internal import GRDB

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
}

internal import GRDB

extension MessageStore {
  /// How much a store has.
  public struct Usage: Hashable, Sendable {
    /// Number of threads.
    public var threads = 0
    /// Number of messages, with notifications.
    public var messages = 0
    /// Number of drafts.
    public var drafts = 0
    /// Bytes of messages: files with their names and types, texts, which count twice because they are also stored for searches, subjects, senders,
    /// notifications, and the state of sending or of the download, with 200 for each message and each part; of participants, drafts without their files,
    /// what is kept of deleted notifications, and what waits to be sent. A file that several messages have is counted for each.
    public var bytes = 0

    /// Nothing.
    public init() {}
  }

  /// How much the store has: sums that every change keeps, so that one row is read.
  public func usage() throws(Failure) -> Usage {
    try read { db in
      let sums = try Row.fetchOne(
        db,
        sql: """
          SELECT CAST(threads AS INTEGER), CAST(messages AS INTEGER), CAST(drafts AS INTEGER), CAST(bytes AS INTEGER) FROM usage
          """)
      // The row is missing in a damaged store only.
      return try sums.map { Self.usage(of: $0) } ?? Self.countedUsage(db)
    }
  }

  /// How much the store has, counted without the sums.
  static func countedUsage(_ db: Database) throws -> Usage {
    try Row.fetchOne(db, sql: MessageSchema.counted).map { usage(of: $0) } ?? Usage()
  }

  private static func usage(of row: Row) -> Usage {
    var usage = Usage()
    (usage.threads, usage.messages, usage.drafts, usage.bytes) = (row[0], row[1], row[2], row[3])
    return usage
  }
}

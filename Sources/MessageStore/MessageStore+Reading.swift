internal import GRDB
public import Messaging

extension MessageStore {
  /// A page of the threads, newest first, in one range of an index.
  /// - Parameters:
  ///   - cursor: That of the last thread of the page before; nil for the first page.
  ///   - limit: Number of threads, at most 1,000. 50 by default.
  public func threads(after cursor: Cursor? = nil, limit: Int = 50) throws(Failure) -> [Thread] {
    try read { db in
      try MessageRows.threads(after: cursor, limit: limit).fetchAll(db).map(MessageRows.thread)
    }
  }

  /// Number of unread messages of all threads, counted in an index that has unread messages alone.
  public func unreadCount() throws(Failure) -> Int {
    try read { db in try Self.unread.fetchOne(db) ?? 0 }
  }

  static let unread: SQLRequest<Int> = "SELECT count(*) FROM message WHERE unread"

  /// A thread.
  /// - Throws: ``MessageStore/Failure/Code/notFound``.
  public func thread(_ id: Thread.ID) throws(Failure) -> Thread {
    let found = try read { db in
      try Row.fetchOne(
        db, sql: "SELECT \(MessageRows.threadColumns) FROM \(MessageRows.threadTables) WHERE t.id = ?",
        arguments: [id.rawValue]
      ).map(MessageRows.thread)
    }
    guard let found else { throw .noThread(id) }
    return found
  }

  /// The thread with these people, whatever the spelling of their numbers; nil if there is none.
  public func thread(with participants: [String]) throws(Failure) -> Thread.ID? {
    let key = ThreadKey(participants, own: options.ownAddresses).key
    return try read { db in
      let id = try Int64.fetchOne(db, sql: "SELECT id FROM thread WHERE key = ?", arguments: [key])
      return id.map(Thread.ID.init(rawValue:))
    }
  }

  /// A page of the messages of a thread, newest first, in one range of an index. Empty for a thread that does not exist.
  /// - Parameters:
  ///   - cursor: That of the last message of the page before; nil for the newest.
  ///   - limit: Number of messages, at most 1,000. 50 by default.
  public func messages(
    in thread: Thread.ID, before cursor: Cursor? = nil, limit: Int = 50
  ) throws(Failure) -> [Message] {
    try read { db in
      let rows = try MessageRows.messages(in: thread, before: cursor, limit: limit).fetchAll(db)
      return try MessageRows.messages(db, rows, files: files)
    }
  }

  /// A message.
  /// - Parameter characters: Of the subject and of each text, the rest of which is cut. Default nil: all.
  /// - Throws: ``MessageStore/Failure/Code/notFound``, also for one that was deleted (R-MMS-54).
  public func message(_ id: Message.ID, characters: Int? = nil) throws(Failure) -> Message {
    let found = try read { db in
      let rows = try Row.fetchAll(
        db, sql: "SELECT \(MessageRows.messageColumns) FROM message WHERE id = ?", arguments: [id.rawValue])
      return try MessageRows.messages(db, rows, files: files, characters: characters).first
    }
    guard let found else { throw .noMessage(id) }
    return found
  }

  /// The messages with each word of a text as a word, or the beginning of one, of their texts, subject or file names; newest first. Accents and
  /// case do not matter. Empty for a text without a word. A text that is written without spaces, such as a Chinese or Japanese one, is one word up to the next
  /// punctuation mark, and is found by its beginning.
  /// - Parameters:
  ///   - cursor: That of the last message of the page before; nil for the first page.
  ///   - limit: Number of messages, at most 1,000. 50 by default.
  public func search(
    _ words: String, before cursor: Cursor? = nil, limit: Int = 50
  ) throws(Failure) -> [Message] {
    guard let pattern = FTS5Pattern(matchingAllPrefixesIn: words) else { return [] }
    return try read { db in
      let request = MessageRows.messages(matching: pattern, before: cursor, limit: limit)
      return try MessageRows.messages(db, request.fetchAll(db), files: files)
    }
  }

  /// The settings of the user: retrieval and reports (R-MMS-58).
  public func settings() throws(Failure) -> MessageSettings { try read(MessageRows.settings) }

  /// Changes the settings. They apply to messages that arrive or are sent from now on.
  public func changeSettings(_ change: (inout MessageSettings) -> Void) throws(Failure) {
    try write { writer in
      var settings = try writer.settings()
      change(&settings)
      try writer.execute(
        "INSERT OR REPLACE INTO setting VALUES ('settings', ?)", [try StoredJSON.data(settings)])
      writer.note(.settings)
    }
  }
}

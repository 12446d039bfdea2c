internal import Crypto
internal import FileSupport
internal import Foundation
internal import GRDB
internal import MMSCodec
internal import Messaging

extension MessageWriter {
  /// The request with this transaction that waits for its answer. Few wait at a time, so their contents are read.
  func submission(_ transaction: String) throws -> OutboxJob? {
    let waiting = try Row.fetchCursor(db, sql: "SELECT * FROM outbox WHERE kind = 'submit' ORDER BY id")
    while let row = try waiting.next() {
      guard let job = OutboxJob(row) else { continue }
      if try StoredJSON.value(MessageSending.Request.self, job.content).transactionID == transaction { return job }
    }
    return nil
  }

  /// Removes a request, and stores its outcome.
  func finish(_ job: OutboxJob, _ event: MessageSending.Event) throws {
    try execute("DELETE FROM outbox WHERE id = ?", [job.id])
    if let id = job.message { try handle(event, of: id) }
  }

  /// Seconds until the timer of a message whose state cannot be read is fired again.
  private static let postponement: Double = 3_600

  /// Removes a timer, and passes it on to the state machine of its message. The timer of a state that cannot be read is postponed: it must not keep those of
  /// other messages.
  func fire(_ row: Row) throws {
    let timer: Int64 = row["id"]
    if let id = (row["message"] as Int64?).map(MessageStore.Message.ID.init(rawValue:)) {
      // For its state machine the time of the timer has come, also if the clock was set back.
      let time = max(now, row["timer"] ?? 0)
      do {
        try handle(MessageSending.Event.timer, of: id, at: time)
        try handle(MessageRetrieval.Event.timer, of: id, at: time)
      } catch is DecodingError {
        return try execute(
          "UPDATE outbox SET due = ?, since = ? WHERE id = ?", [now + Self.postponement, now, timer])
      }
    }
    try execute("DELETE FROM outbox WHERE id = ?", [timer])
  }

  /// Whether a message is an incoming multimedia message, which began with a notification.
  func isNotification(_ id: MessageStore.Message.ID) throws -> Bool {
    try Bool.fetchOne(
      db, sql: "SELECT 1 FROM message WHERE id = ? AND incoming AND machine IS NOT NULL", arguments: [id.rawValue])
      != nil
  }

  /// The message of a download without its notification: the one that was stored before, the one that has the transaction, or a new one, as if it
  /// had been announced and deferred.
  /// - Returns: nil for one that was deleted.
  func addRetrieved(
    _ message: MMSMessage, _ retrieved: MessageRetrieval.Retrieved, octets: [UInt8]
  ) throws -> MessageStore.Message.ID? {
    let name = Self.nameOfDownload(retrieved, octets)
    if let known = try Self.message(ofDownload: name, retrieved, db) { return known }
    if try Self.isGone(download: name, retrieved, db) { return nil }
    var settings = try settings()
    settings.retrievalMode = .manual
    let notification = MessageRetrieval.Notification(transactionID: name, contentLocation: name, receivedAt: now)
    // Its effects are those of a notification that nobody has sent.
    guard
      let (retrieval, _) = MessageRetrieval.arrived(
        notification, settings: settings, conditions: NetworkConditions(), at: now)
    else { return nil }
    let thread = try thread(with: [message.sender].compactMap(\.self))
    try execute(
      """
      INSERT INTO message (thread, incoming, type, time, state, sender, subject, unread, machine, transactionID, location)
      VALUES (?, 1, 'mms', ?, ?, ?, ?, 1, ?, ?, ?)
      """,
      [
        thread.rawValue, now, retrieval.state.rawValue, message.sender?.withoutNUL, message.subjectText?.withoutNUL,
        try StoredJSON.data(retrieval), name, name,
      ])
    return MessageStore.Message.ID(rawValue: db.lastInsertedRowID)
  }

  /// The message that a download was stored as before, or whose notification has its transaction. A carrier may give the download another one, and
  /// may use a transaction again: a message that was downloaded with another Message-ID is another message.
  static func message(
    ofDownload name: String, _ retrieved: MessageRetrieval.Retrieved, _ db: Database
  ) throws -> MessageStore.Message.ID? {
    let known =
      try Int64.fetchOne(db, sql: "SELECT id FROM message WHERE download = ?", arguments: [name])
      ?? Int64.fetchOne(
        db,
        sql: """
          SELECT id FROM message WHERE incoming AND type = 'mms' AND transactionID = ? AND (download IS NULL OR NOT ?)
          """,
        arguments: [retrieved.transactionID, hasMessageID(retrieved)])
    return known.map(MessageStore.Message.ID.init(rawValue:))
  }

  /// Whether the message of a download was deleted.
  static func isGone(
    download name: String, _ retrieved: MessageRetrieval.Retrieved, _ db: Database
  ) throws -> Bool {
    try Bool.fetchOne(
      db,
      sql: """
        SELECT 1 FROM gone
        WHERE type = 'mms' AND (download = ? OR (transactionID = ? AND (download IS NULL OR NOT ?)))
        """,
      arguments: [name, retrieved.transactionID, hasMessageID(retrieved)]) != nil
  }

  private static func hasMessageID(_ retrieved: MessageRetrieval.Retrieved) -> Bool {
    !(retrieved.messageID ?? "").isEmpty
  }

  /// What a downloaded message is recognised by when it is stored again: the carrier's Message-ID, or else its bytes. A digest, because it outlives a
  /// deleted message.
  static func nameOfDownload(_ retrieved: MessageRetrieval.Retrieved, _ octets: [UInt8]) -> String {
    var name = octets
    if let id = retrieved.messageID, !id.isEmpty { name = Array(id.utf8) }
    return "retrieved:" + Hexadecimal.encode(SHA256.hash(data: name))
  }
}

internal import Foundation
internal import GRDB
internal import Messaging

/// What the outbox is to do.
enum OutboxKind: String {
  /// Send a message: the content is a `MessageSending.Request`.
  case submit
  /// Download a message: the content is its address.
  case fetch
  /// Send an answer or a read report: the content is the PDU.
  case answer
  /// Pass the timer on to the state machine.
  case timer
}

extension MessageWriter {
  func enqueue(_ kind: OutboxKind, of id: MessageStore.Message.ID, content: Data) throws {
    try execute(
      "INSERT INTO outbox (message, kind, content) VALUES (?, ?, ?)", [id.rawValue, kind.rawValue, content])
  }

  func dequeue(_ kind: OutboxKind, of id: MessageStore.Message.ID) throws {
    try execute("DELETE FROM outbox WHERE message = ? AND kind = ?", [id.rawValue, kind.rawValue])
  }

  func setTimer(_ time: Double, of id: MessageStore.Message.ID) throws {
    try dequeue(.timer, of: id)
    try execute(
      "INSERT INTO outbox (message, kind, due, since, timer) VALUES (?1, ?2, ?3, ?4, ?3)",
      [id.rawValue, OutboxKind.timer.rawValue, time, now])
  }

  /// Moves what is due later when the clock was set back since: it waits as long as it was to wait, instead of until the old time comes again.
  func followClock() throws {
    try execute("UPDATE outbox SET due = due - since + ?1, since = ?1 WHERE since > ?1", [now])
  }

  /// Ends leases of which nobody knows what came. The requests are carried out again, except an SMS: it fails as unknown, unless the app wants it sent
  /// again.
  func endLeases(of ids: [Int64]) throws {
    for id in ids {
      let row = try Row.fetchOne(
        db,
        sql: """
          SELECT outbox.*, CAST(message.type AS TEXT) AS type FROM outbox LEFT JOIN message ON message.id = outbox.message
          WHERE outbox.id = ? AND lease = 1
          """, arguments: [id])
      guard let row else { continue }
      let type: String? = row["type"]
      if !options.resendsUnknownSMS, type == MessageType.sms.rawValue, let job = OutboxJob(row), job.kind == .submit {
        do {
          try db.inSavepoint {
            let request = try StoredJSON.value(MessageSending.Request.self, job.content)
            try finish(job, .requestFailed(transactionID: request.transactionID, .permanent(.unknownOutcome)))
            return .commit
          }
        } catch is DecodingError {
          // A state that cannot be read keeps no other message from being read. It stays leased, so it is not sent again; the verification reports it.
        }
      } else {
        try execute("UPDATE outbox SET lease = 0 WHERE id = ?", [id])
        if let job = OutboxJob(row), job.kind == .fetch, let message = job.message { try restartProgress(of: message) }
      }
    }
  }
}

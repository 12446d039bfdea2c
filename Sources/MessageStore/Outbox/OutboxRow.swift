internal import Foundation
internal import GRDB

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
}

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
      "INSERT INTO outbox (message, kind, due, content) VALUES (?, ?, ?, ?)",
      [id.rawValue, kind.rawValue, now, content])
  }

  func dequeue(_ kind: OutboxKind, of id: MessageStore.Message.ID) throws {
    try execute("DELETE FROM outbox WHERE message = ? AND kind = ?", [id.rawValue, kind.rawValue])
  }

  func setTimer(_ time: Double, of id: MessageStore.Message.ID) throws {
    try dequeue(.timer, of: id)
    try execute(
      "INSERT INTO outbox (message, kind, due) VALUES (?, ?, ?)", [id.rawValue, OutboxKind.timer.rawValue, time])
  }
}

internal import Foundation
internal import GRDB
internal import Messaging

extension MessageStore {
  /// Deletes a message and the files that no other message has. What is under way for it is cancelled. A sender who wants a report gets one that it was
  /// deleted unread.
  /// - Throws: ``MessageStore/Failure/Code/notFound``.
  public func delete(_ id: Message.ID) throws(Failure) {
    try write { writer in
      let thread = try Int64.fetchOne(
        writer.db, sql: "SELECT thread FROM message WHERE id = ?", arguments: [id.rawValue])
      guard let thread = thread.map(Thread.ID.init(rawValue:)) else { throw Failure.noMessage(id) }
      try writer.delete(id, in: thread)
      try writer.removeIfEmpty(thread)
    }
    // The change is stored; what is left is removed by the next call or start.
    try? removeGarbage()
  }

  /// Deletes a thread: its messages, its draft and their files (A35), and segments of an SMS that is not whole yet.
  /// - Throws: ``MessageStore/Failure/Code/notFound``.
  public func delete(_ id: Thread.ID) throws(Failure) {
    try write { writer in
      try writer.require(id)
      let messages = try Int64.fetchAll(
        writer.db, sql: "SELECT id FROM message WHERE thread = ? ORDER BY time DESC, id DESC", arguments: [id.rawValue])
      for message in messages { try writer.delete(Message.ID(rawValue: message), in: id) }
      let draft = try Int64.fetchOne(writer.db, sql: "SELECT draft FROM thread WHERE id = ?", arguments: [id.rawValue])
      try writer.removeSegments(of: id)
      if let draft { try writer.delete(Draft.ID(rawValue: draft)) }
      try writer.removeIfEmpty(id)
    }
    // The change is stored; what is left is removed by the next call or start.
    try? removeGarbage()
  }
}

extension MessageWriter {
  /// How long an SMS, and the notification of a deleted message without expiry, is remembered: 30 days.
  private static let memory: Double = 30 * 86_400
  /// Bytes of an address or an answer that is remembered of a deleted message: 1 KiB. Without a longer one, a second notification is recognised by its
  /// transaction, and not answered again.
  private static let maxRemembered = 1_024
  /// Not `OR REPLACE`, which removes the earlier row without its triggers: the running sums would keep it.
  private static let replacingGone = """
    ON CONFLICT DO UPDATE SET location = excluded.location, answer = excluded.answer, ends = excluded.ends,
      download = excluded.download
    """

  func delete(_ id: MessageStore.Message.ID, in thread: MessageStore.Thread.ID) throws {
    let row = try Row.fetchOne(
      db, sql: "SELECT incoming, type, machine, answer, transactionID, download FROM message WHERE id = ?",
      arguments: [id.rawValue])
    guard let row else { return }
    if let machine: Data = row["machine"] {
      if row["incoming"] {
        try handle(MessageRetrieval.Event.delete, of: id)
        let notification = try StoredJSON.value(MessageRetrieval.self, machine).notification
        let location = [notification.contentLocation].first { $0.utf8.count <= Self.maxRemembered }
        let answer = (row["answer"] as Data?).flatMap { $0.count <= Self.maxRemembered ? $0 : nil }
        try execute(
          "INSERT INTO gone VALUES (?, 'mms', ?, ?, ?, ?) \(Self.replacingGone)",
          [
            notification.transactionID, location, answer, max(notification.expiresAt ?? 0, now + Self.memory),
            row["download"] as String?,
          ])
      } else {
        try handle(MessageSending.Event.delete, of: id)
      }
    } else if row["incoming"], let name: String = row["transactionID"] {
      try execute(
        "INSERT INTO gone VALUES (?, 'sms', NULL, NULL, ?, NULL) \(Self.replacingGone)", [name, now + Self.memory])
    }
    // Answers and reports are still to be sent.
    try execute("UPDATE outbox SET message = NULL WHERE message = ? AND kind = 'answer'", [id.rawValue])
    try execute("DELETE FROM outbox WHERE message = ?", [id.rawValue])
    try execute("DELETE FROM message WHERE id = ?", [id.rawValue])
    deletesMessages = true
    note(.deleted(id, in: thread))
  }
}

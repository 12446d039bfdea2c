internal import GRDB

extension MessageWriter {
  /// The thread with these people, which is created if there is none.
  func thread(with addresses: [String]) throws -> MessageStore.Thread.ID {
    let key = ThreadKey(addresses, own: options.ownAddresses)
    if let id = try Int64.fetchOne(db, sql: "SELECT id FROM thread WHERE key = ?", arguments: [key.key]) {
      return MessageStore.Thread.ID(rawValue: id)
    }
    try execute("INSERT INTO thread (key, participants) VALUES (?, ?)", [key.key, key.text])
    return MessageStore.Thread.ID(rawValue: db.lastInsertedRowID)
  }

  func require(_ id: MessageStore.Thread.ID) throws {
    guard try Bool.fetchOne(db, sql: "SELECT 1 FROM thread WHERE id = ?", arguments: [id.rawValue]) != nil else {
      throw MessageStore.Failure.noThread(id)
    }
  }

  /// Removes a thread that has neither messages nor a draft.
  func removeIfEmpty(_ id: MessageStore.Thread.ID) throws {
    try execute("DELETE FROM thread WHERE id = ? AND messages = 0 AND draft IS NULL", [id.rawValue])
    note(.thread(id))
  }
}

internal import Foundation
internal import GRDB
internal import Messaging

/// The columns and rows that are taken from stored states: those of messages with their recipients and references, and the keys of threads.
struct StateCheck {
  private(set) var problems: [MessageStore.Problem] = []
  private var messages: [Int64] = []
  private var references: [(reference: String, address: String)] = []
  private var keys: [(thread: Int64, key: String)] = []

  /// - Parameter values: What cannot be decoded.
  init(_ db: Database, skipping values: ValueCheck) throws {
    try checkMessages(db, skipping: values.messages)
    try checkReferences(db)
    try checkKeys(db, skipping: values.threads)
    try checkRequests(db)
  }

  /// Stores again what is derived from the states.
  func correct(_ writer: MessageWriter) throws {
    for id in messages.map(MessageStore.Message.ID.init(rawValue:)) {
      let row = try Row.fetchOne(
        writer.db, sql: "SELECT incoming, machine FROM message WHERE id = ?", arguments: [id.rawValue])
      guard let row else { continue }
      guard let machine: Data = row["machine"] else {
        try writer.execute("UPDATE message SET state = 'received', failed = 0 WHERE id = ?", [id.rawValue])
        continue
      }
      if row["incoming"] {
        try writer.store(try StoredJSON.value(MessageRetrieval.self, machine), of: id)
      } else {
        try writer.execute("DELETE FROM recipient WHERE message = ?", [id.rawValue])
        try writer.store(try StoredJSON.value(MessageSending.self, machine), of: id)
      }
    }
    for (reference, address) in references {
      try writer.execute("DELETE FROM smsReference WHERE reference = ? AND address = ?", [reference, address])
    }
    // Where another thread has the key, both stay: their messages are not mixed without being asked.
    for (thread, key) in keys { try writer.execute("UPDATE OR IGNORE thread SET key = ? WHERE id = ?", [key, thread]) }
  }

  private mutating func report(_ code: MessageStore.Problem.Code, _ detail: String) {
    problems.append(MessageStore.Problem(code: code, detail: detail))
  }

  private mutating func checkMessages(_ db: Database, skipping unreadable: Set<Int64>) throws {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT id, incoming, type, state, failed, machine, messageID, transactionID, location FROM message ORDER BY id
        """)
    while let row = try rows.next() {
      let id: Int64 = row["id"]
      guard !unreadable.contains(id) else { continue }
      do {
        if try isSame(row, db) { continue }
        messages.append(id)
        report(.derived, "state of message \(id)")
      } catch let error as DatabaseError {
        throw error
      } catch {
        report(.unreadable, "message \(id): \(error)")
      }
    }
  }

  private func isSame(_ row: Row, _ db: Database) throws -> Bool {
    let state: String = row["state"]
    let failed: Bool = row["failed"]
    guard let machine: Data = row["machine"] else {
      // An outgoing message and an incoming MMS always have one.
      let (isIncoming, type): (Bool, String) = (row["incoming"], row["type"])
      guard isIncoming, type == MessageType.sms.rawValue else { throw Missing() }
      return state == MessageRetrieval.State.received.rawValue && !failed
    }
    if row["incoming"] {
      let retrieval = try StoredJSON.value(MessageRetrieval.self, machine)
      let (location, transaction): (String?, String?) = (row["location"], row["transactionID"])
      return state == retrieval.state.rawValue && !failed && location == retrieval.notification.contentLocation
        && transaction == retrieval.notification.transactionID
    }
    let sending = try StoredJSON.value(MessageSending.self, machine)
    let stored = try Row.fetchAll(
      db, sql: "SELECT *, CAST(position AS TEXT) AS place FROM recipient WHERE message = ? ORDER BY position",
      arguments: [row["id"] as Int64])
    let columns = ["place", "address", "submission", "delivery", "reading", "reference"]
    let recipients = stored.map { row in columns.map { row[$0] as String? } }
    let expected = sending.recipients.enumerated().map { position, recipient in
      [
        "\(position)", recipient.address.withoutNUL, recipient.submission.name, recipient.delivery.rawValue,
        recipient.reading.rawValue, recipient.messageID?.withoutNUL,
      ] as [String?]
    }
    let (messageID, type): (String?, String) = (row["messageID"], row["type"])
    return state == sending.state.rawValue && failed == (sending.state == .failed)
      && messageID == sending.messageID?.withoutNUL && type == sending.type.rawValue && recipients == expected
  }

  /// A message that must have a state has none.
  private struct Missing: Error, CustomStringConvertible {
    var description: String { "the state is missing" }
  }

  private mutating func checkReferences(_ db: Database) throws {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT s.reference, s.address, s.message, r.address AS recipient FROM smsReference s
        LEFT JOIN recipient r ON r.message = s.message AND r.reference = s.reference AND typeof(r.address) = 'text'
        WHERE typeof(s.reference) = 'text' AND typeof(s.address) = 'text' ORDER BY 1, 2
        """)
    var found: [String: (reference: String, address: String, isRight: Bool)] = [:]
    while let row = try rows.next() {
      let (reference, address): (String, String) = (row["reference"], row["address"])
      let isRight = (row["recipient"] as String?).map { ThreadKey.comparable($0) == address } ?? false
      let key = "\(address)\u{1F}\(reference)"
      found[key] = (reference, address, isRight || found[key]?.isRight == true)
    }
    for one in found.values.filter({ !$0.isRight }).sorted(by: { $0.reference < $1.reference }) {
      references.append((one.reference, one.address))
      report(.derived, "reference \(one.reference)")
    }
  }

  /// A message that is being sent or downloaded waits for a request in the outbox; without one it would wait for ever.
  private mutating func checkRequests(_ db: Database) throws {
    let stuck = try Row.fetchAll(
      db,
      sql: """
        SELECT id, incoming FROM message WHERE (incoming, state) IN (VALUES (0, ?), (1, ?)) AND NOT EXISTS (
          SELECT 1 FROM outbox WHERE outbox.message = message.id AND outbox.kind = iif(incoming, ?, ?)) ORDER BY id
        """,
      arguments: [
        MessageSending.State.sending.rawValue, MessageRetrieval.State.pending.rawValue, OutboxKind.fetch.rawValue,
        OutboxKind.submit.rawValue,
      ])
    for row in stuck {
      let (id, isIncoming): (Int64, Bool) = (row[0], row[1])
      report(
        .requestMissing,
        "message \(id) is being \(isIncoming ? "downloaded" : "sent"), and the outbox has no request for it")
    }
  }

  private mutating func checkKeys(_ db: Database, skipping unreadable: Set<Int64>) throws {
    let rows = try Row.fetchCursor(db, sql: "SELECT id, key, participants FROM thread ORDER BY id")
    while let row = try rows.next() {
      let id: Int64 = row["id"]
      guard !unreadable.contains(id) else { continue }
      let people = ThreadKey.participants(row["participants"])
      let key: String = row["key"]
      guard !ThreadKey.isKey(key, of: people) else { continue }
      keys.append((id, ThreadKey(people).key))
      report(.derived, "key of thread \(id)")
    }
  }
}

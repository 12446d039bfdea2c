internal import Foundation
internal import GRDB
internal import Messaging

/// The columns and rows that are taken from stored states: those of messages with their recipients and references, and the keys of threads.
struct StateCheck: DerivedCheck {
  private(set) var problems: [MessageStore.Problem] = []
  private var messages: [Int64] = []
  private var references: [(reference: SMSReference, message: Int64?)] = []
  private var keys: [(thread: Int64, key: String)] = []
  /// The messages whose states have a reference, in the order of their ids.
  private var holders: [SMSReference: [Int64]] = [:]
  /// Messages whose state cannot be read.
  private var unreadable: Set<Int64>

  /// A reference that a network has given to an SMS, and the comparable form of the recipient.
  private struct SMSReference: Hashable {
    let name: String
    let address: String
  }

  /// - Parameter values: What cannot be decoded.
  init(_ db: Database, skipping values: ValueCheck) throws {
    unreadable = values.messages
    try checkMessages(db)
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
        try correctIncoming(.sms, id, writer)
        continue
      }
      if row["incoming"] {
        try correctIncoming(.mms, id, writer)
        try writer.store(try StoredJSON.value(MessageRetrieval.self, machine), of: id)
      } else {
        try writer.execute("UPDATE message SET transactionID = NULL, location = NULL WHERE id = ?", [id.rawValue])
        try writer.execute("DELETE FROM recipient WHERE message = ?", [id.rawValue])
        try writer.store(try StoredJSON.value(MessageSending.self, machine), of: id)
      }
    }
    for (reference, message) in references {
      let name: StatementArguments = [reference.name, reference.address]
      try writer.execute("DELETE FROM smsReference WHERE reference = ? AND address = ?", name)
      if let message { try writer.execute("INSERT INTO smsReference VALUES (?, ?, ?)", name + [message]) }
    }
    // Where another thread has the key, both stay: their messages are not mixed without being asked.
    for (thread, key) in keys { try writer.execute("UPDATE OR IGNORE thread SET key = ? WHERE id = ?", [key, thread]) }
  }

  /// Where another message has the transaction and this type, both stay: neither is removed without being asked.
  private func correctIncoming(_ type: MessageType, _ id: MessageStore.Message.ID, _ writer: MessageWriter) throws {
    try writer.execute("UPDATE message SET messageID = NULL WHERE id = ?", [id.rawValue])
    try writer.execute("UPDATE OR IGNORE message SET type = ? WHERE id = ?", [type.rawValue, id.rawValue])
  }

  private mutating func report(_ code: MessageStore.Problem.Code, _ detail: String) {
    problems.append(MessageStore.Problem(code: code, detail: detail))
  }

  private mutating func checkMessages(_ db: Database) throws {
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
        unreadable.insert(id)
        report(.unreadable, "message \(id): \(error)")
      }
    }
  }

  private mutating func isSame(_ row: Row, _ db: Database) throws -> Bool {
    let state: String = row["state"]
    let failed: Bool = row["failed"]
    let (type, isIncoming): (String, Bool) = (row["type"], row["incoming"])
    let (location, transaction): (String?, String?) = (row["location"], row["transactionID"])
    let messageID: String? = row["messageID"]
    guard let machine: Data = row["machine"] else {
      // An outgoing message and an incoming MMS, which has an address, always have one.
      guard isIncoming, location == nil else { throw Missing() }
      return messageID == nil && type == MessageType.sms.rawValue && !failed
        && state == MessageRetrieval.State.received.rawValue
    }
    if isIncoming {
      let retrieval = try StoredJSON.value(MessageRetrieval.self, machine)
      return messageID == nil && type == MessageType.mms.rawValue && state == retrieval.state.rawValue && !failed
        && location == retrieval.notification.contentLocation && transaction == retrieval.notification.transactionID
    }
    let sending = try StoredJSON.value(MessageSending.self, machine)
    noteReferences(of: sending, id: row["id"])
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
    return transaction == nil && location == nil && state == sending.state.rawValue
      && failed == (sending.state == .failed) && messageID == sending.messageID?.withoutNUL
      && type == sending.type.rawValue && recipients == expected
  }

  /// A message that must have a state has none.
  private struct Missing: Error, CustomStringConvertible {
    var description: String { "the state is missing" }
  }

  private mutating func noteReferences(of sending: MessageSending, id: Int64) {
    guard sending.type == .sms else { return }
    for recipient in sending.recipients where recipient.submission == .accepted {
      guard let name = recipient.messageID?.withoutNUL else { continue }
      let reference = SMSReference(name: name, address: ThreadKey.comparable(recipient.address))
      if holders[reference]?.last != id { holders[reference, default: []].append(id) }
    }
  }

  /// Each reference of a state has a row. Of several messages that have the same one, any may have the row.
  private mutating func checkReferences(_ db: Database) throws {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT reference, address, message FROM smsReference
        WHERE typeof(reference) = 'text' AND typeof(address) = 'text' AND typeof(message) = 'integer' ORDER BY 1, 2
        """)
    var missing = holders
    while let row = try rows.next() {
      let reference = SMSReference(name: row["reference"], address: row["address"])
      let message: Int64 = row["message"]
      let found = missing.removeValue(forKey: reference) ?? []
      if found.contains(message) || unreadable.contains(message) { continue }
      references.append((reference, found.last))
      report(.derived, "reference \(reference.name)")
    }
    for (reference, messages) in missing.sorted(by: { ($0.key.name, $0.key.address) < ($1.key.name, $1.key.address) }) {
      references.append((reference, messages.last))
      report(.derived, "reference \(reference.name)")
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

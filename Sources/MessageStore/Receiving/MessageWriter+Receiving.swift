internal import Crypto
internal import FileSupport
internal import Foundation
internal import GRDB
internal import MMSCodec
internal import MediaLibrary
internal import Messaging

/// A text or a file to store as part of a message.
struct NewPart {
  var text: String?
  var name: String?
  var type: String?
  var contentID: String?
  var bytes: Int
  var digest: ContentDigest?
  var source: ContentDigest?
}

extension MessageWriter {
  /// Stores a received SMS. A second delivery of the same one changes nothing.
  /// - Parameter time: When the network took it over; without it no two deliveries are the same.
  func addSMS(_ text: String, from sender: String, at time: Double?) throws -> MessageStore.Message.ID? {
    let name = time.map { Self.nameOfSMS(text, from: sender, at: $0) }
    if let name {
      let known = try Int64.fetchOne(
        db, sql: "SELECT id FROM message WHERE incoming AND type = 'sms' AND transactionID = ?", arguments: [name])
      if let known { return MessageStore.Message.ID(rawValue: known) }
      let isGone = try Bool.fetchOne(
        db, sql: "SELECT 1 FROM gone WHERE transactionID = ? AND type = 'sms'", arguments: [name])
      if isGone != nil { return nil }
    }
    let thread = try thread(with: [sender])
    try execute(
      """
      INSERT INTO message (thread, incoming, type, time, state, sender, unread, transactionID)
      VALUES (?, 1, 'sms', ?, 'received', ?, 1, ?)
      """, [thread.rawValue, time ?? now, sender.withoutNUL, name])
    let id = MessageStore.Message.ID(rawValue: db.lastInsertedRowID)
    try addParts([NewPart(text: text, type: "text/plain", bytes: text.utf8.count)], to: id)
    note(id, in: thread)
    note(.arrived(id, .received))
    return id
  }

  /// What an SMS is recognised by when it is delivered again. A digest, because it outlives a deleted message.
  static func nameOfSMS(_ text: String, from sender: String, at time: Double) -> String {
    var hasher = SHA256()
    hasher.update(data: Data("\(sender)\u{0}\(time)\u{0}".utf8))
    hasher.update(data: Data(text.utf8))
    return Hexadecimal.encode(hasher.finalize())
  }

  /// Stores a notification. A second one of the same message changes nothing; it has the last answer repeated, which the carrier has not got.
  func addNotification(
    _ message: MMSMessage, _ notification: MessageRetrieval.Notification, octets: [UInt8], isUnwanted: Bool
  ) throws -> MessageStore.Message.ID? {
    let same = "WHERE incoming AND type = 'mms' AND (transactionID = ? OR location = ?)"
    let names: StatementArguments = [notification.transactionID, notification.contentLocation]
    if let row = try Row.fetchOne(db, sql: "SELECT id, answer FROM message \(same)", arguments: names) {
      let id = MessageStore.Message.ID(rawValue: row["id"])
      if let answer: Data = row["answer"] { try answerAgain(answer, of: id) }
      return id
    }
    let gone = try Row.fetchOne(
      db, sql: "SELECT answer FROM gone WHERE type = 'mms' AND (transactionID = ? OR location = ?)", arguments: names)
    if let gone {
      if let answer: Data = gone["answer"] { try answerAgain(answer, of: nil) }
      return nil
    }
    guard
      let (retrieval, effects) = MessageRetrieval.arrived(
        notification, isUnwanted: isUnwanted, settings: try settings(), conditions: options.conditions(), at: now)
    else { return nil }
    let sender = message.sender
    let thread = try thread(with: [sender].compactMap(\.self))
    try execute(
      """
      INSERT INTO message (thread, incoming, type, time, state, sender, subject, unread, machine, notice, transactionID, location)
      VALUES (?, 1, 'mms', ?, ?, ?, ?, 1, ?, ?, ?, ?)
      """,
      [
        thread.rawValue, now, retrieval.state.rawValue, sender?.withoutNUL, message.subjectText?.withoutNUL,
        try StoredJSON.data(retrieval), Data(octets), notification.transactionID, notification.contentLocation,
      ])
    let id = MessageStore.Message.ID(rawValue: db.lastInsertedRowID)
    try carryOut(effects, of: id)
    note(id, in: thread)
    return id
  }

  /// Sends an answer once more, unless it still waits to be sent.
  private func answerAgain(_ answer: Data, of id: MessageStore.Message.ID?) throws {
    try execute(
      """
      INSERT INTO outbox (message, kind, content) SELECT ?1, 'answer', ?2
      WHERE NOT EXISTS (SELECT 1 FROM outbox WHERE kind = 'answer' AND content = ?2)
      """, [id?.rawValue, answer])
    note(.everything)
  }

  /// Stores a downloaded message in place of its notification.
  /// - Parameter octets: The PDU, by which it is recognised when it is stored again.
  func take(
    _ message: MMSMessage, _ retrieved: MessageRetrieval.Retrieved, octets: [UInt8], parts: [NewPart],
    as id: MessageStore.Message.ID
  ) throws {
    let effects = try handle(.fetched(retrieved), of: id)
    guard effects.contains(.replaceNotice) else { return }
    let row = try Row.fetchOne(db, sql: "SELECT thread, sender FROM message WHERE id = ?", arguments: [id.rawValue])
    guard let row else { return }
    let before = MessageStore.Thread.ID(rawValue: row["thread"])
    let sender: String? = message.sender ?? row["sender"]
    var thread = before
    // Who else a message is to is in the message only, not in its notification. With a hidden sender it stays: a thread with the others alone would
    // show it as theirs.
    if !options.ownAddresses.isEmpty, let sender {
      let others = (message[all: .to] + message[all: .cc]).map(\.address.value)
      thread = try self.thread(with: [sender] + others)
    }
    try execute("DELETE FROM part WHERE message = ?", [id.rawValue])
    try addParts(parts, to: id)
    // Who has read the notification has not read the message: it is unread, so that reading it sends the report.
    try execute(
      "UPDATE message SET thread = ?, sender = ?, subject = ?, notice = NULL, unread = 1, download = ? WHERE id = ?",
      [
        thread.rawValue, sender?.withoutNUL, message.subjectText?.withoutNUL, Self.nameOfDownload(retrieved, octets),
        id.rawValue,
      ])
    note(id, in: thread)
    if thread != before { try removeIfEmpty(before) }
  }

  /// Adds the parts of a message, and what is derived from them.
  func addParts(_ parts: [NewPart], to id: MessageStore.Message.ID) throws {
    for (position, part) in parts.enumerated() {
      let text = part.text?.withoutNUL
      try execute(
        "INSERT INTO part VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
          id.rawValue, position, part.name?.withoutNUL, part.type?.withoutNUL, part.contentID?.withoutNUL,
          text?.utf8.count ?? part.bytes, part.digest.map { Data($0.bytes) }, text, part.source.map { Data($0.bytes) },
        ])
    }
    try execute(
      """
      UPDATE message SET (body, names, attachments) = (
        SELECT ifnull(group_concat(text, char(10)), ''), ifnull(group_concat(CASE WHEN text IS NULL THEN name END, char(10)), ''),
          count(*) - count(text)
        FROM (SELECT text, name FROM part WHERE message = ?1 ORDER BY position))
      WHERE id = ?1
      """, [id.rawValue])
  }
}

extension MMSMessage {
  /// The address of the sender without its type; nil if it is hidden.
  var sender: String? {
    guard case .address(let address) = self[.from] else { return nil }
    return address.address.value
  }
}

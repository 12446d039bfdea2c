internal import AttachmentPolicy
internal import Foundation
internal import GRDB
internal import MMSCodec
internal import MediaModel
internal import Messaging

/// The columns that are taken from what is stored of a message: from the composition of an outgoing message, and from the notification of one that is not
/// downloaded yet. They are its subject and its sender, and the texts, names, types and ids of its parts. The parts of a downloaded message are all that is
/// stored of it.
struct ContentCheck: DerivedCheck {
  private(set) var problems: [MessageStore.Problem] = []
  private var headers: [(message: Int64, header: Header)] = []
  private var parts: [(message: Int64, position: Int, part: Part)] = []

  /// What the row of a message has of its content.
  private struct Header: Equatable {
    var subject: String?
    var sender: String?
  }

  /// What the row of a part has of the composition.
  private struct Part: Equatable {
    var text: String?
    var name: String?
    var type: String?
    var contentID: String?
  }

  /// - Parameter values: What cannot be decoded.
  init(_ db: Database, skipping values: ValueCheck) throws {
    let rows = try Row.fetchCursor(
      db, sql: "SELECT id, incoming, type, subject, sender, message, notice, machine FROM message ORDER BY id")
    while let row = try rows.next() {
      let id: Int64 = row["id"]
      guard !values.messages.contains(id) else { continue }
      do { try check(row, id, db) } catch let error as DatabaseError { throw error } catch {
        report(.unreadable, "content of message \(id): \(error)")
      }
    }
    try checkValues(db)
  }

  /// Stores again what is derived from the content.
  func correct(_ writer: MessageWriter) throws {
    for (id, header) in headers {
      try writer.execute(
        "UPDATE message SET subject = ?, sender = ? WHERE id = ?", [header.subject, header.sender, id])
    }
    for (id, position, part) in parts {
      try writer.execute(
        "UPDATE part SET text = ?, name = ?, type = ?, contentID = ? WHERE message = ? AND position = ?",
        [part.text, part.name, part.type, part.contentID, id, position])
    }
  }

  private mutating func report(_ code: MessageStore.Problem.Code, _ detail: String) {
    problems.append(MessageStore.Problem(code: code, detail: detail))
  }

  private mutating func check(_ row: Row, _ id: Int64, _ db: Database) throws {
    let stored = Header(subject: row["subject"], sender: row["sender"])
    var expected = stored
    let (isIncoming, composed, notice): (Bool, Data?, Data?) = (row["incoming"], row["message"], row["notice"])
    if !isIncoming {
      guard let composed else { throw Missing() }
      let message = MessageComposition(try StoredJSON.value(MessageDraft.self, composed))
      expected = Header(subject: message.sentSubject?.withoutNUL, sender: nil)
      try check(message, id, db)
    } else if let notice {
      let message = try MMSMessage(decoding: [UInt8](notice))
      expected = Header(subject: message.subjectText?.withoutNUL, sender: message.sender?.withoutNUL)
    } else if (row["machine"] as Data?) == nil {
      expected.subject = nil
    }
    guard stored != expected else { return }
    headers.append((id, expected))
    report(.derived, "subject or sender of message \(id)")
  }

  private mutating func check(_ message: MessageComposition, _ id: Int64, _ db: Database) throws {
    let rows = try Row.fetchAll(
      db, sql: "SELECT text, name, type, contentID FROM part WHERE message = ? ORDER BY position", arguments: [id])
    let stored = rows.map { Part(text: $0["text"], name: $0["name"], type: $0["type"], contentID: $0["contentID"]) }
    let expected = message.content.map { item in
      switch item {
      case .text(let text): Part(text: text.withoutNUL, type: "text/plain")
      case .attachment(let item):
        Part(
          name: item.attachment.name?.withoutNUL, type: item.attachment.info.type.rawValue.withoutNUL,
          contentID: item.attachment.id.rawValue.withoutNUL)
      }
    }
    guard stored.count == expected.count else { throw Missing() }
    for (position, part) in expected.enumerated() where part != stored[position] {
      parts.append((id, position, part))
      report(.derived, "part \(id).\(position)")
    }
  }

  /// Values that are stored as a whole and have no columns.
  private mutating func checkValues(_ db: Database) throws {
    try check(MessageDraft.self, "draft", "SELECT id AS name, message AS value FROM draft", db)
    try check(MessageSettings.self, "setting", "SELECT name, value FROM setting WHERE name = 'settings'", db)
    try check(
      MessageSending.Request.self, "request", "SELECT id AS name, content AS value FROM outbox WHERE kind = 'submit'",
      db)
  }

  private mutating func check<Value: Decodable>(
    _ type: Value.Type, _ kind: String, _ sql: String, _ db: Database
  ) throws {
    // Values of another storage class are reported already.
    let rows = try Row.fetchCursor(
      db, sql: "SELECT CAST(name AS TEXT) AS name, value FROM (\(sql)) WHERE typeof(value) = 'blob' ORDER BY 1")
    while let row = try rows.next() {
      do { _ = try StoredJSON.value(type, row["value"]) } catch {
        report(.unreadable, "\(kind) \(row["name"] as String? ?? ""): \(error)")
      }
    }
  }

  /// An outgoing message has no composition, or not all of its parts.
  private struct Missing: Error, CustomStringConvertible {
    var description: String { "the composition or a part is missing" }
  }
}

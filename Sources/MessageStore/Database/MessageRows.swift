internal import FileSupport
internal import Foundation
internal import GRDB
internal import MMSCodec
internal import MediaLibrary
internal import MediaModel
internal import Messaging

/// Reads rows as values.
enum MessageRows {
  static func settings(_ db: Database) throws -> MessageSettings {
    let data = try Data.fetchOne(db, sql: "SELECT value FROM setting WHERE name = 'settings'")
    return try data.map { try StoredJSON.value(MessageSettings.self, $0) } ?? MessageSettings()
  }

  /// Characters of a subject or a text that the summary of a thread has.
  private static let previewLength = 300

  // Each column is cast to its type: decoding a damaged value of another storage class would end the process.
  static let threadColumns = """
    t.id, CAST(t.participants AS TEXT) AS participants, CAST(t.messages AS INTEGER) AS messages,
    CAST(t.unread AS INTEGER) AS unread, CAST(t.draft AS INTEGER) AS draft, CAST(t.time AS REAL) AS time,
    CAST(t.hasAttachment AS INTEGER) AS hasAttachment, CAST(t.lastFailed AS INTEGER) AS lastFailed, CAST(m.time AS REAL) AS lastTime,
    CAST(m.type AS TEXT) AS type, CAST(m.incoming AS INTEGER) AS incoming, CAST(m.state AS TEXT) AS state,
    substr(CAST(m.subject AS TEXT), 1, \(previewLength)) AS subject, substr(CAST(m.body AS TEXT), 1, \(previewLength)) AS body,
    CAST(d.message AS BLOB) AS message, CAST(d.time AS REAL) AS draftTime
    """
  static let threadTables = "thread t LEFT JOIN message m ON m.id = t.last LEFT JOIN draft d ON d.id = t.draft"

  /// The row of a thread with its last message and its draft.
  static func thread(_ row: Row) throws -> MessageStore.Thread {
    let id: Int64 = row["id"]
    var last: ThreadSummary.Message?
    if let time: Double = row["lastTime"] {
      last = ThreadSummary.Message(
        time: time, type: MessageType(rawValue: row["type"]) ?? .sms, isIncoming: row["incoming"],
        subject: row["subject"], texts: [row["body"]], hasAttachment: row["hasAttachment"],
        isDownloaded: row["type"] != MessageType.mms.rawValue || !row["incoming"]
          || row["state"] == MessageRetrieval.State.received.rawValue,
        sendFailed: row["lastFailed"])
    }
    let draft = try (row["message"] as Data?).map {
      MessageComposition(try StoredJSON.value(MessageDraft.self, $0))
    }
    var summary = ThreadSummary(
      participants: ThreadKey.participants(row["participants"]), messages: last.map { [$0] } ?? [], draft: draft,
      draftTime: row["draftTime"] ?? 0)
    summary.unreadCount = row["unread"]
    summary.hasAttachment = row["hasAttachment"]
    // That of a message is cut by the query.
    if case .text(let text) = summary.preview {
      summary.preview = .text(String(text.unicodeScalars.prefix(previewLength)))
    }
    let time: Double = row["time"]
    return MessageStore.Thread(
      id: MessageStore.Thread.ID(rawValue: id), summary: summary,
      draft: (row["draft"] as Int64?).map(MessageStore.Draft.ID.init(rawValue:)), messageCount: row["messages"],
      cursor: MessageStore.Cursor(time: time, id: id))
  }

  static let messageColumns = """
    id, CAST(thread AS INTEGER) AS thread, CAST(incoming AS INTEGER) AS incoming, CAST(type AS TEXT) AS type,
    CAST(time AS REAL) AS time, CAST(sender AS TEXT) AS sender, CAST(subject AS TEXT) AS subject,
    CAST(unread AS INTEGER) AS unread, CAST(machine AS BLOB) AS machine, CAST(notice AS BLOB) AS notice
    """
  private static let partColumns = """
    message, CAST(name AS TEXT) AS name, CAST(type AS TEXT) AS type, CAST(contentID AS TEXT) AS contentID,
    CAST(bytes AS INTEGER) AS bytes, CAST(digest AS BLOB) AS digest, CAST(source AS BLOB) AS source
    """

  /// Rows of messages with their parts.
  /// - Parameter characters: Of the subject and of each text, the rest of which is cut. Default nil: all.
  static func messages(
    _ db: Database, _ rows: [Row], files: DirectoryStore, characters: Int? = nil
  ) throws -> [MessageStore.Message] {
    let text = characters.map { "substr(CAST(text AS TEXT), 1, \($0)) AS text" } ?? "CAST(text AS TEXT) AS text"
    let ids = rows.map { $0["id"] as Int64 }
    let marks = databaseQuestionMarks(count: ids.count)
    var parts: [Int64: [MessageStore.Part]] = [:]
    if !ids.isEmpty {
      let found = try Row.fetchCursor(
        db, sql: "SELECT \(partColumns), \(text) FROM part WHERE message IN (\(marks)) ORDER BY message, position",
        arguments: StatementArguments(ids))
      while let row = try found.next() { parts[row["message"], default: []].append(part(row, files: files)) }
    }
    return try rows.map { try message($0, parts: parts[$0["id"]] ?? [], characters: characters) }
  }

  private static func message(
    _ row: Row, parts: [MessageStore.Part], characters: Int?
  ) throws -> MessageStore.Message {
    let subject = (row["subject"] as String?).map { String($0.unicodeScalars.prefix(characters ?? .max)) }
    let isIncoming: Bool = row["incoming"]
    let machine: Data? = row["machine"]
    let announced = try (row["notice"] as Data?).map { notice in
      MessageModule.modules(of: try MMSMessage(decoding: [UInt8](notice)).moduleContent()).map { module in
        MessageStore.Part(
          text: nil, name: module.filename, type: module.type ?? MMSMessage.mediaType, contentID: module.id,
          bytes: module.bytes ?? 0, path: nil, digest: nil, source: nil)
      }
    }
    return MessageStore.Message(
      id: MessageStore.Message.ID(rawValue: row["id"]), thread: MessageStore.Thread.ID(rawValue: row["thread"]),
      type: MessageType(rawValue: row["type"]) ?? .sms, time: row["time"], sender: row["sender"],
      subject: subject, isUnread: row["unread"], parts: announced ?? parts,
      sending: isIncoming ? nil : try machine.map { try StoredJSON.value(MessageSending.self, $0) },
      retrieval: isIncoming ? try machine.map { try StoredJSON.value(MessageRetrieval.self, $0) } : nil,
      cursor: MessageStore.Cursor(time: row["time"], id: row["id"]))
  }

  private static func part(_ row: Row, files: DirectoryStore) -> MessageStore.Part {
    let digest = (row["digest"] as Data?).flatMap { ContentDigest(bytes: $0) }
    return MessageStore.Part(
      text: row["text"], name: row["name"], type: (row["type"] as String?).map { MediaType($0) } ?? .octetStream,
      contentID: row["contentID"], bytes: row["bytes"], path: digest.flatMap(files.path), digest: digest,
      source: (row["source"] as Data?).flatMap { ContentDigest(bytes: $0) })
  }
}

internal import Crypto
internal import Foundation
internal import GRDB

extension MessageStore {
  /// Stores a segment of a received SMS. Acknowledge it to the network when the call returns. The last one makes the SMS a message.
  ///
  /// A segment that is delivered again changes nothing, also after the SMS is whole. Segments of an SMS that stays incomplete are removed after 30 days.
  /// - Throws: ``MessageStore/Failure/Code/unrecognized`` for numbers that no segment has, and for a text of more than 1,000 UTF-16 units.
  @discardableResult
  public func receive(_ segment: SMSSegment) throws(Failure) -> SMSProgress {
    guard segment.isValid else {
      throw Failure(
        .unrecognized,
        "The data is not a segment of an SMS: its number, the count of segments or the length of its text is invalid.")
    }
    return try write { try $0.add(segment) }
  }

  /// What storing a segment would add: ``Addition/nothing`` if it is stored.
  public func addition(of segment: SMSSegment) throws(Failure) -> Addition {
    let known = try read { db in
      try Bool.fetchOne(db, sql: "SELECT 1 FROM segment WHERE digest = ?", arguments: [segment.digest])
    }
    return known == nil ? .message : .nothing
  }
}

extension MessageWriter {
  /// How long segments are kept: 30 days.
  private static let lifetime: Double = 30 * 86_400
  /// Seconds between the time stamps of two segments of an SMS, at most: a sender uses a reference again.
  private static let maxInterval: Double = 86_400

  func add(_ segment: MessageStore.SMSSegment) throws -> MessageStore.SMSProgress {
    try removeExpiredSegments()
    let known = try Row.fetchOne(
      db,
      sql: """
        SELECT segment.message, message.id IS NOT NULL FROM segment LEFT JOIN message ON message.id = segment.message
        WHERE digest = ?
        """, arguments: [segment.digest])
    if let known {
      guard let id: Int64 = known[0] else { return .incomplete }
      return known[1] ? .message(MessageStore.Message.ID(rawValue: id)) : .deleted
    }
    let sender = segment.sender.withoutNUL
    let key = ThreadKey([segment.sender], own: options.ownAddresses).key
    try execute(
      "INSERT INTO segment VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL, ?)",
      [
        segment.digest, key, sender, segment.reference, segment.count, segment.number, segment.time, segment.content,
        now + Self.lifetime,
      ])
    // Of each number, the one that is nearest in time.
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT digest, number, time, content FROM segment
        WHERE key = ?1 AND reference = ?2 AND count = ?3 AND message IS NULL AND abs(time - ?4) <= ?5
        ORDER BY number, abs(time - ?4)
        """, arguments: [key, segment.reference, segment.count, segment.time, Self.maxInterval])
    var whole: [(digest: Data, time: Double, content: Data)] = []
    for row in rows where row["number"] as Int == whole.count + 1 {
      whole.append((row["digest"], row["time"], row["content"] ?? Data()))
    }
    guard whole.count == segment.count else { return .incomplete }
    let text = whole.map { $0.content.utf16Text }.joined()
    let time = whole.map(\.time).min() ?? segment.time
    let id = try addSMS(String(decoding: text, as: UTF16.self), from: segment.sender, at: time)
    // What is kept recognises a segment that is delivered again; its sender and text are those of the message alone.
    for one in whole {
      try execute(
        "UPDATE segment SET message = ?, key = '', sender = '', content = NULL WHERE digest = ?",
        [id?.rawValue ?? 0, one.digest])
    }
    return id.map { .message($0) } ?? .deleted
  }

  /// Removes the segments of SMS that stayed incomplete, and what recognises those of others.
  func removeExpiredSegments() throws { try execute("DELETE FROM segment WHERE ends < ?", [now]) }

  /// Removes the segments of an incomplete SMS for a thread.
  func removeSegments(of id: MessageStore.Thread.ID) throws {
    try execute(
      "DELETE FROM segment WHERE message IS NULL AND key = (SELECT key FROM thread WHERE id = ?)", [id.rawValue])
  }
}

extension MessageStore.SMSSegment {
  /// The text in UTF-16, the high byte first.
  fileprivate var content: Data { Data(text.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }) }

  /// What the segment is recognised by when it is delivered again.
  fileprivate var digest: Data {
    var hasher = SHA256()
    hasher.update(data: Data("\(sender)\u{0}\(reference)\u{0}\(number)\u{0}\(count)\u{0}\(time)\u{0}".utf8))
    hasher.update(data: content)
    return Data(hasher.finalize())
  }
}

extension Data {
  /// The UTF-16 units of a stored segment.
  fileprivate var utf16Text: [UInt16] {
    let bytes = [UInt8](self)
    return stride(from: 0, to: bytes.count - 1, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
  }
}

internal import Foundation
internal import GRDB
internal import MMSCodec
internal import MediaLibrary
public import Messaging

extension MessageStore {
  /// Stores what the carrier pushes: the notification of a message, a delivery report or a read report. When the call returns, acknowledge the
  /// push; if it throws, do not, so that the carrier sends it again (A44).
  ///
  /// A message is downloaded as the settings say: at once, or when ``download(_:)`` is called. A notification that arrives twice is one message.
  /// - Parameters:
  ///   - octets: The PDU, without the WSP headers of the push.
  ///   - isUnwanted: Whether the sender is blocked: the message is then rejected. False by default.
  /// - Returns: The message that it is about; nil for an unreadable one, which the carrier is informed of, and for one that was deleted.
  /// - Throws: ``MessageStore/Failure/Code/unrecognized`` if it is no PDU, or one that is never pushed.
  @discardableResult
  public func receive(_ octets: [UInt8], isUnwanted: Bool = false) throws(Failure) -> Message.ID? {
    let message: MMSMessage
    do throws(MMSMessage.DecodingError) { message = try MMSMessage(decoding: octets) } catch {
      throw Failure(.unrecognized, "The pushed data is not a multimedia message.", detail: "\(error)")
    }
    return try write { writer in
      switch message.type {
      case .notificationInd:
        guard let notification = MessageRetrieval.Notification(message, receivedAt: writer.now) else {
          try writer.answerUnreadable(message)
          return nil
        }
        return try writer.addNotification(message, notification, octets: octets, isUnwanted: isUnwanted)
      case .deliveryInd, .readOrigInd: return try writer.report(message)
      default:
        throw Failure(.unrecognized, "The pushed message is not a notification, a delivery report or a read report.")
      }
    }
  }

  /// Stores a received SMS, all of its segments joined. Acknowledge it to the network when the call returns.
  ///
  /// A network that got no acknowledgement delivers an SMS again, with the same time. It is then the same message: pass the time, because without one
  /// each call adds a message.
  /// - Parameters:
  ///   - text: The text.
  ///   - sender: The address of the sender.
  ///   - time: When the network took it over, in seconds since 1970: the time stamp of the service centre (3GPP TS 23.040 §9.2.3.11). By default now.
  /// - Returns: The message; nil for one that was delivered before and deleted.
  @discardableResult
  public func receive(sms text: String, from sender: String, at time: Double? = nil) throws(Failure)
    -> Message.ID?
  {
    try write { try $0.addSMS(text, from: sender, at: time) }
  }

  /// Stores the report of a sent SMS: SMS-STATUS-REPORT.
  /// - Parameters:
  ///   - status: The state of the delivery.
  ///   - reference: The reference that ``MessageOutbox/Network/submit(_:)`` returned.
  ///   - address: The recipient.
  /// - Returns: The message; nil if no SMS to the recipient has this reference.
  @discardableResult
  public func receive(
    _ status: MessageSending.DeliveryStatus, ofSMS reference: String, from address: String
  ) throws(Failure) -> Message.ID? {
    try write { writer in
      let found = try Int64.fetchOne(
        writer.db, sql: "SELECT message FROM smsReference WHERE reference = ? AND address = ?",
        arguments: [reference.withoutNUL, ThreadKey.comparable(address)])
      guard let id = found.map(Message.ID.init(rawValue:)) else { return nil }
      try writer.handle(.deliveryReport(address: address, status), of: id)
      return id
    }
  }

  /// Starts the download of a message that is at the carrier: Download or Retry (R-MMS-46, R-MMS-50). ``MessageOutbox`` carries it out.
  /// - Throws: ``MessageStore/Failure/Code/refused`` with the reason, such as `expired` or `pending`; ``MessageStore/Failure/Code/notFound``.
  public func download(_ id: Message.ID) throws(Failure) { try change(id, .start(options.conditions())) }

  /// Rejects a message that is at the carrier. It can still be downloaded while the carrier has it.
  public func reject(_ id: Message.ID) throws(Failure) { try change(id, .reject) }

  private func change(_ id: Message.ID, _ event: MessageRetrieval.Event) throws(Failure) {
    try write { writer in
      let isThere = try Bool.fetchOne(
        writer.db, sql: "SELECT 1 FROM message WHERE id = ? AND incoming AND type = 'mms'", arguments: [id.rawValue])
      guard isThere != nil else { throw Failure.noMessage(id) }
      try writer.handle(event, of: id)
    }
  }

  /// Marks the messages of a thread as read, and sends the read reports that their senders want and the settings allow.
  /// - Throws: ``MessageStore/Failure/Code/notFound``.
  public func markRead(_ thread: Thread.ID) throws(Failure) {
    try write { writer in
      try writer.require(thread)
      let unread = try Int64.fetchAll(
        writer.db, sql: "SELECT id FROM message WHERE thread = ? AND unread", arguments: [thread.rawValue])
      for id in unread.map(Message.ID.init(rawValue:)) {
        try writer.execute("UPDATE message SET unread = 0 WHERE id = ?", [id.rawValue])
        try writer.handle(.read, of: id)
        writer.note(id, in: thread)
      }
    }
  }
}

extension MessageWriter {
  func answerUnreadable(_ message: MMSMessage) throws {
    guard let transaction = message.transactionID?.text else { return }
    for effect in MessageRetrieval.answerToUnreadable(transactionID: transaction) {
      guard let answer = try effect.message()?.encoded() else { continue }
      try execute("INSERT INTO outbox (kind, content) VALUES ('answer', ?)", [Data(answer)])
    }
    note(.everything)
  }

  /// Stores a report about a sent multimedia message.
  func report(_ message: MMSMessage) throws -> MessageStore.Message.ID? {
    guard let event = MessageSending.Event(message), let name = message[.messageID]?.text else { return nil }
    let found = try Int64.fetchOne(
      db, sql: "SELECT id FROM message WHERE messageID = ? ORDER BY id DESC LIMIT 1", arguments: [name])
    guard let id = found.map(MessageStore.Message.ID.init(rawValue:)) else { return nil }
    try handle(event, of: id)
    return id
  }
}

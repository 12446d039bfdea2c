internal import GRDB
internal import MMSCodec
internal import Messaging

extension MessageStore {
  /// What storing a PDU of the carrier adds.
  public enum Addition: Hashable, Sendable {
    /// A message of its own in a thread, or the notification of one.
    case message
    /// The content of a message whose notification is stored, or the answer to a notification that cannot be read.
    case content
    /// Neither: it is stored, its message was deleted, or it is no notification and no download.
    case nothing
  }

  /// What storing a received SMS would add: ``Addition/message``, or ``Addition/nothing`` for one that is stored or was deleted.
  /// - Parameters: As those of ``receive(sms:from:at:)``.
  public func addition(ofSMS text: String, from sender: String, at time: Double) throws(Failure) -> Addition {
    let name = MessageWriter.nameOfSMS(text, from: sender, at: time)
    let known = try read { db in
      try Bool.fetchOne(
        db,
        sql: """
          SELECT 1 FROM message WHERE incoming AND type = 'sms' AND transactionID = ?1
          UNION ALL SELECT 1 FROM gone WHERE type = 'sms' AND transactionID = ?1 LIMIT 1
          """, arguments: [name])
    }
    return known == nil ? .message : .nothing
  }

  /// What storing a notification or a downloaded message would add, for example to decide whether there is room for it.
  /// - Parameter id: The message whose notification was downloaded, as for ``receive(retrieveConf:of:)``.
  /// - Throws: ``MessageStore/Failure/Code/unrecognized`` if it is no PDU.
  public func addition(of octets: [UInt8], downloaded id: Message.ID? = nil) throws(Failure) -> Addition {
    let message = try Self.decode(octets)
    return try read { db -> Addition in
      if case .fetched(let retrieved) = MessageRetrieval.Event(message) {
        let name = MessageWriter.nameOfDownload(retrieved, octets)
        if let known = try id ?? MessageWriter.message(ofDownload: name, retrieved, db) {
          let state = try String.fetchOne(
            db, sql: "SELECT CAST(state AS TEXT) FROM message WHERE id = ?", arguments: [known.rawValue])
          return state == MessageRetrieval.State.received.rawValue ? .nothing : .content
        }
        return try MessageWriter.isGone(download: name, retrieved, db) ? .nothing : .message
      }
      guard let notification = MessageRetrieval.Notification(message, receivedAt: 0) else {
        return message.type == .notificationInd ? .content : .nothing
      }
      let known = try Bool.fetchOne(
        db,
        sql: """
          SELECT 1 FROM message WHERE incoming AND type = 'mms' AND (transactionID = ?1 OR location = ?2)
          UNION ALL SELECT 1 FROM gone WHERE type = 'mms' AND (transactionID = ?1 OR location = ?2) LIMIT 1
          """, arguments: [notification.transactionID, notification.contentLocation])
      return known == nil ? .message : .nothing
    }
  }
}

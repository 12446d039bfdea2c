internal import Foundation
internal import GRDB
internal import MMSCodec
internal import MediaLibrary
internal import Messaging

/// For an app that talks to the carrier itself, instead of a ``MessageOutbox``: it takes what is to be sent, and stores what it got.
extension MessageStore {
  /// A request that is to be sent for a message.
  public struct Submission: Hashable, Sendable {
    /// Its transaction, which the carrier's answer has.
    public let transactionID: String
    /// What to send: an M-Send.req for all recipients, or an SMS for one of them.
    public let request: MessageOutbox.Request
  }

  /// The requests of a message that are to be sent, also again after a failure that was temporary; empty once it is sent, failed, or waits.
  /// - Throws: ``MessageStore/Failure/Code/fileMissing`` if the file of an attachment is not there.
  public func submissions(of id: Message.ID) throws(Failure) -> [Submission] {
    // On a full disk, what is stored can be read as it is; the next call fires them.
    try? fireTimers()
    let jobs = try read { db in
      try Row.fetchAll(
        db, sql: "SELECT * FROM outbox WHERE message = ? AND kind = 'submit' ORDER BY id", arguments: [id.rawValue]
      ).compactMap(OutboxJob.init)
    }
    var submissions: [Submission] = []
    for job in jobs {
      guard let (request, message) = try self.request(job) else { continue }
      submissions.append(Submission(transactionID: request.transactionID, request: message))
    }
    return submissions
  }

  /// Stores the outcome of a request to send: that of an SMS, or a failure to reach the carrier.
  /// - Returns: Whether the request was waiting; otherwise nothing changes.
  @discardableResult
  public func finish(
    _ transactionID: String, of id: Message.ID, with outcome: Result<String?, MessageOutbox.Failure>
  ) throws(Failure) -> Bool {
    let event: MessageSending.Event =
      switch outcome {
      case .success(let reference): .accepted(transactionID: transactionID, messageID: reference)
      case .failure(.transient(let code)): .requestFailed(transactionID: transactionID, .transient(code))
      case .failure(.permanent(let code)): .requestFailed(transactionID: transactionID, .permanent(code))
      }
    return try write { writer in
      guard let job = try writer.submission(transactionID), job.message == id else { return false }
      try writer.finish(job, event)
      return true
    }
  }

  /// Stores the carrier's answer to a request: an M-Send.conf.
  /// - Returns: The message that was sent; nil if no request waits for this answer, for example because it was stored before.
  /// - Throws: ``MessageStore/Failure/Code/unrecognized`` for anything else.
  @discardableResult
  public func receive(sendConf octets: [UInt8]) throws(Failure) -> Message.ID? {
    let message = try Self.decode(octets)
    guard let event = MessageSending.Event(message), message.type == .sendConf,
      let transaction = message.transactionID?.text
    else { throw Failure(.unrecognized, "The data is not an M-Send.conf with a transaction ID.") }
    return try write { writer in
      guard let job = try writer.submission(transaction) else { return nil }
      try writer.finish(job, event)
      return job.message
    }
  }

  /// Stores a downloaded message: an M-Retrieve.conf. One that is stored twice is one message.
  /// - Parameter id: The message of the notification that was downloaded. By default the one that this download was stored as before, or the one
  ///   with the transaction of the download, which is that of its notification if it is downloaded at once, and that was not downloaded with another
  ///   Message-ID; without one, the message is a new one.
  /// - Returns: The message; nil for one that was deleted.
  /// - Throws: ``MessageStore/Failure/Code/unrecognized`` if it is no message; the reason why the carrier has none is stored with its notification.
  @discardableResult
  public func receive(retrieveConf octets: [UInt8], of id: Message.ID? = nil) throws(Failure) -> Message.ID? {
    let message = try Self.decode(octets)
    let event = MessageRetrieval.Event(message)
    guard case .fetched(let retrieved) = event else {
      if let id, message.type == .retrieveConf {
        try write { writer in
          try writer.dequeue(.fetch, of: id)
          try writer.handle(event, of: id)
        }
      }
      throw Failure(.unrecognized, "The data is not a downloaded multimedia message.")
    }
    let taken = try write(storing: { try self.put(message) }) { writer, parts -> Message.ID? in
      guard let id = try id ?? writer.addRetrieved(message, retrieved, octets: octets) else { return nil }
      guard try writer.isNotification(id) else { throw Failure.noMessage(id) }
      try writer.dequeue(.fetch, of: id)
      try writer.take(message, retrieved, octets: octets, parts: parts, as: id)
      return id
    }
    // Files that the message did not take are removed by this call, the next one or the next start.
    try? removeGarbage()
    return taken
  }

  /// Passes the timers that are due on to their state machines: the next attempt to send, and the expiry of a notification.
  public func fireTimers() throws(Failure) {
    let now = options.now()
    let isIdle = try read { db in
      try Bool.fetchOne(
        db, sql: "SELECT 1 FROM outbox WHERE lease = 0 AND (kind = 'timer' AND due <= ?1 OR since > ?1)",
        arguments: [now]) == nil
    }
    if isIdle { return }
    try write { writer in
      try writer.followClock()
      let rows = try Row.fetchAll(
        writer.db, sql: "SELECT * FROM outbox WHERE lease = 0 AND kind = 'timer' AND due <= ? ORDER BY due, id",
        arguments: [writer.now])
      for row in rows { try writer.fire(row) }
    }
  }

  static func decode(_ octets: [UInt8]) throws(Failure) -> MMSMessage {
    do throws(MMSMessage.DecodingError) { return try MMSMessage(decoding: octets) } catch {
      throw Failure(.unrecognized, "The data is not a multimedia message.", detail: "\(error)")
    }
  }
}

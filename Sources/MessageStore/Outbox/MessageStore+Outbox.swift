internal import AttachmentPolicy
internal import Foundation
internal import GRDB
internal import MMSCodec
internal import MediaLibrary
internal import MediaModel
internal import Messaging

/// A row of the outbox that is leased: nobody else carries it out until it is finished, released, or the process has ended.
struct OutboxJob: Sendable {
  let id: Int64
  let message: MessageStore.Message.ID?
  let kind: OutboxKind
  let content: Data
  let attempts: Int

  init?(_ row: Row) {
    guard let kind = OutboxKind(rawValue: row["kind"]) else { return nil }
    (id, self.kind, attempts) = (row["id"], kind, row["attempts"])
    message = (row["message"] as Int64?).map(MessageStore.Message.ID.init(rawValue:))
    content = row["content"] ?? Data()
  }
}

extension MessageStore {
  private static let due = "lease = 0 AND due <= ?1"

  /// Leases the next request that is due, and fires the timers that are due before it.
  func leaseNext() throws(Failure) -> OutboxJob? {
    while true {
      let now = options.now()
      let isIdle = try read { db in
        try Bool.fetchOne(db, sql: "SELECT 1 FROM outbox WHERE \(Self.due) OR since > ?1", arguments: [now]) == nil
      }
      if isIdle { return nil }
      let job = try write { writer -> OutboxJob? in
        try writer.followClock()
        guard
          let row = try Row.fetchOne(
            writer.db, sql: "SELECT * FROM outbox WHERE \(Self.due) ORDER BY due, id LIMIT 1", arguments: [writer.now])
        else { return nil }
        guard let job = OutboxJob(row), job.kind != .timer else {
          try writer.fire(row)
          return nil
        }
        try writer.execute("UPDATE outbox SET lease = 1 WHERE id = ?", [job.id])
        leases.begin(job.id)
        return job
      }
      if let job { return job }
    }
  }

  /// When the outbox has something to do; nil if never.
  func nextDue() throws(Failure) -> Double? {
    try read { db in try Double.fetchOne(db, sql: "SELECT min(due) FROM outbox WHERE lease = 0") }
  }

  /// Removes a request from the outbox, and stores its outcome, in one step.
  func finish(_ job: OutboxJob, _ body: (MessageWriter) throws -> Void = { _ in }) throws(Failure) {
    try write { writer in
      try writer.execute("DELETE FROM outbox WHERE id = ?", [job.id])
      try body(writer)
    }
    leases.end(job.id)
  }

  /// Gives a request back, to be carried out after a time.
  func release(_ job: OutboxJob, after delay: Double) throws(Failure) {
    try write { writer in
      try writer.execute(
        "UPDATE outbox SET lease = 0, attempts = attempts + 1, due = ?, since = ? WHERE id = ?",
        [writer.now + delay, writer.now, job.id])
    }
    leases.end(job.id)
  }

  /// Stores the outcomes that could not be stored before.
  /// - Throws: The error of the first that cannot be stored yet: it is kept. A message whose state cannot be read keeps no others from being sent.
  func storeOutcomes() throws(Failure) {
    var failure: Failure?
    for (job, outcome) in leases.takeUnstored() {
      do throws(Failure) {
        switch outcome {
        case .finished(let event): try finish(job, with: event)
        case .again: try release(job, after: 0)
        }
      } catch {
        leases.keep(outcome, of: job)
        if error.code != .corrupt { failure = failure ?? error }
      }
    }
    if let failure { throw failure }
  }

  /// Removes a request from the outbox, and passes the event that came of it on to its message.
  func finish(_ job: OutboxJob, with event: MessageSending.Event?) throws(Failure) {
    try finish(job) { writer in
      if let event, let id = job.message { try writer.handle(event, of: id) }
    }
  }

  /// Ends the leases of a process that has ended. Its requests are carried out again, except an SMS, whose outcome nobody knows.
  func endLeases() throws(Failure) {
    try write { writer in
      try writer.endLeases(of: try Int64.fetchAll(writer.db, sql: "SELECT id FROM outbox WHERE lease = 1 ORDER BY id"))
    }
  }

  /// The request of a leased row as the network takes it; nil if its message is deleted.
  func request(_ job: OutboxJob) throws(Failure) -> (MessageSending.Request, MessageOutbox.Request)? {
    guard let id = job.message else { return nil }
    let row = try read { db in
      try Row.fetchOne(db, sql: "SELECT time, type, message FROM message WHERE id = ?", arguments: [id.rawValue])
    }
    guard let row else { return nil }
    return try Failure.mapping(at: folder) {
      let request = try StoredJSON.value(MessageSending.Request.self, job.content)
      let message = MessageComposition(try StoredJSON.value(MessageDraft.self, row["message"]))
      if row["type"] == MessageType.sms.rawValue {
        return (
          request,
          .sms(
            text: message.text, to: request.addresses.first ?? "",
            requestsDeliveryReport: request.requestsDeliveryReport)
        )
      }
      let time: Double = row["time"]
      let pdu = try message.sendRequest(MessageComposition.SendOptions(request, date: Int(time))) { attachment in
        try self.bytes(of: attachment.id.rawValue, in: id)
      }
      return (request, .mms(try pdu.encoded()))
    }
  }

  private func bytes(of contentID: String, in message: Message.ID) throws -> [UInt8] {
    let digest = try read { db in
      try Data.fetchOne(
        db, sql: "SELECT digest FROM part WHERE message = ? AND contentID = ?",
        arguments: [message.rawValue, contentID.withoutNUL])
    }
    guard let digest = digest.flatMap({ ContentDigest(bytes: $0) }), let bytes = try files.read(digest) else {
      throw Failure(
        .fileMissing, "The file of an attachment is missing; attach it to a new message.", detail: contentID)
    }
    return bytes
  }

  /// Stores a downloaded message in place of its notification.
  func take(_ octets: [UInt8], of job: OutboxJob) throws(Failure) {
    guard let id = job.message else { return try finish(job) }
    let decoded = Result { try MMSMessage(decoding: octets) }
    guard case .success(let message) = decoded else {
      return try finish(job) { try $0.handle(MessageRetrieval.Event.fetchFailed(.unrecognized), of: id) }
    }
    let event = MessageRetrieval.Event(message)
    guard case .fetched(let retrieved) = event else { return try finish(job) { try $0.handle(event, of: id) } }
    do throws(Failure) {
      try write(storing: { try self.put(message) }) { writer, parts in
        try writer.execute("DELETE FROM outbox WHERE id = ?", [job.id])
        try writer.take(message, retrieved, octets: octets, parts: parts, as: id)
      }
      leases.end(job.id)
      // Files that the message did not take are removed by this call, the next one or the next start.
      try? removeGarbage()
    } catch  where error.code == .diskFull {
      try finish(job) { try $0.handle(MessageRetrieval.Event.storeFailed, of: id) }
    }
  }

  /// Stores the files of a message; returns its texts and files in the order of display.
  func put(_ message: MMSMessage) throws -> ([NewPart], [ContentDigest]) {
    var parts: [NewPart] = []
    for slide in MessageSlides(of: message).slides {
      if let media = slide.media {
        let bytes = Array(media.content)
        parts.append(
          NewPart(
            name: media.name, type: media.contentType.mediaType.rawValue, contentID: media.contentID,
            bytes: bytes.count, digest: try files.put(bytes)))
      }
      if let text = slide.text?.text {
        parts.append(NewPart(text: text, type: "text/plain", bytes: text.utf8.count))
      }
    }
    return (parts, parts.compactMap(\.digest))
  }
}

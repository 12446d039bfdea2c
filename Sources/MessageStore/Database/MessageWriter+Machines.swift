internal import Foundation
internal import GRDB
internal import MMSCodec
internal import Messaging

extension MessageWriter {
  /// Handles an event of an outgoing message: its state and what follows from it are stored together. Does nothing if the message is deleted.
  /// - Parameter time: The time of the event; by default now.
  func handle(_ event: MessageSending.Event, of id: MessageStore.Message.ID, at time: Double? = nil) throws {
    guard let row = try machineRow(id), !row.isIncoming else { return }
    var sending = try StoredJSON.value(MessageSending.self, row.machine)
    let before = sending
    let effects = sending.handle(event, at: time ?? now)
    if sending != before {
      try store(sending, of: id)
      try storeReferences(sending, since: before, of: id)
    }
    try carryOut(effects, of: id)
    // An event that is invalid in the state, such as a repeated answer, is no change.
    if sending != before || !effects.isEmpty { note(id, in: row.thread) }
  }

  /// Stores the state of sending, with the columns that are queried.
  func store(_ sending: MessageSending, of id: MessageStore.Message.ID) throws {
    try execute(
      "UPDATE message SET machine = ?, type = ?, state = ?, failed = ?, messageID = ? WHERE id = ?",
      [
        try StoredJSON.data(sending), sending.type.rawValue, sending.state.rawValue, sending.state == .failed,
        sending.messageID?.withoutNUL, id.rawValue,
      ])
    for (position, recipient) in sending.recipients.enumerated() {
      try execute(
        "INSERT OR REPLACE INTO recipient VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
          id.rawValue, position, recipient.address.withoutNUL, recipient.submission.name, recipient.delivery.rawValue,
          recipient.reading.rawValue, recipient.messageID?.withoutNUL,
        ])
    }
  }

  /// Stores the references that the network has given to an SMS since an earlier state.
  private func storeReferences(
    _ sending: MessageSending, since before: MessageSending, of id: MessageStore.Message.ID
  ) throws {
    guard sending.type == .sms else { return }
    for (recipient, earlier) in zip(sending.recipients, before.recipients) {
      guard let reference = recipient.messageID?.withoutNUL, recipient.submission == .accepted,
        earlier.submission != .accepted
      else { continue }
      let address = ThreadKey.comparable(recipient.address)
      try removeReference(reference, to: address, exceptFrom: id)
      try execute("INSERT OR REPLACE INTO smsReference VALUES (?, ?, ?)", [reference, address, id.rawValue])
    }
  }

  /// Removes a reference from the state of the SMS that had it before, so that the references of all states are those of `smsReference`.
  private func removeReference(_ reference: String, to address: String, exceptFrom id: MessageStore.Message.ID) throws {
    let other = try Int64.fetchOne(
      db, sql: "SELECT message FROM smsReference WHERE reference = ? AND address = ? AND message <> ?",
      arguments: [reference, address, id.rawValue])
    guard let other = other.map(MessageStore.Message.ID.init(rawValue:)), let row = try machineRow(other),
      !row.isIncoming, var sending = try? StoredJSON.value(MessageSending.self, row.machine)
    else { return }
    sending.removeReferences {
      $0.messageID?.withoutNUL == reference && ThreadKey.comparable($0.address) == address
    }
    try store(sending, of: other)
    note(other, in: row.thread)
  }

  func carryOut(_ effects: [MessageSending.Effect], of id: MessageStore.Message.ID) throws {
    for effect in effects {
      switch effect {
      case .submit(let request): try enqueue(.submit, of: id, content: try StoredJSON.data(request))
      case .cancelSubmit: try dequeue(.submit, of: id)
      case .setTimer(let time): try setTimer(time, of: id)
      case .cancelTimer: try dequeue(.timer, of: id)
      case .announce(let state): note(.sent(id, state))
      case .delivery(let address, let delivery): note(.delivered(id, address: address, delivery))
      case .reading(let address, let reading): note(.read(id, address: address, reading))
      case .refuse(let code): refusal = code
      }
    }
  }

  /// Handles an event of an incoming multimedia message. Does nothing if the message is deleted.
  /// - Parameter time: The time of the event; by default now.
  /// - Returns: The effects.
  @discardableResult
  func handle(
    _ event: MessageRetrieval.Event, of id: MessageStore.Message.ID, at time: Double? = nil
  ) throws -> [MessageRetrieval.Effect] {
    guard let row = try machineRow(id), row.isIncoming else { return [] }
    var retrieval = try StoredJSON.value(MessageRetrieval.self, row.machine)
    let before = retrieval
    // The expiry is a date: a timer that fires early, because the clock was wrong for a moment, does not bring it forward.
    let end = retrieval.notification.expiresAt ?? .infinity
    let effects = retrieval.handle(event, at: now > end ? now : min(time ?? now, end))
    if retrieval != before { try store(retrieval, of: id) }
    try carryOut(effects, of: id)
    // An event that is invalid in the state, such as a repeated download, is no change.
    if retrieval != before || !effects.isEmpty { note(id, in: row.thread) }
    return effects
  }

  func store(_ retrieval: MessageRetrieval, of id: MessageStore.Message.ID) throws {
    let notification = retrieval.notification
    try execute(
      "UPDATE message SET machine = ?, state = ?, failed = 0, transactionID = ?, location = ? WHERE id = ?",
      [
        try StoredJSON.data(retrieval), retrieval.state.rawValue, notification.transactionID,
        notification.contentLocation, id.rawValue,
      ])
  }

  func carryOut(_ effects: [MessageRetrieval.Effect], of id: MessageStore.Message.ID) throws {
    for effect in effects {
      switch effect {
      case .fetch(let location, _): try enqueue(.fetch, of: id, content: Data(location.utf8))
      case .cancelFetch: try dequeue(.fetch, of: id)
      case .notifyResponse, .acknowledge:
        guard let answer = try effect.message()?.encoded() else { continue }
        try execute("UPDATE message SET answer = ? WHERE id = ?", [Data(answer), id.rawValue])
        try enqueue(.answer, of: id, content: Data(answer))
      case .readReport:
        let sender = try String.fetchOne(db, sql: "SELECT sender FROM message WHERE id = ?", arguments: [id.rawValue])
        guard let sender, let report = try effect.message(to: EncodedString(sender.mmsAddress))?.encoded() else {
          continue
        }
        try enqueue(.answer, of: id, content: Data(report))
      case .setTimer(let time): try setTimer(time, of: id)
      case .cancelTimer: try dequeue(.timer, of: id)
      case .announce(let state): note(.arrived(id, state))
      case .replaceNotice: note(.arrived(id, .received))
      case .discardMessage: break
      case .refuse(let code): refusal = code
      }
    }
  }

  /// The state of a message; nil for a received SMS, and for a message that is deleted.
  func machineRow(
    _ id: MessageStore.Message.ID
  ) throws -> (thread: MessageStore.Thread.ID, isIncoming: Bool, machine: Data)? {
    let row = try Row.fetchOne(
      db.cachedStatement(sql: "SELECT thread, incoming, machine FROM message WHERE id = ?"), arguments: [id.rawValue])
    guard let row, let machine: Data = row["machine"] else { return nil }
    return (MessageStore.Thread.ID(rawValue: row["thread"]), row["incoming"], machine)
  }
}

extension MessageSending.Submission {
  /// The name in the database.
  var name: String {
    switch self {
    case .pending: "pending"
    case .inFlight: "inFlight"
    case .accepted: "accepted"
    case .failed(let code): "failed:\(code.rawValue)"
    }
  }
}

extension String {
  /// The address with its type, as a field of a PDU has it.
  var mmsAddress: MMSAddress { MMSAddress(self, kind: MessageRecipient(self).isEmail ? .email : .phone) }
}

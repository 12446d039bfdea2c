internal import FileSupport
internal import MediaModel
internal import MessageStore
internal import Messaging

/// The JSON record of a stored message (docs/design.md §7).
struct StoredMessageRecord: Encodable {
  let message: MessageStore.Message
  /// Whether subject, texts and file names are part of it.
  let showsText: Bool
  /// Where each part was written, or why not; empty if nothing is exported.
  var written: [Result<PathBytes, MediaFailure>?] = []

  /// The state of sending or of the download; an SMS that has arrived is received.
  var state: String {
    message.sending?.state.rawValue ?? (message.retrieval?.state ?? MessageRetrieval.State.received).rawValue
  }

  var error: MessageErrorCode? { message.sending?.error ?? message.retrieval?.error }

  private enum Keys: CodingKey {
    case message, thread, time, direction, type, state, error, unread, sender, subject, recipients, attempts,
      nextAttempt
    case isInvalid, receivedBytes, totalBytes, expires, parts
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Keys.self)
    try values.encode(message.id.rawValue, forKey: .message)
    try values.encode(message.thread.rawValue, forKey: .thread)
    try values.encodeIfPresent(StoredTime.time(message.time), forKey: .time)
    try values.encode(message.isIncoming ? "incoming" : "outgoing", forKey: .direction)
    try values.encode(message.type, forKey: .type)
    try values.encode(state, forKey: .state)
    try values.encodeIfPresent(error?.rawValue, forKey: .error)
    if message.isInvalidEmpty { try values.encode(true, forKey: .isInvalid) }
    if message.isUnread { try values.encode(true, forKey: .unread) }
    try values.encodeIfPresent(message.sender, forKey: .sender)
    if showsText { try values.encodeIfPresent(message.subject, forKey: .subject) }
    if let sending = message.sending {
      try values.encode(sending.recipients.map(Recipient.init), forKey: .recipients)
      if sending.attempts > 0 { try values.encode(sending.attempts, forKey: .attempts) }
    }
    if let retrieval = message.retrieval {
      if retrieval.attempts > 0 { try values.encode(retrieval.attempts, forKey: .attempts) }
      try values.encodeIfPresent(retrieval.receivedBytes, forKey: .receivedBytes)
      try values.encodeIfPresent(retrieval.totalBytes, forKey: .totalBytes)
      try values.encodeIfPresent(retrieval.notification.expiresAt.flatMap(StoredTime.time), forKey: .expires)
    }
    let next = message.sending?.nextAttempt ?? message.retrieval?.nextAttempt
    try values.encodeIfPresent(next.flatMap(StoredTime.time), forKey: .nextAttempt)
    let parts = message.parts.enumerated().map { index, part in
      Part(part: part, showsText: showsText, written: written.indices.contains(index) ? written[index] : nil)
    }
    try values.encode(parts, forKey: .parts)
  }

  /// A recipient with the state of submission, delivery and reading.
  private struct Recipient: Encodable {
    let recipient: MessageSending.Recipient

    private enum Keys: CodingKey { case address, submission, error, delivery, reading }

    func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: Keys.self)
      try values.encode(recipient.address, forKey: .address)
      try values.encode(StoredMessageTable.word(recipient.submission), forKey: .submission)
      if case .failed(let code) = recipient.submission { try values.encode(code.rawValue, forKey: .error) }
      if recipient.delivery != .notRequested { try values.encode(recipient.delivery, forKey: .delivery) }
      if recipient.reading != .notRequested { try values.encode(recipient.reading, forKey: .reading) }
    }
  }

  private struct Part: Encodable {
    let part: MessageStore.Part
    let showsText: Bool
    let written: Result<PathBytes, MediaFailure>?

    private enum Keys: CodingKey { case type, bytes, text, name, isAtOperator, error }

    func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: Keys.self)
      try values.encode(part.type, forKey: .type)
      try values.encode(part.bytes, forKey: .bytes)
      if part.text == nil, part.path == nil { try values.encode(true, forKey: .isAtOperator) }
      if showsText {
        try values.encodeIfPresent(part.text, forKey: .text)
        try values.encodeIfPresent(part.name, forKey: .name)
      }
      switch written {
      case .success(let path)?: try PathKeys.encode(path, as: "written", to: encoder)
      case .failure(let failure)?: try values.encode(failure, forKey: .error)
      case nil: break
      }
    }
  }
}

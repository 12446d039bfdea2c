public import AttachmentPolicy
public import FileSupport
internal import Foundation
internal import GRDB
public import MediaLibrary
internal import MediaModel
public import Messaging

extension MessageStore {
  /// Takes over a message to send: its draft, if it has one, becomes the message in one step, so that a process that dies leaves one of the two.
  /// ``MessageOutbox`` sends it, also after a restart. It is in the thread of its recipients.
  ///
  /// Reports are requested as the settings say (R-MMS-55).
  /// - Parameters:
  ///   - message: The message.
  ///   - files: The files of its attachments as they are to be sent, which are copied into the store. Not needed for those of the draft.
  ///   - draft: The draft that the message was written in; nil by default.
  ///   - profile: The profile that determines its type.
  /// - Throws: ``MessageStore/Failure/Code/blocked`` if it cannot be sent; ``MessageStore/Failure/Code/fileMissing`` without the file of an attachment;
  ///   ``MessageStore/Failure/Code/notFound`` if the draft does not exist, for example because it has been sent.
  @discardableResult
  public func send(
    _ message: MessageComposition, files: [MediaAttachment.ID: PathBytes] = [:], from draft: Draft.ID? = nil,
    under profile: CarrierProfile = CarrierProfile()
  ) throws(Failure) -> Message.ID {
    try send(message, from: draft, under: profile) { try self.put(files) }
  }

  /// Takes over a message to send as ``send(_:files:from:under:)`` does, with the bytes of its attachments.
  /// - Parameters:
  ///   - contents: The bytes of each attachment as they are to be sent.
  ///   - sources: The digests of the files that they were made of, for ``Part/source``. Default: none is known.
  ///   - expected: The content of the draft when it was read. Default nil: whatever it has now.
  ///   - requestKey: What the request to send it is recognised by when it is repeated (``message(sentFor:since:)``). Default nil.
  /// - Throws: ``MessageStore/Failure/Code/draftChanged`` if the draft has another content by now: it stays.
  @discardableResult
  public func send(
    _ message: MessageComposition, contents: [MediaAttachment.ID: [UInt8]],
    sources: [MediaAttachment.ID: ContentDigest] = [:], from draft: Draft.ID? = nil,
    expecting expected: MessageComposition? = nil, for requestKey: [UInt8]? = nil,
    under profile: CarrierProfile = CarrierProfile()
  ) throws(Failure) -> Message.ID {
    try send(message, sources: sources, from: draft, expecting: expected, for: requestKey, under: profile) {
      let digests = try contents.mapValues { try self.files.put($0) }
      return (digests, Array(digests.values))
    }
  }

  /// The message that was sent for a request, to answer a repetition of it.
  /// - Parameters:
  ///   - requestKey: That of ``send(_:contents:sources:from:expecting:for:under:)``.
  ///   - time: The earliest time of the message, in seconds since 1970.
  public func message(sentFor requestKey: [UInt8], since time: Double) throws(Failure) -> Message.ID? {
    let id = try read { db in
      try Int64.fetchOne(
        db, sql: "SELECT id FROM message WHERE requestKey = ? AND time >= ? ORDER BY id DESC LIMIT 1",
        arguments: [Data(requestKey), time])
    }
    return id.map(Message.ID.init(rawValue:))
  }

  private func send(
    _ message: MessageComposition, sources: [MediaAttachment.ID: ContentDigest] = [:], from draft: Draft.ID?,
    expecting expected: MessageComposition? = nil, for requestKey: [UInt8]? = nil, under profile: CarrierProfile,
    storing put: () throws -> ([MediaAttachment.ID: ContentDigest], [ContentDigest])
  ) throws(Failure) -> Message.ID {
    let blockers = message.blockers(under: profile)
    guard blockers.isEmpty else {
      throw Failure(
        .blocked, "The message cannot be sent. \(blockers.map(\.sentence).joined(separator: " "))")
    }
    let id = try write(storing: put) { writer, digests in
      if let draft, let expected { try writer.require(draft, toHave: expected) }
      return try writer.send(
        message, files: digests, sources: sources, from: draft, for: requestKey, under: profile, sizes: self.size(of:))
    }
    // The change is stored; what is left is removed by the next call or start.
    try? removeGarbage()
    return id
  }

  /// Sends a failed message again to the recipients who do not have it (R-MMS-40).
  /// - Throws: ``MessageStore/Failure/Code/refused`` with the reason; ``MessageStore/Failure/Code/notFound``.
  public func resend(_ id: Message.ID) throws(Failure) {
    try write { writer in
      let isThere = try Bool.fetchOne(
        writer.db, sql: "SELECT 1 FROM message WHERE id = ? AND NOT incoming", arguments: [id.rawValue])
      guard isThere != nil else { throw Failure.noMessage(id) }
      try writer.handle(.resend(options.conditions()), of: id)
    }
  }

  /// Sends and downloads what waits for service. Call it when there is service again.
  public func serviceBecameAvailable() throws(Failure) {
    try write { writer in
      let waiting = try Int64.fetchAll(writer.db, sql: "SELECT id FROM message WHERE state = 'waiting' ORDER BY id")
      for id in waiting.map(Message.ID.init(rawValue:)) {
        try writer.handle(MessageSending.Event.serviceAvailable, of: id)
        try writer.handle(MessageRetrieval.Event.serviceAvailable, of: id)
      }
    }
  }
}

extension MessageWriter {
  /// - Parameter sizes: Returns the size of a stored file, which may differ from the one that the app states.
  func send(
    _ message: MessageComposition, files: [MediaAttachment.ID: ContentDigest],
    sources: [MediaAttachment.ID: ContentDigest], from draft: MessageStore.Draft.ID?, for requestKey: [UInt8]?,
    under profile: CarrierProfile, sizes: (ContentDigest) -> Int?
  ) throws -> MessageStore.Message.ID {
    let kept = try draft.map { try draftFiles($0) } ?? [:]
    let parts = try message.content.map { item in
      switch item {
      case .text(let text): return NewPart(text: text, type: "text/plain", bytes: text.utf8.count)
      case .attachment(let item):
        let attachment = item.attachment
        let storedID = MediaAttachment.ID(rawValue: attachment.id.rawValue.withoutNUL)
        guard let digest = files[attachment.id] ?? kept[storedID] else {
          throw MessageStore.Failure(
            .fileMissing, "The file of the attachment \(attachment.id) is missing; attach it again.")
        }
        return NewPart(
          name: attachment.name, type: attachment.info.type.rawValue, contentID: attachment.id.rawValue,
          bytes: sizes(digest) ?? attachment.info.bytes, digest: digest,
          source: sources[attachment.id].flatMap { $0 == digest ? nil : $0 })
      }
    }
    let name = UInt64.random(in: 0 ... .max)
    var sending = MessageSending(
      message, id: String(name, radix: 36), under: profile, settings: try settings())
    let effects = sending.handle(.send(options.conditions()), at: now)
    let thread = try thread(with: message.sendList)
    try execute(
      """
      INSERT INTO message (thread, incoming, type, time, state, subject, message, requestKey)
      VALUES (?, 0, ?, ?, ?, ?, ?, ?)
      """,
      [
        thread.rawValue, sending.type.rawValue, now, sending.state.rawValue, message.sentSubject?.withoutNUL,
        try StoredJSON.data(MessageDraft(message)), requestKey.map { Data($0) },
      ])
    let id = MessageStore.Message.ID(rawValue: db.lastInsertedRowID)
    try addParts(parts, to: id)
    try store(sending, of: id)
    try carryOut(effects, of: id)
    if let draft { try delete(draft) }
    note(id, in: thread)
    return id
  }

  /// Fails if a draft has another content than it had when it was read.
  func require(_ id: MessageStore.Draft.ID, toHave expected: MessageComposition) throws {
    let data = try Data.fetchOne(db, sql: "SELECT message FROM draft WHERE id = ?", arguments: [id.rawValue])
    guard let data else { throw MessageStore.Failure.noDraft(id) }
    guard MessageComposition(try StoredJSON.value(MessageDraft.self, data)) == expected else {
      throw MessageStore.Failure(.draftChanged, "The draft was changed meanwhile; read it and send it again.")
    }
  }

  private func draftFiles(_ id: MessageStore.Draft.ID) throws -> [MediaAttachment.ID: ContentDigest] {
    guard try Bool.fetchOne(db, sql: "SELECT 1 FROM draft WHERE id = ?", arguments: [id.rawValue]) != nil else {
      throw MessageStore.Failure.noDraft(id)
    }
    var digests: [MediaAttachment.ID: ContentDigest] = [:]
    for row in try Row.fetchAll(db, sql: "SELECT * FROM draftFile WHERE draft = ?", arguments: [id.rawValue]) {
      digests[MediaAttachment.ID(rawValue: row["attachment"])] = ContentDigest(bytes: row["digest"] as Data)
    }
    return digests
  }
}

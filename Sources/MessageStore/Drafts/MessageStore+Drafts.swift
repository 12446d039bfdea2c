public import AttachmentPolicy
public import FileSupport
internal import Foundation
internal import GRDB
internal import MediaLibrary
public import Messaging

extension MessageStore {
  /// Saves an unsent message with the files of its attachments, in one step: recipients, subject, texts and attachments in their order. Save on each change, not
  /// when the app ends: an app that is killed is not asked. What arrives in the thread never touches the draft.
  ///
  /// An empty message removes the draft that is there (R-MMS-9).
  /// - Parameters:
  ///   - message: The message.
  ///   - place: The thread or the draft; a thread has one draft, which is replaced (A35).
  ///   - files: The files of attachments, which are copied into the store. Not needed for those that were saved with the draft before.
  /// - Returns: The draft; nil if the message is empty.
  /// - Throws: ``MessageStore/Failure/Code/notFound`` if the thread or draft does not exist.
  @discardableResult
  public func saveDraft(
    _ message: MessageComposition, in place: DraftDestination, files: [MediaAttachment.ID: PathBytes] = [:]
  ) throws(Failure) -> Draft.ID? {
    let id = try write(storing: { try self.put(files) }) { writer, digests in
      try writer.saveDraft(message, in: place, files: digests)
    }
    // The change is stored; what is left is removed by the next call or start.
    try? removeGarbage()
    return id
  }

  /// A draft.
  /// - Throws: ``MessageStore/Failure/Code/notFound``.
  public func draft(_ id: Draft.ID) throws(Failure) -> Draft {
    let found = try read { db in
      try Row.fetchOne(db, sql: "SELECT * FROM draft WHERE id = ?", arguments: [id.rawValue]).map { try draft($0, db) }
    }
    guard let found else { throw .noDraft(id) }
    return found
  }

  /// The drafts of new messages, which are in no thread; newest first.
  public func newDrafts() throws(Failure) -> [Draft] {
    try read { db in
      try Row.fetchAll(db, sql: "SELECT * FROM draft WHERE thread IS NULL ORDER BY time DESC, id DESC").map {
        try draft($0, db)
      }
    }
  }

  /// All drafts, those of threads too; newest first.
  public func drafts() throws(Failure) -> [Draft] {
    try read { db in
      try Row.fetchAll(db, sql: "SELECT * FROM draft ORDER BY time DESC, id DESC").map { try draft($0, db) }
    }
  }

  /// Number of drafts.
  public func draftCount() throws(Failure) -> Int {
    try read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM draft") ?? 0 }
  }

  /// Removes a draft with its files. Does nothing if there is none.
  public func delete(_ id: Draft.ID) throws(Failure) {
    try write { writer in try writer.delete(id) }
    // The change is stored; what is left is removed by the next call or start.
    try? removeGarbage()
  }

  private func draft(_ row: Row, _ db: Database) throws -> Draft {
    let id: Int64 = row["id"]
    var paths: [MediaAttachment.ID: PathBytes] = [:]
    for file in try Row.fetchAll(db, sql: "SELECT * FROM draftFile WHERE draft = ?", arguments: [id]) {
      guard let digest = ContentDigest(bytes: file["digest"] as Data) else { continue }
      paths[MediaAttachment.ID(rawValue: file["attachment"])] = files.path(of: digest)
    }
    return Draft(
      id: Draft.ID(rawValue: id), thread: (row["thread"] as Int64?).map(Thread.ID.init(rawValue:)), time: row["time"],
      message: MessageComposition(try StoredJSON.value(MessageDraft.self, row["message"])), files: paths)
  }

  /// Stores files of attachments.
  func put(
    _ paths: [MediaAttachment.ID: PathBytes]
  ) throws -> ([MediaAttachment.ID: ContentDigest], [ContentDigest]) {
    let digests = try paths.mapValues { path in try files.putFile(at: path) }
    return (digests, Array(digests.values))
  }
}

extension MessageWriter {
  func saveDraft(
    _ message: MessageComposition, in place: MessageStore.DraftDestination, files: [MediaAttachment.ID: ContentDigest]
  ) throws -> MessageStore.Draft.ID? {
    let (existing, thread) = try find(place)
    if message.isEmpty {
      if let existing { try delete(existing) }
      // The thread may be one that this call has created.
      if let thread { try removeIfEmpty(thread) }
      return nil
    }
    let content = try StoredJSON.data(MessageDraft(message))
    let id: MessageStore.Draft.ID
    if let existing {
      try execute("UPDATE draft SET time = ?, message = ? WHERE id = ?", [now, content, existing.rawValue])
      id = existing
    } else {
      try execute("INSERT INTO draft (thread, time, message) VALUES (?, ?, ?)", [thread?.rawValue, now, content])
      id = MessageStore.Draft.ID(rawValue: db.lastInsertedRowID)
    }
    let attachments = Set(message.attachments.map(\.id.rawValue.withoutNUL))
    let stored = try String.fetchAll(
      db, sql: "SELECT attachment FROM draftFile WHERE draft = ?", arguments: [id.rawValue])
    for name in stored where !attachments.contains(name) {
      try execute("DELETE FROM draftFile WHERE draft = ? AND attachment = ?", [id.rawValue, name])
    }
    for (attachment, digest) in files where attachments.contains(attachment.rawValue.withoutNUL) {
      let name = attachment.rawValue.withoutNUL
      try execute("DELETE FROM draftFile WHERE draft = ? AND attachment = ?", [id.rawValue, name])
      try execute("INSERT INTO draftFile VALUES (?, ?, ?)", [id.rawValue, name, Data(digest.bytes)])
    }
    note(.draft(id))
    if let thread { note(.thread(thread)) }
    return id
  }

  /// Deletes a draft, and its thread if that has nothing else.
  func delete(_ id: MessageStore.Draft.ID) throws {
    guard let row = try Row.fetchOne(db, sql: "SELECT thread FROM draft WHERE id = ?", arguments: [id.rawValue]) else {
      return
    }
    try execute("DELETE FROM draft WHERE id = ?", [id.rawValue])
    note(.draft(id))
    if let thread: Int64 = row["thread"] { try removeIfEmpty(MessageStore.Thread.ID(rawValue: thread)) }
  }

  /// The draft that a place has now, and its thread.
  private func find(
    _ place: MessageStore.DraftDestination
  ) throws -> (draft: MessageStore.Draft.ID?, thread: MessageStore.Thread.ID?) {
    let thread: MessageStore.Thread.ID
    switch place {
    case .new: return (nil, nil)
    case .draft(let id):
      guard let row = try Row.fetchOne(db, sql: "SELECT thread FROM draft WHERE id = ?", arguments: [id.rawValue])
      else { throw MessageStore.Failure.noDraft(id) }
      return (id, (row["thread"] as Int64?).map(MessageStore.Thread.ID.init(rawValue:)))
    case .thread(let id):
      try require(id)
      thread = id
    case .participants(let people): thread = try self.thread(with: people)
    }
    let draft = try Int64.fetchOne(db, sql: "SELECT id FROM draft WHERE thread = ?", arguments: [thread.rawValue])
    return (draft.map(MessageStore.Draft.ID.init(rawValue:)), thread)
  }
}

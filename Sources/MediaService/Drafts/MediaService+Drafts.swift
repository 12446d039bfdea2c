internal import AttachmentPolicy
internal import Crypto
internal import FileSupport
internal import GRDB
internal import Logging
internal import MediaLibrary
internal import MediaModel

extension MediaService {
  /// A draft with its row.
  struct OpenDraft: Sendable {
    var record: DraftRecord
    var draft: AttachmentDraft
  }

  /// Creates a draft, or finds the one that the thread already has.
  /// - Parameters:
  ///   - caller: Its owner.
  ///   - thread: The thread that it belongs to, in the words of the app. Each thread of an owner has at most one draft (A35). Default nil: none.
  ///   - text: The text of a new draft.
  ///   - key: A name of the request: the same name finds the draft that the first request created. Default nil: none.
  /// - Throws: `quotaExceeded` if the owner has too many drafts.
  public func createDraft(
    for caller: Caller, thread: String? = nil, text: String = "", key: String? = nil
  ) async throws(ServiceError) -> DraftAnswer {
    try caller.require(.write)
    try Self.checkName(thread, of: "thread")
    try Self.checkName(key, of: "Idempotency-Key")
    let id = Self.draftID(owner: caller.owner, key: key)
    let (now, limit) = (now(), configuration.limits.drafts)
    let (record, isNew) = try await ServiceError.mapping {
      try await database.write { db -> (DraftRecord, Bool) in
        if key != nil, let known = try DraftRecord.fetch(id, db) { return (known, false) }
        if let thread, let known = try DraftRecord.fetch(thread: thread, of: caller.owner, db) { return (known, false) }
        guard try DraftRecord.count(of: caller.owner, db) < limit else {
          throw ServiceError(
            .quotaExceeded, "You have \(limit) drafts, which is the limit; discard one first.",
            numbers: ["limit": limit])
        }
        let record = DraftRecord(
          id: id, owner: caller.owner, thread: thread, created: now, changed: now, version: 1)
        try record.insert(db)
        return (record, true)
      }
    }
    guard isNew else { return try await existing(record, text: text, of: caller) }
    let draft = AttachmentDraft(text: text)
    try await draftTurns.take(id) { () throws(ServiceError) in
      // It may have been discarded or erased meanwhile: its text is not saved then.
      _ = try await openDraft(id, of: caller)
      try await ServiceError.mapping { try await library.save(draft, for: record.key, owner: record.owner) }
    }
    feed.publish(.draft(record.id, version: record.version), for: caller.owner)
    var answer = try await answer(OpenDraft(record: record, draft: draft))
    answer.isNew = true
    return answer
  }

  /// The draft that a request for a new one finds. One that never changed gets the text: the process may have ended before it was saved.
  private func existing(
    _ record: DraftRecord, text: String, of caller: Caller
  ) async throws(ServiceError) -> DraftAnswer {
    try await draftTurns.take(record.id) { () throws(ServiceError) in
      var open = try await openDraft(record.id, of: caller)
      if open.record.version == 1, open.draft.isEmpty, !text.isEmpty {
        open.draft = AttachmentDraft(text: text)
        let draft = open.draft
        try await ServiceError.mapping { try await library.save(draft, for: record.key, owner: record.owner) }
      }
      return try await answer(open)
    }
  }

  /// A draft of the caller.
  /// - Throws: `notFound` for an unknown draft and for one of another owner, `gone` for one that was committed.
  public func draft(_ id: String, of caller: Caller) async throws(ServiceError) -> DraftAnswer {
    try caller.require(.read)
    return try await answer(openDraft(id, of: caller))
  }

  /// A page of the caller's drafts, the latest change first. One that cannot be read is logged, and is not in it.
  /// - Parameter before: The `next` of an earlier page. Default nil: the first page.
  public func drafts(
    of caller: Caller, before: String? = nil
  ) async throws(ServiceError) -> (drafts: [DraftAnswer], next: String?) {
    try caller.require(.read)
    var position: (changed: Int, id: String)?
    if let before {
      let parts = before.split(separator: "-")
      guard parts.count == 2, let changed = Int(parts[0]), DraftRecord.isID(String(parts[1])) else {
        throw ServiceError(.invalidRequest, "The cursor is not from this listing; start again without a cursor.")
      }
      position = (changed, String(parts[1]))
    }
    let (limit, start) = (Self.draftsPerPage, position)
    var records = try await ServiceError.mapping {
      try await database.read { try DraftRecord.page(of: caller.owner, after: start, limit: limit + 1, $0) }
    }
    let isLast = records.count <= limit
    records = Array(records.prefix(limit))
    var answers: [DraftAnswer] = []
    for record in records {
      do throws(ServiceError) { answers.append(try await answer(load(record))) } catch {
        guard error.code == .internalError else { throw error }
        logger.error("a draft cannot be read", metadata: ["draft": "\(record.id)", "error": "\(error)"])
      }
    }
    let next = isLast ? nil : records.last.map { "\($0.changed)-\($0.id)" }
    return (answers, next)
  }

  private static let draftsPerPage = FieldLimits.draftPage

  /// Discards a draft with its text. Succeeds if it is gone already; its attachments stay the owner's.
  public func deleteDraft(_ id: String, of caller: Caller) async throws(ServiceError) {
    try caller.require(.write)
    try await draftTurns.take(id) { () throws(ServiceError) in
      let open: OpenDraft
      do throws(ServiceError) { open = try await openDraft(id, of: caller) } catch {
        guard error.code == .gone else { throw error }
        return
      }
      try await remove(open.record)
    }
  }

  /// Removes a draft: first what it contains, then the row that finds it.
  func remove(_ record: DraftRecord) async throws(ServiceError) {
    try await ServiceError.mapping {
      try await library.onDrafts { try $0.remove(record.key) }
      try await database.write { try DraftRecord.delete(record.id, $0) }
    }
    feed.publish(.draft(record.id, version: nil), for: record.owner)
  }

  /// A draft of the caller, with its row.
  func openDraft(_ id: String, of caller: Caller) async throws(ServiceError) -> OpenDraft {
    guard DraftRecord.isID(id) else { throw .notFound }
    let record = try await ServiceError.mapping { try await database.read { try DraftRecord.fetch(id, $0) } }
    guard let record, caller.isOwner(record.owner) else { throw .notFound }
    guard record.committed == nil else {
      throw ServiceError(.gone, "The draft was already committed; create a new one.")
    }
    return try await load(record)
  }

  func load(_ record: DraftRecord) async throws(ServiceError) -> OpenDraft {
    try await ServiceError.mapping {
      OpenDraft(record: record, draft: try await library.draft(for: record.key) ?? AttachmentDraft())
    }
  }

  /// A random id; with a key, the one that this key always has.
  private static func draftID(owner: String, key: String?) -> String {
    guard let key else {
      return Hexadecimal.encode((0..<16).map { _ in UInt8.random(in: .min ... .max) })
    }
    return Hexadecimal.encode(SHA256.hash(data: Array("draft\0\(owner)\0\(key)".utf8)).prefix(16))
  }

  /// Fails for an id that no path could name: an attachment of a draft has an address with it.
  static func checkItem(_ id: String?) throws(ServiceError) {
    try checkName(id, of: "id")
    guard let id else { return }
    let isNameable = id.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"), UInt8(ascii: ":"), UInt8(ascii: "@"):
        true
      default: false
      }
    }
    guard isNameable, id != ".", id != ".." else {
      throw ServiceError(.invalidRequest, "`id` may contain only ASCII letters, digits and - . _ ~ : @.")
    }
  }

  /// Fails for a name that is empty or too long.
  static func checkName(_ name: String?, of parameter: String) throws(ServiceError) {
    let limit = FieldLimits.name
    guard let name, !(1...limit).contains(name.utf8.count) else { return }
    throw ServiceError(
      .invalidRequest, "\(parameter) must have 1 to \(limit) bytes.",
      numbers: ["limit": limit, "actual": name.utf8.count])
  }
}

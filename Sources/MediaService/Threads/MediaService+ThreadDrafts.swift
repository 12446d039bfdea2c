internal import AttachmentPolicy
internal import Logging
internal import MediaLibrary
internal import MediaModel
internal import MessageStore
internal import Messaging

/// Drafts of threads. They name attachments of the owner; a message gets copies of their files when it is committed.
extension MediaService {
  /// Saves a draft in the thread with its recipients, which is created if there is none, instead of the draft that is there.
  /// - Throws: `invalidRequest` for an empty draft and for one without recipients; `notFound` for an attachment that is not the caller's; `quotaExceeded`
  ///   with too many drafts.
  public func createThread(_ draft: ThreadDraft, of caller: Caller) async throws(ServiceError) -> ThreadDraftAnswer {
    // The erasure of the owner ends a request that has begun before it.
    let work = work.begin(for: caller.owner)
    let message = try await composition(draft, people: [], of: caller)
    guard !message.isEmpty, !message.recipients.isEmpty else {
      throw ServiceError(.invalidRequest, "A new thread needs recipients (`to`) and a draft that is not empty.")
    }
    let limit = configuration.limits.drafts
    let saved = try await changeMessages(of: caller, creating: true, during: work) {
      store -> MessageStore.Draft? in
      try Self.checkCount(store, limit)
      let id = try store.saveDraft(message, in: .participants(message.recipients.map(\.address)))
      return try id.map { try store.draft($0) }
    }
    guard let saved else { throw .notFound }
    return try await answer(saved, of: caller)
  }

  /// Saves the draft of a thread, instead of the one that is there. An empty one removes it.
  /// - Returns: The draft; nil if it is empty.
  /// - Throws: As ``createThread(_:of:)``.
  public func saveDraft(
    _ draft: ThreadDraft, inThread id: String, of caller: Caller
  ) async throws(ServiceError) -> ThreadDraftAnswer? {
    // The erasure of the owner ends a request that has begun before it.
    let work = work.begin(for: caller.owner)
    let thread = try Self.thread(id)
    let people = try await self.thread(id, of: caller).participants
    let message = try await composition(draft, people: people, of: caller)
    let limit = configuration.limits.drafts
    let saved = try await draftTurns.take(Self.turn(thread, caller)) { () async throws(ServiceError) in
      try await changeMessages(of: caller, during: work) { store -> MessageStore.Draft? in
        if try store.thread(thread).draft == nil { try Self.checkCount(store, limit) }
        return try store.saveDraft(message, in: .thread(thread)).map { try store.draft($0) }
      }
    }
    guard let saved else { return nil }
    return try await answer(saved, of: caller)
  }

  /// The draft of a thread.
  /// - Throws: `notFound` if the thread has none.
  public func draft(ofThread id: String, of caller: Caller) async throws(ServiceError) -> ThreadDraftAnswer {
    try await answer(try await storedDraft(ofThread: id, of: caller), of: caller)
  }

  /// Removes the draft of a thread, and the thread if it has no message. Succeeds if there is no draft.
  public func deleteDraft(ofThread id: String, of caller: Caller) async throws(ServiceError) {
    let work = work.begin(for: caller.owner)
    let thread = try Self.thread(id)
    try await draftTurns.take(Self.turn(thread, caller)) { () async throws(ServiceError) in
      try await changeMessages(of: caller, during: work) { store in
        if let draft = try store.thread(thread).draft { try store.delete(draft) }
      }
    }
  }

  /// The draft of a thread with what is known of its attachments now. Those that were erased keep their ids.
  func draftOfThread(_ id: String, of caller: Caller) async throws(ServiceError) -> MessageComposition {
    try await current(try await storedDraft(ofThread: id, of: caller).message, of: caller)
  }

  /// A draft with the facts and names that its attachments have now.
  func current(_ message: MessageComposition, of caller: Caller) async throws(ServiceError) -> MessageComposition {
    let ids = message.attachments.compactMap(\.fileID)
    let files = try await files(ids, of: caller.owner)
    let addresses = try await AttachmentAddresses(of: ids, in: self)
    let content = message.content.map { item -> MessageComposition.Item in
      guard case .attachment(let kept) = item, let id = kept.attachment.fileID,
        let file = files[id], !addresses.isHidden(id), let info = try? file.info()
      else { return item }
      var attachment = kept.attachment
      (attachment.info, attachment.name) = (info, addresses[id].name)
      return .attachment(AttachmentDraft.Item(attachment, upload: .uploaded))
    }
    return MessageComposition(content: content, recipients: message.recipients, subject: message.sentSubject)
  }

  func storedDraft(ofThread id: String, of caller: Caller) async throws(ServiceError) -> MessageStore.Draft {
    try caller.require(.read)
    let thread = try Self.thread(id)
    let found = try await readMessages(of: caller) { store in
      try store.thread(thread).draft.map { try store.draft($0) }
    }
    guard case .some(.some(let draft)) = found else { throw .notFound }
    return draft
  }

  /// Removes an attachment from the drafts of an owner's threads, because it is erased. Errors are logged, and do not keep it from being erased: a draft
  /// that still names it shows and sends nothing of it.
  /// - Returns: The number of drafts that had it.
  func dropFromThreadDrafts(_ file: FileID, of owner: String) async -> Int {
    let asset = file.asset
    do {
      return try await messageStores.use(owner, creating: false) { store in try store.removeAsset(asset) } ?? 0
    } catch {
      logger.error("an erased attachment was not removed from drafts of threads", metadata: ["error": "\(error)"])
      return 0
    }
  }

  /// The files that drafts of an owner's threads have; nil if that cannot be read.
  func filesOfThreadDrafts(of owner: String) async -> Set<FileID>? {
    do {
      let files = try await messageStores.use(owner, creating: false) { store in
        try store.drafts().flatMap { draft in
          draft.message.attachments.compactMap(\.fileID)
        }
      }
      return Set(files ?? [])
    } catch {
      logger.error("the drafts of an owner's threads cannot be read", metadata: ["error": "\(error)"])
      return nil
    }
  }

  /// The name of a thread by which edits of its draft come one after the other.
  static func turn(_ thread: MessageStore.Thread.ID, _ caller: Caller) -> String {
    "thread \(thread.rawValue) \(caller.owner)"
  }

  private static func checkCount(_ store: MessageStore, _ limit: Int) throws {
    guard try store.draftCount() < limit else {
      throw ServiceError(
        .quotaExceeded, "You have \(limit) drafts, which is the limit; discard one first.", numbers: ["limit": limit])
    }
  }

  /// What a client wrote, as a message. Of an attachment it keeps type and size: its name and metadata are read when they are needed.
  private func composition(
    _ draft: ThreadDraft, people: [String], of caller: Caller
  ) async throws(ServiceError) -> MessageComposition {
    try caller.require(.write)
    let recipients = draft.to ?? people
    let (count, length) = (FieldLimits.recipients, FieldLimits.recipient)
    guard recipients.count <= count, recipients.allSatisfy({ (1...length).contains($0.utf8.count) }) else {
      throw ServiceError(
        .invalidRequest, "`to` may have at most \(count) addresses of 1 to \(length) bytes.",
        numbers: ["limit": count])
    }
    let items = draft.content ?? []
    let additions = items.compactMap { item in
      if case .attachment(let addition, _) = item { addition } else { nil }
    }
    var attachments = try await draftAttachments(additions, of: caller)[...]
    var content: [MessageComposition.Item] = []
    for item in items {
      switch item {
      case .text(let text): content.append(.text(text))
      case .attachment(_, let crop):
        guard let attachment = attachments.popFirst() else { continue }
        content.append(.attachment(try Self.item(attachment, crop: crop)))
      }
    }
    return MessageComposition(
      content: content, recipients: recipients.map { MessageRecipient($0) }, subject: draft.subject)
  }

  private static func item(
    _ attachment: MediaAttachment, crop: PixelRect?
  ) throws(ServiceError) -> AttachmentDraft.Item {
    if let crop {
      guard let size = attachment.info.displaySize, crop.lies(inside: size) else {
        throw ServiceError(.invalidRequest, "`crop` must be inside the image, in upright pixels.")
      }
    }
    var kept = attachment
    kept.name = nil
    kept.info = MediaInfo(type: attachment.info.type, bytes: attachment.info.bytes)
    // A restored crop has to be inside of the image.
    if let size = attachment.info.displaySize { (kept.info.width, kept.info.height) = (size.width, size.height) }
    kept.crop = crop
    return AttachmentDraft.Item(kept, upload: .uploaded)
  }

  private func answer(_ draft: MessageStore.Draft, of caller: Caller) async throws(ServiceError) -> ThreadDraftAnswer {
    let message = draft.message
    let ids = message.attachments.compactMap(\.fileID)
    let files = try await files(ids, of: caller.owner)
    let addresses = try await AttachmentAddresses(of: ids, in: self)
    let content = message.content.map { item -> ThreadDraftAnswer.Item in
      switch item {
      case .text(let text): return ThreadDraftAnswer.Item(text: text)
      case .attachment(let item):
        let attachment = item.attachment
        let id = attachment.fileID
        var answer = ThreadDraftAnswer.Item(
          attachment: id.map { "\($0.rawValue)" }, id: attachment.id.rawValue, crop: attachment.crop,
          altText: attachment.altText)
        guard let id, let file = files[id], !addresses.isHidden(id) else { return answer }
        (answer.name, answer.info, answer.placeholder) = (addresses[id].name, try? file.info(), file.placeholder)
        if file.placeholder != nil { answer.thumbnail = addresses.url("grid", of: id, crop: attachment.crop) }
        return answer
      }
    }
    return ThreadDraftAnswer(
      thread: draft.thread.map { "\($0.rawValue)" } ?? "", time: draft.time.wholeSeconds,
      to: message.recipients.map(\.address), subject: message.sentSubject, content: content)
  }
}

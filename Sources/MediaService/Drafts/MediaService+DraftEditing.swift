internal import AttachmentPolicy
internal import MediaLibrary
public import MediaModel

extension MediaService {
  /// A file to add to a draft.
  public struct DraftAddition: Hashable, Sendable {
    /// The id of the attachment that was uploaded.
    public var attachment: String
    /// Its id in the draft: letters, digits and `-._~:@` of ASCII, at most 255. Default nil: that of the attachment.
    public var id: String?
    /// The alternative text. Default nil: none.
    public var altText: String?

    /// An attachment of the caller.
    public init(attachment: String, id: String? = nil, altText: String? = nil) {
      (self.attachment, self.id, self.altText) = (attachment, id, altText)
    }
  }

  /// What to change of one attachment of a draft; nil leaves a property as it is.
  public struct DraftAttachmentChange: Sendable {
    /// The crop in upright pixels; `.some(nil)` removes it (R-CHAT-12).
    public var crop: PixelRect??
    /// The alternative text; `.some(nil)` removes it.
    public var altText: String??
    /// Its new index.
    public var position: Int?
    /// The attachment that takes its place; crop and alternative text of the old one do not stay (R-MYM-8, R-MMS-35).
    public var replacement: DraftAddition?

    /// No change.
    public init() {}
  }

  /// Adds attachments of the caller to a draft. Those that the rules refuse are not added, and the answer's events have the reasons. What the draft
  /// already has changes nothing, so a request can be repeated.
  /// - Parameters:
  ///   - position: The index of the first one. Default nil: at the end.
  ///   - version: The version for which the request was made. Default nil: any.
  /// - Throws: `notFound` for an attachment that is not the caller's, `refused` if nothing could be added, `preconditionFailed` for another version.
  public func addToDraft(
    _ additions: [DraftAddition], draft id: String, of caller: Caller, at position: Int? = nil, version: Int? = nil
  ) async throws(ServiceError) -> DraftAnswer {
    let attachments = try await draftAttachments(additions, of: caller)
    let rules = configuration.rules
    return try await edit(id, of: caller, version: version) { (draft) throws(ServiceError) in
      let new = attachments.filter { attachment in
        // The same request once more, and a tap on a selected cell (R-TRAY-8).
        draft[attachment.id].map { $0.attachment.asset != attachment.asset }
          ?? (attachment.asset.flatMap { draft.index(of: $0) } == nil)
      }
      guard draft.items.count + new.count <= Self.maxItems else {
        throw ServiceError(
          .invalidRequest, "A draft can have at most \(Self.maxItems) attachments.", numbers: ["limit": Self.maxItems])
      }
      var events = draft.add(new, under: rules)
      // A number of a client: behind the last position is the last one.
      var index = position.map { min(max(0, $0), Self.maxItems) }
      for attachment in new where draft[attachment.id] != nil {
        _ = draft.setUpload(.uploaded, of: attachment.id)
        if let place = index {
          events += draft.move(attachment.id, to: place)
          index = place + 1
        }
      }
      try Self.failIfNothingWasAdded(events, of: new)
      return events
    }
  }

  /// More attachments than any message has, where the rules have no limit.
  private static let maxItems = 1_000

  /// A request that changes nothing because all is refused is an error, with the verdict.
  private static func failIfNothingWasAdded(
    _ events: [AttachmentDraft.Event], of new: [MediaAttachment]
  ) throws(ServiceError) {
    let files = events.compactMap { event -> Verdict.File? in
      if case .refused(let id, let reasons) = event { Verdict.File(id: id, reasons: reasons) } else { nil }
    }
    guard !files.isEmpty, files.count == new.count else { return }
    throw ServiceError(
      .refused, "The policy refuses these attachments; `events` has the reasons.",
      verdict: Verdict(accepted: false, files: files, remaining: nil, suggestions: []))
  }

  /// Adds a finished upload to the draft for which it was made. Changes nothing if the draft is gone, or the rules refuse it.
  func addToDraft(
    _ file: FileID, draft id: String, owner: String
  ) async throws(ServiceError) -> IngestedAttachment.Addition {
    do throws(ServiceError) {
      let draft = try await addToDraft(
        [DraftAddition(attachment: "\(file.rawValue)")], draft: id, of: Caller(owner: owner))
      return IngestedAttachment.Addition(id: id, isAdded: true, version: draft.version, reasons: [])
    } catch  where [.notFound, .gone, .refused, .invalidRequest].contains(error.code) {
      return IngestedAttachment.Addition(
        id: id, isAdded: false, reasons: error.verdict?.files.flatMap(\.reasons) ?? [])
    }
  }

  /// Changes one attachment of a draft.
  /// - Throws: `notFound` for one that the draft does not have, `refused` with the verdict for a crop outside of the image and for a replacement that
  ///   the rules refuse: the old one stays then.
  public func changeDraftAttachment(
    _ item: String, _ change: DraftAttachmentChange, draft id: String, of caller: Caller, version: Int? = nil
  ) async throws(ServiceError) -> DraftAnswer {
    let replacement = try await draftAttachments(change.replacement.map { [$0] } ?? [], of: caller).first
    let rules = configuration.rules
    return try await edit(id, of: caller, version: version) { (draft) throws(ServiceError) in
      var item = MediaAttachment.ID(item)
      guard draft[item] != nil else { throw .notFound }
      var events: [AttachmentDraft.Event] = []
      if let replacement {
        events += draft.replace(item, with: replacement, under: rules)
        item = replacement.id
        _ = draft.setUpload(.uploaded, of: item)
      }
      if let crop = change.crop { events += draft.crop(item, to: crop) }
      if let text = change.altText { events += draft.setAltText(item, to: text) }
      if let position = change.position { events += draft.move(item, to: position) }
      for case .refused(let id, let reasons) in events {
        throw ServiceError(
          .refused, "The policy refuses the change; `verdict` has the reasons.",
          verdict: Verdict(
            accepted: false, files: [Verdict.File(id: id, reasons: reasons)], remaining: nil, suggestions: []))
      }
      return events
    }
  }

  /// Removes an attachment from a draft; nil removes all and keeps the text (R-TRAY-26). Removing what is not there changes nothing.
  public func removeFromDraft(
    _ item: String?, draft id: String, of caller: Caller, version: Int? = nil
  ) async throws(ServiceError) -> DraftAnswer {
    let rules = configuration.rules
    return try await edit(id, of: caller, version: version) { (draft) throws(ServiceError) in
      item.map { draft.remove(MediaAttachment.ID($0), under: rules) } ?? draft.clearSelection(under: rules)
    }
  }

  /// Changes the text and the order of a draft.
  /// - Parameters:
  ///   - text: Default nil: the text stays.
  ///   - order: The ids of the attachments in their new order; those that are not named follow in their old order. Default nil: the order stays.
  public func changeDraft(
    _ id: String, of caller: Caller, text: String? = nil, order: [String]? = nil, version: Int? = nil
  ) async throws(ServiceError) -> DraftAnswer {
    try await edit(id, of: caller, version: version) { (draft) throws(ServiceError) in
      var events = text.map { draft.setText($0) } ?? []
      for (position, item) in (order ?? []).enumerated() {
        guard draft[MediaAttachment.ID(item)] != nil else {
          throw ServiceError(.invalidRequest, "`order` names an attachment that the draft does not have.")
        }
        events += draft.move(MediaAttachment.ID(item), to: position)
      }
      return events
    }
  }

  /// Changes a draft, and saves it if it has changed: when the call returns, it is on the disk (R-TRAY-24).
  func edit(
    _ id: String, of caller: Caller, version: Int?,
    _ change: (inout AttachmentDraft) throws(ServiceError) -> [AttachmentDraft.Event]
  ) async throws(ServiceError) -> DraftAnswer {
    try caller.require(.write)
    return try await draftTurns.take(id) { () throws(ServiceError) in
      var open = try await openDraft(id, of: caller)
      guard version == nil || version == open.record.version else {
        throw ServiceError(
          .preconditionFailed, "The draft has changed since it was read; read it again.",
          numbers: ["actual": open.record.version])
      }
      let before = open.draft
      let events = try change(&open.draft)
      if open.draft != before {
        open.record.version += 1
        open.record.changed = max(now(), open.record.changed)
        try await save(open, since: before)
        feed.publish(.draft(open.record.id, version: open.record.version), for: open.record.owner)
      }
      return try await answer(open, events: events)
    }
  }

  /// Saves a draft that was changed.
  private func save(_ open: OpenDraft, since before: AttachmentDraft) async throws(ServiceError) {
    let (record, draft) = (open.record, open.draft)
    let known = Set(before.items.compactMap(\.attachment.asset))
    let added = draft.items.compactMap(\.attachment.asset).filter { !known.contains($0) }.compactMap { FileID($0) }
    let (library, database) = (library.library, database)
    try await ServiceError.mapping {
      // The row first: a version that was answered is never that of another content.
      guard added.isEmpty else {
        // Where files are erased with their last moment: this one is there, and is seen there from now on.
        return try await self.library.writing.run {
          for file in added {
            let isErased = try database.readBlocking { db in try AttachmentRecord.read(file, db) }.isErased
            if isErased || Self.isGone(file, from: library) { throw ServiceError.notFound }
          }
          try database.writeBlocking { try record.update($0) }
          try library.drafts.save(draft, for: record.key, owner: record.owner)
        }
      }
      try await database.write { try record.update($0) }
      try await self.library.save(draft, for: record.key, owner: record.owner)
    }
  }

  /// The caller's files as attachments of a draft.
  func draftAttachments(_ additions: [DraftAddition], of caller: Caller) async throws(ServiceError) -> [MediaAttachment]
  {
    if additions.isEmpty { return [] }
    let limit = FieldLimits.additions
    guard additions.count <= limit else {
      throw ServiceError(
        .invalidRequest, "A request can have at most \(limit) attachments.",
        numbers: ["limit": limit, "actual": additions.count])
    }
    let ids = try additions.map { (addition) throws(ServiceError) in try Self.fileID(addition.attachment) }
    let files = try await files(ids)
    let addresses = try await AttachmentAddresses(of: ids, in: self)
    var attachments: [MediaAttachment] = []
    for (addition, id) in zip(additions, ids) {
      guard let file = files[id], caller.owns(file), [.done, .failed].contains(file.state),
        !addresses.isHidden(id), let info = try? file.info()
      else { throw .notFound }
      try Self.checkItem(addition.id)
      var attachment = MediaAttachment(
        id: MediaAttachment.ID(addition.id ?? addition.attachment), asset: id.asset, name: addresses[id].name,
        info: info)
      attachment.altText = addition.altText.flatMap { $0.isEmpty ? nil : $0 }
      attachments.append(attachment)
    }
    return attachments
  }

  /// The row of an attachment's id: decimal digits as the service writes them, else there is no such attachment.
  static func fileID(_ text: String) throws(ServiceError) -> FileID {
    guard let number = Int64(text), number > 0, "\(number)" == text else { throw .notFound }
    return FileID(rawValue: number)
  }
}

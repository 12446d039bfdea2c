internal import AttachmentPolicy
internal import GRDB
internal import MediaLibrary
internal import MediaModel

extension MediaService {
  /// A draft in the words of the interface, with what is known of its files now.
  /// - Parameters:
  ///   - open: The draft.
  ///   - events: What a request has changed; nil for a request that only reads.
  func answer(_ open: OpenDraft, events: [AttachmentDraft.Event]? = nil) async throws(ServiceError) -> DraftAnswer {
    let (record, draft, rules) = (open.record, open.draft, configuration.rules)
    let ids = draft.items.compactMap(\.attachment.fileID)
    let files = try await files(ids, of: record.owner)
    let addresses = try await AttachmentAddresses(of: ids, in: self)
    let uploads = try await uploads(for: record)
    let blockers = blockers(of: draft, uploads: uploads, files: files, addresses: addresses)
    return DraftAnswer(
      id: record.id, version: record.version, thread: record.thread, text: draft.text,
      changed: MediaInfo.CaptureTime(secondsSince1970: record.changed),
      attachments: draft.items.map { item in
        let file = item.attachment.fileID
        var answer = DraftAnswer.Attachment(
          id: item.id.rawValue, attachment: file.map { "\($0.rawValue)" }, name: item.attachment.name,
          info: item.attachment.info, crop: item.attachment.crop, altText: item.attachment.altText,
          upload: item.upload)
        answer.placeholder = file.flatMap { files[$0]?.placeholder }
        if let file, answer.placeholder != nil, !addresses.isHidden(file) {
          answer.thumbnail = addresses.url("grid", of: file, crop: item.attachment.crop)
        }
        return answer
      },
      uploads: uploads, remaining: draft.remaining(under: rules), limitReached: draft.isFull(under: rules),
      canSend: blockers.isEmpty, blockers: blockers, events: events?.map(DraftAnswer.Event.init))
  }

  /// All reasons why a draft cannot be sent: those of the rules, uploads that have not ended, and files that a moderator has blocked since, or that are no longer
  /// the owner's.
  func blockers(
    of draft: AttachmentDraft, uploads: [DraftAnswer.Upload], files: [FileID: CatalogueFile],
    addresses: AttachmentAddresses
  ) -> [DraftAnswer.Blocker] {
    var blockers = draft.sendBlockers(under: configuration.rules).map(DraftAnswer.Blocker.init)
    if !uploads.isEmpty {
      // A draft whose only content is on its way is not empty.
      blockers.removeAll { $0.code == "empty" }
      blockers.append(DraftAnswer.Blocker(code: "uploading", ids: uploads.map(\.id)))
    }
    let blocked = draft.items.filter { item in
      item.attachment.fileID.map { files[$0] == nil || addresses.isHidden($0) } ?? false
    }
    if !blocked.isEmpty { blockers.append(DraftAnswer.Blocker(code: "blocked", ids: blocked.map(\.id.rawValue))) }
    return blockers
  }

  /// Files by their ids, without those that are gone.
  func files(_ ids: [FileID]) async throws(ServiceError) -> [FileID: CatalogueFile] {
    if ids.isEmpty { return [:] }
    return try await ServiceError.mapping {
      try await library.catalogue.call { catalogue in
        try ids.reduce(into: [:]) { files, id in files[id] = try catalogue.file(id) }
      }
    }
  }

  /// An owner's files by their ids. A draft may be older than a change of a file's owner, and names files by their ids alone.
  func files(_ ids: [FileID], of owner: String) async throws(ServiceError) -> [FileID: CatalogueFile] {
    try await files(ids).filter { $0.value.isOwned(by: owner) }
  }

  /// The unfinished uploads of a draft's owner that will become attachments of it (R-TRAY-27).
  func uploads(for record: DraftRecord) async throws(ServiceError) -> [DraftAnswer.Upload] {
    let arriving = arrivals.uploads(for: record.id)
    return try await arriving
      + ServiceError.mapping {
        try await database.read { db in
          try Row.fetchAll(
            db,
            sql: """
              SELECT id, state, offset, length, name FROM upload INDEXED BY upload_owner
              WHERE owner = ? AND state IN ('receiving', 'examining') AND draft = ? ORDER BY created, id
              """, arguments: [record.owner, record.id]
          ).map { DraftAnswer.Upload(id: $0[0], state: $0[1], offset: $0[2], length: $0[3], name: $0[4]) }
        }
      }
  }
}

internal import AttachmentPolicy
internal import Foundation
internal import GRDB
internal import MediaLibrary
public import MediaModel

extension MediaService {
  /// A draft that was sent: what the app puts into its message.
  public struct CommittedDraft: Codable, Sendable {
    /// The id that the draft had, which identifies the message.
    public var id: String
    /// The id of the thread that the draft is for; nil for none.
    public var thread: String?
    /// The text of the message; empty for none.
    public var text: String
    /// The attachments in sending order.
    public var attachments: [Attachment]
    /// Labels that the attachments got.
    public var labels: [String]
    /// When it was sent.
    public var committed: MediaInfo.CaptureTime?

    /// An attachment of the message that was sent.
    public struct Attachment: Codable, Sendable {
      /// The id that it had in the draft.
      public var id: String
      /// The id of the uploaded attachment.
      public var attachment: String
      /// The file name, which is untrusted text.
      public var name: String?
      /// The facts, as the draft had them; nil in answers of earlier versions. They are the sender's, with location and camera.
      public var info: MediaInfo?
      /// The part of the image to show, in upright pixels.
      public var crop: PixelRect?
      /// The alternative text.
      public var altText: String?
    }
  }

  /// Sends a draft: its attachments get the labels that let others read them, and the draft ends. All of it is on the disk when the call returns
  /// (R-CHAT-17); a repeated call gives the same answer.
  /// - Parameters:
  ///   - labels: Such as `g:42`; those that an attachment has stay.
  /// - Throws: `refused` if the draft cannot be sent: `draft(_:of:)` has all reasons.
  public func commitDraft(
    _ id: String, of caller: Caller, labels: [String] = [], version: Int? = nil
  ) async throws(ServiceError) -> CommittedDraft {
    try caller.require(.write)
    let limit = FieldLimits.label
    guard labels.allSatisfy({ (1...limit).contains($0.unicodeScalars.count) }) else {
      throw ServiceError(
        .invalidRequest, "A label must have 1 to \(limit) characters.", numbers: ["limit": limit])
    }
    return try await draftTurns.take(id) { () throws(ServiceError) in
      if let answer = try await committed(id, of: caller) { return answer }
      let open = try await openDraft(id, of: caller)
      guard version == nil || version == open.record.version else {
        throw ServiceError(
          .preconditionFailed, "The draft has changed since it was read; read it again.",
          numbers: ["actual": open.record.version])
      }
      let items = open.draft.items
      let ids = items.compactMap(\.attachment.fileID)
      let blockers = blockers(
        of: open.draft, uploads: try await uploads(for: open.record), files: try await files(ids, of: caller.owner),
        addresses: try await AttachmentAddresses(of: ids, in: self))
      if let first = blockers.first {
        var error = ServiceError(
          .refused, "The draft cannot be committed. \(blockers.map(\.sentence).joined(separator: " "))",
          numbers: ["limit": first.limit, "actual": first.actual].compactMapValues { $0 })
        error.blockers = blockers
        throw error
      }
      let answer = CommittedDraft(
        id: id, thread: open.record.thread, text: open.draft.text,
        attachments: items.compactMap { item in
          item.attachment.fileID.map {
            CommittedDraft.Attachment(
              id: item.id.rawValue, attachment: "\($0.rawValue)", name: item.attachment.name,
              info: item.attachment.info, crop: item.attachment.crop, altText: item.attachment.altText)
          }
        }, labels: labels, committed: MediaInfo.CaptureTime(secondsSince1970: now()))
      try await finish(open.record, with: answer, files: ids)
      return answer
    }
  }

  /// Notes that a draft was sent, with its answer and the labels of its files in one transaction; what remains of it is removed afterwards.
  private func finish(
    _ record: DraftRecord, with answer: CommittedDraft, files: [FileID]
  ) async throws(ServiceError) {
    var record = record
    (record.committed, record.changed) = (now(), now())
    let done = try await ServiceError.mapping { [record] in
      var record = record
      record.answer = try ServiceJSON.encode(answer)
      return record
    }
    let maxLabels = configuration.limits.labels
    try await noteMessage(with: files) { [database] in
      try database.writeBlocking { db in
        try done.update(db)
        for (file, known) in try AttachmentRecord.read(files, db) {
          // A label that gives more stays as it is.
          let new = Set(answer.labels).subtracting(known.labels.keys)
          let count = known.labels.count + new.count
          guard count <= maxLabels else {
            throw ServiceError(
              .invalidRequest, "An attachment would have \(count) labels; the limit is \(maxLabels).",
              numbers: ["limit": maxLabels, "actual": count])
          }
          let labels = Dictionary(uniqueKeysWithValues: new.map { ($0, false) })
          try AttachmentRecord.note(file, owner: done.owner, name: nil, labels: labels, in: db)
        }
      }
    }
    // Sent it is already; the sweep removes what cannot be removed now.
    try? await library.onDrafts { try $0.remove(done.key) }
    feed.publish(.draft(done.id, version: nil), for: done.owner)
  }

  /// Notes that a message uses files, before it is sent: no deletion of a moment erases them. If it cannot be sent, the uses that were new end.
  private func noteMessage(
    with files: [FileID], _ send: @escaping @Sendable () throws -> Void
  ) async throws(ServiceError) {
    try await ServiceError.mapping {
      // One thread notes and ends uses, so that of an earlier message stays.
      try await library.changeMoments { moments in
        let new = try files.filter { try !moments.hasUse(Self.messageUse, of: $0) }
        do {
          for file in new { try Self.noteMessage(with: file, moments) }
          try send()
        } catch {
          for file in new { try? moments.endUse(Self.messageUse, of: file) }
          throw error
        }
      }
    }
  }

  private static func noteMessage(with file: FileID, _ moments: Moments) throws {
    do { try moments.addUse(messageUse, of: file) } catch  where error.code == .invalidRequest {
      throw ServiceError.attachmentErased
    }
  }

  /// Removes the names, facts and alternative texts of erased attachments from the answers of drafts that were sent. An answer that cannot be read is
  /// removed as a whole.
  /// - Parameter owner: Whose answers; nil for those of all owners.
  /// - Returns: The number of answers that were changed.
  static func removeFacts(about files: [FileID], owner: String?, _ db: Database) throws -> Int {
    var count = 0
    let columns = "SELECT id, CAST(answer AS BLOB) FROM draft"
    let ofOwner = "\(columns) INDEXED BY draft_owner WHERE owner = ? AND answer IS NOT NULL"
    let rows: [Row]
    if let owner {
      rows = try Row.fetchAll(db, sql: ofOwner, arguments: [owner])
    } else {
      rows = try Row.fetchAll(db, sql: "\(columns) WHERE answer IS NOT NULL")
    }
    let ids = Set(files.map { "\($0.rawValue)" })
    for row in rows {
      let (id, stored): (String, Data) = (row[0], row[1])
      guard var answer = try? ServiceJSON.decode(CommittedDraft.self, from: [UInt8](stored)) else {
        try db.execute(sql: "UPDATE draft SET answer = NULL WHERE id = ?", arguments: [id])
        count += 1
        continue
      }
      var isChanged = false
      for index in answer.attachments.indices where ids.contains(answer.attachments[index].attachment) {
        (answer.attachments[index].name, answer.attachments[index].info) = (nil, nil)
        answer.attachments[index].altText = nil
        isChanged = true
      }
      guard isChanged else { continue }
      let data = Data(try ServiceJSON.encode(answer))
      try db.execute(sql: "UPDATE draft SET answer = ? WHERE id = ?", arguments: [data, id])
      count += 1
    }
    return count
  }

  /// Removes locations from the answers of an owner's drafts that were sent. An answer that cannot be read is removed as a whole.
  static func removeLocations(fromSent owner: String, _ db: Database) throws {
    let rows = try Row.fetchAll(
      db,
      sql: "SELECT id, CAST(answer AS BLOB) FROM draft INDEXED BY draft_owner WHERE owner = ? AND answer IS NOT NULL",
      arguments: [owner])
    for row in rows {
      let (id, stored): (String, Data) = (row[0], row[1])
      var answer = try? ServiceJSON.decode(CommittedDraft.self, from: [UInt8](stored))
      for index in (answer?.attachments ?? []).indices {
        let info = answer?.attachments[index].info
        answer?.attachments[index].info = info?.withoutLocation
      }
      let data = try answer.map { Data(try ServiceJSON.encode($0)) }
      try db.execute(sql: "UPDATE draft SET answer = ? WHERE id = ?", arguments: [data, id])
    }
  }

  /// The answer of a draft that was sent before; nil for one that was not.
  private func committed(_ id: String, of caller: Caller) async throws(ServiceError) -> CommittedDraft? {
    guard DraftRecord.isID(id) else { throw .notFound }
    let record = try await ServiceError.mapping { try await database.read { try DraftRecord.fetch(id, $0) } }
    guard let record, caller.isOwner(record.owner), let answer = record.answer else { return nil }
    return try await ServiceError.mapping { try ServiceJSON.decode(CommittedDraft.self, from: answer) }
  }
}

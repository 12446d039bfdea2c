internal import MediaLibrary

/// An attachment that a reader may see.
struct ReadableAttachment: Sendable {
  let file: CatalogueFile
  let record: AttachmentRecord
  /// Whether the reader acts for its owner, and so sees everything.
  let isOwner: Bool
  /// Whether it was not found clean yet: nobody but the owner sees it.
  let isHeld: Bool
  /// Whether the reader may see it only because a moment shows it: its image, without what its owner states of the file.
  var isOfMomentAlone = false

  /// Nil for a file that was erased, has vanished or was never examined.
  init?(_ file: CatalogueFile, _ record: AttachmentRecord, by reader: MediaService.Reader, isHeld: Bool) {
    guard !record.isErased, file.state != .vanished, file.state != .new else { return nil }
    (self.file, self.record, self.isHeld) = (file, record, isHeld)
    if case .caller(let caller) = reader, caller.scope.contains(.read) {
      isOwner = caller.owns(file)
    } else {
      isOwner = false
    }
  }

  /// Whether moderation hides it from everybody.
  var isBlocked: Bool { record.isBlocked || file.state == .quarantined }
  /// Whether others than the owner may not see it.
  var isHiddenFromOthers: Bool { isBlocked || isHeld }
}

extension MediaService {
  /// The attachment, if the reader has the right.
  ///
  /// Ownership decides first, then a signed URL or a label, then a moment that shows it, and the application's ``AccessPolicy`` last. What does not
  /// exist, what was erased or blocked and what the reader may not have are one error.
  /// - Parameter showsBlocked: Whether the owner gets a blocked attachment, for its facts.
  func readable(
    _ id: FileID, by reader: Reader, right: Right, showsBlocked: Bool = false
  ) async throws -> ReadableAttachment {
    let found = try await attachment(id, by: reader)
    guard let permission = try await self.permission(found, id, reader, right, showsBlocked: showsBlocked),
      var found
    else {
      throw ServiceError.notFound
    }
    found.isOfMomentAlone = permission == .moment
    return found
  }

  /// The attachments among these to which the caller has the right, in the order of the ids.
  ///
  /// One query of each database; the application is asked about all of them at once.
  func readable(
    _ ids: [FileID], for caller: Caller, _ right: Right, showsBlocked: Bool = false
  ) async throws -> [ReadableAttachment] {
    try checkBatch(ids)
    async let records = database.read { db in try AttachmentRecord.read(ids, db) }
    let files = try await library.catalogue.call { catalogue in try ids.map { try catalogue.file($0) } }
    let known = try await records
    let held = try await held(files.compactMap { $0 })
    let found = files.map { file in
      file.flatMap { file in
        known[file.id].flatMap { ReadableAttachment(file, $0, by: .caller(caller), isHeld: held.contains(file.id)) }
      }
    }
    return try await withThrowingTaskGroup(of: (Int, Permission?).self) { group in
      for (index, one) in found.enumerated() {
        group.addTask { [self] in
          (index, try await permission(one, ids[index], .caller(caller), right, showsBlocked: showsBlocked))
        }
      }
      let permissions = try await group.reduce(into: [Int: Permission]()) { $0[$1.0] = $1.1 }
      return found.indices.compactMap { index in
        guard let permission = permissions[index], var one = found[index] else { return nil }
        one.isOfMomentAlone = permission == .moment
        return one
      }
    }
  }

  /// The caller's own attachment, to be changed.
  func owned(_ id: FileID, by caller: Caller) async throws -> ReadableAttachment {
    guard let found = try await attachment(id, by: .caller(caller)), found.isOwner else { throw ServiceError.notFound }
    try caller.require(.write)
    return found
  }

  /// What exists, whoever asks.
  func attachment(_ id: FileID, by reader: Reader) async throws -> ReadableAttachment? {
    async let records = database.read { db in try AttachmentRecord.read(id, db) }
    let file = try await library.catalogue.file(id)
    let record = try await records
    let held = try await held(file.map { [$0] } ?? [])
    return file.flatMap { ReadableAttachment($0, record, by: reader, isHeld: held.contains(id)) }
  }

  /// What a reader sees of an attachment.
  enum Permission: Sendable {
    /// What its right names.
    case whole
    /// What a moment shows. The application is not asked then: a moment needs no answer of it.
    case moment
  }

  /// What a reader sees of an attachment; nil without the right.
  ///
  /// The application is asked about what does not exist and what is blocked too, whatever it answers: otherwise the time of an answer, or an outage of the
  /// application, would show which ids exist.
  /// - Parameter found: nil if it does not exist.
  func permission(
    _ found: ReadableAttachment?, _ id: FileID, _ reader: Reader, _ right: Right, showsBlocked: Bool
  ) async throws -> Permission? {
    if let found, found.isOwner { return !found.isBlocked || showsBlocked ? .whole : nil }
    if let found, !found.isHiddenFromOthers, isAllowed(found, reader, right) { return .whole }
    guard case .caller(let caller) = reader, caller.scope.contains(.read) else { return nil }
    // Looked up for what does not exist and what is hidden, too.
    if right == .view, try await isShown(id, of: found?.file.owner ?? "", to: caller),
      found?.isHiddenFromOthers == false
    {
      return .moment
    }
    guard let policy = attachments.policy else { return nil }
    let mayRead = try await policy.allows(
      AccessQuestion(subject: caller.owner, attachment: id, owner: found?.file.owner, right: right))
    return mayRead && found?.isHiddenFromOthers == false ? .whole : nil
  }

  /// Whether an address or a label gives the right.
  func isAllowed(_ found: ReadableAttachment, _ reader: Reader, _ right: Right) -> Bool {
    switch reader {
    // The right is a part of the path that was signed.
    case .address(let address): address.generation == found.record.generation
    case .caller(let caller):
      caller.scope.contains(.read) && !caller.labels.isDisjoint(with: found.record.labels(for: right))
    }
  }
}

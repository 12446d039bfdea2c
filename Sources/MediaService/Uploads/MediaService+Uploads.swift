/// Resumable uploads, without a transport (docs/uploads.md).
extension MediaService {
  /// What is stated when an upload is created.
  public struct NewUpload: Hashable, Sendable {
    /// The protocol.
    public var form: Upload.Form
    /// The size in bytes of the file; nil if it is not known yet.
    public var length: Int?
    /// What the client states of the file.
    public var claims: Upload.Claims
    /// The field `Upload-Metadata` of tus.
    public var metadata: String?

    /// An upload with these values.
    public init(form: Upload.Form, length: Int?, claims: Upload.Claims = Upload.Claims(), metadata: String? = nil) {
      (self.form, self.length, self.claims, self.metadata) = (form, length, claims, metadata)
    }
  }

  /// Bytes that an upload may have: the limit of the rules, or else that of an owner.
  public var maxUploadBytes: Int {
    // At most a tebibyte, so that sums of reservations cannot overflow.
    min(FileExamination.maxBytes(configuration.rules) ?? .max, configuration.limits.ownerBytes, 1 << 40)
  }

  /// Creates an upload, without bytes. Its row is on the disk when this returns.
  /// - Throws: `forbidden`, `tooLarge`, `quotaExceeded`, `diskFull`; `notFound` and `gone` for the draft for which it is made.
  public func createUpload(_ new: NewUpload, for caller: Caller) async throws(ServiceError) -> Upload {
    try caller.require(.write)
    guard let draft = new.claims.draft else { return try await create(new, for: caller) }
    // In the draft's turn: it is sent either before the upload begins, or after it has ended.
    return try await draftTurns.take(draft) { () throws(ServiceError) in
      let version = try await openDraft(draft, of: caller).record.version
      let upload = try await create(new, for: caller)
      feed.publish(.draft(draft, version: version), for: caller.owner)
      return upload
    }
  }

  private func create(_ new: NewUpload, for caller: Caller) async throws(ServiceError) -> Upload {
    var upload = Upload(
      owner: caller.owner, form: new.form, claims: new.claims, created: now(),
      expires: now() + configuration.limits.uploadLifetime)
    upload.metadata = new.metadata
    if let length = new.length { try upload.setLength(length, limit: maxUploadBytes) }
    try await reserve(new.length, for: upload.id, owner: caller.owner)
    do throws(ServiceError) { try await uploads.add(upload) } catch {
      uploads.registry.unreserve(upload.id)
      throw error
    }
    report.count(.init(new.form), .created)
    return upload
  }

  /// The state of an upload, for a client that continues it: the request that sends bytes is ended, and what it sent is synced. An upload that is
  /// complete is examined before this returns.
  /// - Throws: `forbidden`, `notFound`; `gone` for an upload that was refused, deleted or has expired.
  public func resumeUpload(_ id: Upload.ID, for caller: Caller) async throws(ServiceError) -> Upload {
    try caller.require(.write)
    let known = try await uploads.upload(id, for: caller)
    guard known.state.isOpen || known.state == .finished else { throw .uploadGone }
    let hold = await uploads.registry.hold(id) {}
    let upload: Upload
    do throws(ServiceError) { upload = try await uploads.upload(id, for: caller) } catch {
      uploads.registry.release(hold)
      throw error
    }
    uploads.registry.release(hold)
    let isComplete = upload.state == .examining || upload.form == .tus && upload.offset == upload.length
    guard upload.state.isOpen, isComplete else {
      guard upload.state.isOpen || upload.state == .finished else { throw .uploadGone }
      return upload
    }
    let examined = try await examined(upload)
    if examined.refusal != nil { throw .uploadGone }
    return examined
  }

  /// What happened to an upload, without ending its request. For as long as it is remembered.
  /// - Throws: `forbidden` for a caller who may neither read nor write, `notFound`.
  public func upload(_ id: Upload.ID, for caller: Caller) async throws(ServiceError) -> Upload {
    if caller.scope.isDisjoint(with: .owner) { try caller.require(.write) }
    let upload = try await uploads.upload(id, for: caller)
    // After a crash, or a moment without workers.
    guard upload.state == .examining else { return upload }
    return try await examined(upload)
  }

  /// The protocol of an upload, which all its requests must speak. Does not wait for an examination, and ends no request.
  /// - Throws: `forbidden`, `notFound`.
  public func form(of id: Upload.ID, for caller: Caller) async throws(ServiceError) -> Upload.Form {
    try caller.require(.write)
    return try await uploads.upload(id, for: caller).form
  }

  /// Ends an upload and removes its bytes; an examination is cancelled. Of a finished one only its answer is forgotten.
  /// - Throws: `notFound`, `gone`.
  public func deleteUpload(_ id: Upload.ID, for caller: Caller) async throws(ServiceError) {
    try caller.require(.write)
    let known = try await uploads.upload(id, for: caller)
    guard known.state.isOpen || known.state == .finished else { throw .uploadGone }
    let hold = await uploads.registry.hold(id) {}
    defer { uploads.registry.release(hold) }
    await uploads.registry.endExamination(of: id)
    defer { uploads.registry.allowExamination(of: id) }
    var upload = try await uploads.upload(id, for: caller)
    // Its examination ended with a refusal, which has removed the bytes.
    if known.state == .examining, upload.state == .refused { return }
    guard upload.state.isOpen || upload.state == .finished else { throw .uploadGone }
    upload.state = .deleted
    upload.attachment = nil
    upload.expires = now() + configuration.limits.answerLifetime
    // First the bytes: on a full disk the row can only be written then.
    await uploads.removeBytes(of: id)
    try await uploads.write(upload)
    report.count(.init(upload.form), .deleted)
    await uploads.remove(id)
    await reportToDraft(of: upload)
  }
}

extension MediaService {
  /// Takes a file in with one request. Nothing of it remains if the body ends early, or if the file is refused.
  ///
  /// A draft for which it is uploaded cannot be sent before this returns.
  /// - Parameters:
  ///   - body: The bytes of the file.
  ///   - length: Their number, if the request states it; a body that ends before is not taken for the whole file.
  ///   - form: Bytes of the form of which the file is a part: so many are reserved. Default nil: the file is the whole body.
  ///   - claims: What the client states of the file.
  /// - Throws: As ``createUpload(_:for:)`` and ``append(_:to:body:interrupt:for:)``.
  public func attach<Body: AsyncSequence>(
    _ body: Body, length: Int?, form: Int? = nil, claims: Upload.Claims = Upload.Claims(), for caller: Caller
  ) async throws(ServiceError) -> IngestedAttachment
  where Body.Element: Collection, Body.Element.Element == UInt8 {
    try caller.require(.write)
    guard let draft = claims.draft else {
      return try await arriveAndIngest(body, length: length, form: form, claims: claims, for: caller)
    }
    let id = Upload.ID()
    try await draftTurns.take(draft) { () throws(ServiceError) in
      _ = try await openDraft(draft, of: caller)
      arrivals.begin(id, named: claims.name, length: length, for: draft)
    }
    await reportToDraft(draft, of: caller.owner)
    let result: Result<IngestedAttachment, ServiceError>
    do throws(ServiceError) {
      result = .success(try await arriveAndIngest(body, length: length, form: form, claims: claims, for: caller))
    } catch {
      result = .failure(error)
    }
    arrivals.end(id, for: draft)
    await reportToDraft(draft, of: caller.owner)
    return try result.get()
  }

  private func arriveAndIngest<Body: AsyncSequence>(
    _ body: Body, length: Int?, form: Int?, claims: Upload.Claims, for caller: Caller
  ) async throws(ServiceError) -> IngestedAttachment
  where Body.Element: Collection, Body.Element.Element == UInt8 {
    let work = work.begin(for: caller.owner)
    // Without a row: after a crash its bytes are removed.
    var upload = Upload(owner: caller.owner, form: .ietf, claims: claims, created: now(), expires: now())
    if let length { try upload.setLength(length, limit: maxUploadBytes) }
    // What surrounds the file in a form is at most so much; it is not counted against the owner.
    let needed = length ?? max(0, (form ?? 0) - Self.formBytes)
    _ = try await reserve(needed, upTo: max(needed, form ?? 0), for: upload.id, owner: caller.owner)
    let result: Result<IngestedAttachment, ServiceError>
    do throws(ServiceError) {
      let file = try await arrive(body, &upload, work)
      // Finished although the client has gone: its next attempt finds the file.
      result = await Task { () async -> Result<IngestedAttachment, ServiceError> in
        do throws(ServiceError) {
          var attachment: IngestedAttachment? = try await ingest(file)
          try await addToDraft(&attachment, claims: claims, owner: caller.owner)
          return attachment.map { .success($0) } ?? .failure(.notFound)
        } catch {
          return .failure(error)
        }
      }.value
    } catch {
      result = .failure(error)
    }
    await uploads.remove(upload.id)
    switch result {
    case .success: report.count(.single, .finished)
    case .failure(let error): report.count(.single, error.isFinal ? .refused : .failed)
    }
    return try result.get()
  }

  private static let formBytes = 262_144

  private func arrive<Body: AsyncSequence>(
    _ body: Body, _ upload: inout Upload, _ work: OwnerWork.Token
  ) async throws(ServiceError) -> ArrivedFile where Body.Element: Collection, Body.Element.Element == UInt8 {
    let limit = maxUploadBytes
    // Synced once, at the end: nothing is reported before.
    let syncing = PartWriter.Syncing(bytes: 64 << 20, interval: .seconds(5))
    var writer = PartWriter(
      try await uploads.part(of: upload.id), at: 0, digest: RunningDigest(), checksum: nil, syncing: syncing,
      threads: uploads.threads, buffers: uploads.buffers)
    switch try await take(
      body, into: &writer, of: &upload, until: upload.length ?? limit, counting: report.bytes(.single))
    {
    case .lost: throw .incomplete
    case .tooLong:
      throw upload.length == nil
        ? .fileTooLarge(limit: limit, actual: nil)
        : .inconsistentLength("The body is longer than its stated length.", limit: upload.length, actual: nil)
    case .ended(let end):
      guard end == upload.length ?? end else { throw .incomplete }
    }
    try await writer.sync()
    guard let digest = writer.digest.digest(of: writer.written) else {
      throw ServiceError.failed(detail: "no digest")
    }
    return ArrivedFile(
      part: writer.part, bytes: writer.written, digest: digest, claims: upload.claims, owner: upload.owner, work: work)
  }
}

extension MediaService {
  /// Takes a file in with one request. Nothing of it remains if the body ends early, or if the file is refused.
  /// - Parameters:
  ///   - body: The bytes of the file.
  ///   - length: Their number, if the request states it; a body that ends before is not taken for the whole file.
  ///   - form: Bytes of the form of which the file is a part: so many are reserved. Default nil: the file is the whole body.
  ///   - claims: What the client states of the file.
  /// - Throws: As ``createUpload(_:for:)`` and ``append(_:to:body:interrupt:for:)``.
  public func attach<Body: AsyncSequence>(
    _ body: Body, length: Int?, form: Int? = nil, claims: FileClaims = FileClaims(), for caller: Caller
  ) async throws(ServiceError) -> IngestedAttachment
  where Body.Element: Collection, Body.Element.Element == UInt8 {
    try requireWriting(caller)
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
        do throws(ServiceError) { return .success(try await ingest(file)) } catch { return .failure(error) }
      }.value
    } catch {
      result = .failure(error)
    }
    await uploads.remove(upload.id)
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
      threads: uploads.threads)
    switch try await take(body, into: &writer, of: &upload, until: upload.length ?? limit) {
    case .lost: throw .incomplete
    case .tooLong:
      throw upload.length == nil
        ? .fileTooLarge(limit: limit, actual: nil)
        : .inconsistentLength("The body is longer than stated.", limit: upload.length, actual: nil)
    case .ended(let end):
      guard end == upload.length ?? end else { throw .incomplete }
    }
    try await writer.sync()
    guard let digest = writer.digest.digest(of: writer.written) else {
      throw ServiceError(.internalError, "The service failed; its log has the reason.", detail: "no digest")
    }
    return ArrivedFile(
      part: writer.part, bytes: writer.written, digest: digest, claims: upload.claims, owner: upload.owner, work: work)
  }
}

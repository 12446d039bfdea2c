internal import MediaLibrary

extension MediaService {
  /// Takes the body of a request that continues an upload.
  ///
  /// What arrives is kept, also if the body ends early, unless the request has a checksum. The examination of a complete file outlives this call.
  /// - Parameters:
  ///   - append: What the request states.
  ///   - body: Its bytes. Ends early or fails if the connection is lost.
  ///   - interrupt: Ends `body` from another task: a newer request for the same upload has arrived.
  /// - Returns: The upload afterwards; with its attachment if it is complete.
  /// - Throws: `notFound`, `gone`, `offsetMismatch`, `lengthMismatch`, `tooLarge`, `checksumMismatch`, `incomplete` and `takenOver`; the refusal
  ///   of the file, by its first bytes or completely.
  public func append<Body: AsyncSequence>(
    _ append: Upload.Append, to id: Upload.ID, body: Body, interrupt: @escaping @Sendable () -> Void,
    for caller: Caller
  ) async throws(ServiceError) -> Upload where Body.Element: Collection, Body.Element.Element == UInt8 {
    try caller.require(.write)
    // Before the upload is taken from a request of its owner.
    _ = try await uploads.upload(id, for: caller)
    let hold = await uploads.registry.hold(id, interrupt: interrupt)
    let result: (upload: Upload, isComplete: Bool)
    do throws(ServiceError) { result = try await receive(append, body, hold, for: caller) } catch {
      uploads.registry.release(hold)
      if error.code == .takenOver { report.count(.init(append.form), .takenOver) }
      throw error
    }
    uploads.registry.release(hold)
    guard result.isComplete else { return result.upload }
    let examined = try await examined(result.upload)
    if let refusal = examined.refusal { throw refusal }
    return examined
  }

  private func receive<Body: AsyncSequence>(
    _ append: Upload.Append, _ body: Body, _ hold: UploadRegistry.Hold, for caller: Caller
  ) async throws(ServiceError) -> (Upload, isComplete: Bool)
  where Body.Element: Collection, Body.Element.Element == UInt8 {
    var upload = try await uploads.upload(hold.id, for: caller)
    let (start, hadLength) = (upload.offset, upload.length != nil)
    guard case .receives(let end) = try upload.begin(append, limit: maxUploadBytes) else {
      if let refusal = upload.refusal { throw refusal }
      return (upload, true)
    }
    if !hadLength, let size = upload.length ?? append.bytes.map({ start + $0 }) {
      try await reserve(size, for: upload.id, owner: caller.owner)
    }
    var writer = PartWriter(
      try await uploads.part(of: upload.id, cutTo: start), at: start, digest: uploads.registry.takeDigest(upload.id),
      checksum: append.checksum, syncing: uploads.syncing, threads: uploads.threads, buffers: uploads.buffers)
    let before = writer.digest
    let arrival: Arrival
    do throws(ServiceError) {
      // A piece with a checksum is recorded when the checksum is right.
      var record: ((Upload) async throws(ServiceError) -> Void)?
      if append.checksum == nil {
        record = { (upload) async throws(ServiceError) in try await self.uploads.record(upload) }
      }
      arrival = try await take(
        body, into: &writer, of: &upload, until: end, counting: report.bytes(.init(append.form)), record: record)
      try await writer.write()
      if let checksum = writer.checksum {
        let isWhole = arrival == .ended(append.bytes.map { start + $0 } ?? writer.total)
        guard isWhole, checksum.matches else {
          try await writer.discard(to: start)
          uploads.registry.keep(before, of: upload.id)
          throw isWhole ? ServiceError.wrongPiece(offset: start) : .incomplete
        }
      }
      try await writer.sync()
    } catch {
      if error.verdict != nil { try await refuse(&upload, error) }
      throw error
    }
    upload.offset = writer.synced
    upload.expires = now() + configuration.limits.uploadLifetime
    uploads.registry.keep(writer.digest, of: upload.id)
    let isWhole = arrival == .ended(append.bytes.map { start + $0 } ?? writer.total)
    return try await conclude(append, &upload, arrival, isWhole, hold)
  }

  /// Records what arrived, and decides whether the upload is complete.
  private func conclude(
    _ append: Upload.Append, _ upload: inout Upload, _ arrival: Arrival, _ isWhole: Bool, _ hold: UploadRegistry.Hold
  ) async throws(ServiceError) -> (Upload, isComplete: Bool) {
    if case .tooLong = arrival {
      // The client lied about the length, or does not know its file.
      let error = ServiceError.inconsistentLength(
        "The file has more bytes than were stated; begin a new upload with its length.",
        limit: upload.length, actual: nil)
      try await refuse(&upload, upload.length == nil ? .fileTooLarge(limit: maxUploadBytes, actual: nil) : error)
      throw upload.refusal ?? error
    }
    let isTakenOver = uploads.registry.isTakenOver(hold)
    let isComplete: Bool
    do throws(ServiceError) { isComplete = try upload.end(append, isWhole: isWhole && !isTakenOver) } catch {
      try await uploads.record(upload)
      throw error
    }
    if isComplete {
      upload.state = .examining
      try await uploads.write(upload)
      return (upload, true)
    }
    try await uploads.record(upload)
    if isTakenOver { throw .takenOver }
    guard isWhole else { throw .incomplete }
    return (upload, false)
  }

  /// Ends an upload that cannot become an attachment.
  func refuse(_ upload: inout Upload, _ error: ServiceError) async throws(ServiceError) {
    (upload.state, upload.refusal) = (.refused, error)
    upload.expires = now() + configuration.limits.answerLifetime
    // First the bytes: on a full disk the row can only be written then.
    await uploads.removeBytes(of: upload.id)
    try await uploads.write(upload)
    report.count(.init(upload.form), .refused)
    await uploads.remove(upload.id)
    await reportToDraft(of: upload)
  }
}

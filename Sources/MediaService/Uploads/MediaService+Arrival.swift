internal import Logging
internal import MediaLibrary
internal import Metrics

extension MediaService {
  /// How the body of a request ended.
  enum Arrival: Hashable {
    /// With its end, at an offset of the file.
    case ended(Int)
    /// The connection was lost, or a newer request ended it.
    case lost
    /// It had more bytes than it may.
    case tooLong

    var isLost: Bool { self == .lost }
  }

  /// Reads a body to its end, writes it, syncs and records what arrived now and then, and evaluates the file once its first bytes are there.
  /// - Parameters:
  ///   - end: The offset at which the body must end at the latest.
  ///   - bytes: Counts what arrives.
  ///   - record: Records the number of bytes that are synced. Default nil: nothing is recorded before the end.
  /// - Throws: The refusal of the file; `quotaExceeded` for a file of unknown length; errors of the disk. The upload is not changed then.
  func take<Body: AsyncSequence>(
    _ body: Body, into writer: inout PartWriter, of upload: inout Upload, until end: Int, counting bytes: Counter,
    record: ((Upload) async throws(ServiceError) -> Void)? = nil
  ) async throws(ServiceError) -> Arrival where Body.Element: Collection, Body.Element.Element == UInt8 {
    // Evaluated when its first bytes arrived, by this request or an earlier one; small files when they are complete.
    var isScreened = writer.total >= FileExamination.firstBytes || upload.length ?? .max <= FileExamination.firstBytes
    var reserved = uploads.registry.reserved(for: upload.id)
    var iterator = body.makeAsyncIterator()
    while true {
      let piece: Body.Element?
      do { piece = try await iterator.next(isolation: #isolation) } catch { return .lost }
      guard let piece else { return .ended(writer.total) }
      guard piece.count <= end - writer.total else { return .tooLong }
      try await reserveMore(writer.total + piece.count, &reserved, written: writer.written, for: upload)
      writer.take(piece)
      bytes.increment(by: piece.count)
      if !isScreened, writer.total >= FileExamination.firstBytes {
        isScreened = true
        try await writer.write()
        try await FileExamination(engine: engine, rules: configuration.rules).screen(
          first: writer.part.source, length: upload.length, claims: upload.claims, owner: upload.owner)
      }
      if writer.isFull { try await writer.write() }
      if writer.needsCheck {
        try await requireRoom()
        guard let record else {
          writer.noteCheck()
          continue
        }
        try await writer.sync()
        upload.offset = writer.synced
        do throws(ServiceError) { try await record(upload) } catch {
          // Recorded the next time: an offset may be behind the disk.
          if error.code != .busy { throw error }
        }
      }
    }
  }

  /// Examines an upload whose bytes are complete, unless that is done or being done.
  /// - Throws: What may succeed later, such as `busy`; a refusal is in the upload.
  func examined(_ upload: Upload) async throws(ServiceError) -> Upload {
    if upload.state == .finished || upload.state == .refused { return upload }
    let examination = uploads.registry.examination(of: upload.id) { [self] in await examine(upload) }
    guard let result = await examination?.value else { throw .uploadGone }
    // Still open: it could not be examined now.
    if result.state.isOpen {
      throw result.refusal ?? ServiceError(.busy, "The file cannot be examined now; try again later.", retryAfter: 1)
    }
    return result
  }

  private func examine(_ asked: Upload) async -> Upload {
    // Before the row is read: an erasure of the owner removes the row before it ends such work.
    let work = work.begin(for: asked.owner)
    var upload = asked
    do throws(ServiceError) {
      // Another examination may have ended since the row was read.
      upload = try await uploads.upload(asked.id, for: Caller(owner: asked.owner))
      guard upload.state.isOpen, let length = upload.length ?? (upload.form == .ietf ? upload.offset : nil),
        upload.offset == length
      else { return upload }
      let file = try await arrivedFile(upload, length, work)
      do throws(ServiceError) {
        upload.attachment = try await ingest(file)
        try await addToDraft(&upload.attachment, claims: upload.claims, owner: upload.owner)
        upload.state = .finished
      } catch {
        guard error.isFinal else { throw error }
        (upload.state, upload.refusal) = (.refused, error)
      }
      upload.expires = now() + configuration.limits.answerLifetime
      try await uploads.conclude(upload)
      report.count(.init(upload.form), upload.state == .finished ? .finished : .refused)
      await uploads.remove(upload.id)
      await reportToDraft(of: upload)
    } catch {
      // Not written: the next request examines it again.
      upload = asked
      upload.refusal = error
      let level: Logger.Level = Task.isCancelled || error.code == .notFound ? .debug : .error
      logger.log(
        level: level, "an upload cannot be examined", metadata: ["upload": "\(asked.id)", "error": "\(error)"])
    }
    return upload
  }

  private func arrivedFile(
    _ upload: Upload, _ length: Int, _ work: OwnerWork.Token
  ) async throws(ServiceError) -> ArrivedFile {
    let part = try await uploads.part(of: upload.id)
    let running = uploads.registry.takeDigest(upload.id)
    let digest = try await uploads.threads.uncancelled { () throws(ServiceError) -> ContentDigest? in
      guard try part.size() == length else { return nil }
      var whole = running.covered <= length ? running : RunningDigest()
      try part.extend(&whole, to: length)
      return whole.digest(of: length)
    }
    guard let digest else {
      throw ServiceError(
        .internalError, "The stored bytes of the upload are damaged; upload the file again.", detail: "\(part.path)")
    }
    return ArrivedFile(
      part: part, bytes: length, digest: digest, claims: upload.claims, owner: upload.owner, work: work)
  }
}

extension ServiceError {
  /// Whether the same bytes would be refused again.
  var isFinal: Bool {
    verdict != nil || code == .checksumMismatch
  }
}

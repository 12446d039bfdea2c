internal import GRDB
internal import Logging
internal import MediaLibrary

extension MediaService {
  /// Ends uploads that were not continued in time, forgets old answers, and examines files that a crash left unexamined. Call it once a minute;
  /// ``run()`` does. What cannot be done now keeps nothing else from being done.
  /// - Throws: The first error.
  public func sweepUploads() async throws(ServiceError) {
    let now = now()
    var failure: ServiceError?
    do throws(ServiceError) { try await boundLifetimes(at: now) } catch { failure = error }
    // In small steps, so that no request waits for long. One that cannot be ended keeps its place, and those behind it have their turn.
    var position: UploadRows.Position? = UploadRows.Position()
    while let start = position {
      let page = try await ServiceError.mapping {
        try await database.read { try UploadRows.expired(at: now, after: start, limit: 100, $0) }
      }
      position = page.next
      for upload in page.uploads where !uploads.registry.isHeld(upload.id) {
        do throws(ServiceError) { try await end(upload, at: now) } catch {
          failure = failure ?? error
          logger.error("an upload cannot be ended", metadata: ["upload": "\(upload.id)", "error": "\(error)"])
        }
      }
    }
    let oldest = now - configuration.limits.answerLifetime
    do throws(ServiceError) {
      try await ServiceError.mapping {
        try await database.write { db in
          try db.execute(sql: "DELETE FROM idempotency WHERE created < ?", arguments: [oldest])
        }
      }
    } catch { failure = failure ?? error }
    let left = try await ServiceError.mapping { try await database.read { try UploadRows.open($0) } }
    for upload in left where upload.state == .examining { _ = try? await examined(upload) }
    if let failure { throw failure }
  }

  /// Ends an open upload, or forgets an ended one.
  /// - Parameter time: The time for which the upload was found to be over. The clock may have been set back since.
  private func end(_ known: Upload, at time: Int) async throws(ServiceError) {
    let hold = await uploads.registry.hold(known.id) {}
    defer { uploads.registry.release(hold) }
    await uploads.registry.endExamination(of: known.id)
    defer { uploads.registry.allowExamination(of: known.id) }
    // It may have been continued since the row was read.
    guard var upload = try? await uploads.upload(known.id, for: Caller(owner: known.owner)), upload.expires <= time
    else { return }
    // First the bytes: on a full disk the row can only be written then.
    await uploads.removeBytes(of: upload.id)
    if upload.state.isOpen, upload.expires > 0 {
      upload.state = .expired
      upload.expires = max(now(), time) + configuration.limits.answerLifetime
      try await uploads.write(upload)
      report.count(.init(upload.form), .expired)
      await reportToDraft(of: upload)
    } else {
      let id = upload.id
      try await ServiceError.mapping { try await database.write { try UploadRows.remove(id, $0) } }
    }
    uploads.registry.unreserve(upload.id)
  }

  /// Removes the answers that would be repeated about an attachment: they have its facts.
  /// - Returns: The numbers of uploads, and of answers for idempotency keys.
  static func removeAnswers(about file: FileID, _ db: Database) throws -> (uploads: Int, answers: Int) {
    func remove(from table: String) throws -> Int {
      try db.execute(sql: "DELETE FROM \(table) WHERE attachment = ?", arguments: [file.rawValue])
      return db.changesCount
    }
    return (try remove(from: "upload"), try remove(from: "idempotency"))
  }

  /// Erases an owner's uploads with their bytes and answers; requests that send bytes are ended.
  /// - Returns: Number of uploads, also of files that came in one request.
  @discardableResult
  func eraseUploads(of owner: String) async throws(ServiceError) -> Int {
    let ids = try await ServiceError.mapping { try await database.read { try UploadRows.ids(of: owner, $0) } }
    for id in ids {
      let hold = await uploads.registry.hold(id) {}
      defer { uploads.registry.release(hold) }
      await uploads.registry.endExamination(of: id)
      defer { uploads.registry.allowExamination(of: id) }
      try await ServiceError.mapping { try await database.write { try UploadRows.remove(id, $0) } }
      await uploads.remove(id)
    }
    // Whoever has read a row by now was running before; whoever has not finds none.
    work.end(of: owner)
    // Files that come in one request have no row.
    let arriving = uploads.registry.ids(of: owner)
    for id in arriving { await uploads.removeBytes(of: id) }
    return Set(ids).union(arriving).count
  }
}

internal import GRDB
internal import MediaLibrary

extension MediaService {
  /// Ends uploads that were not continued in time, forgets old answers, and examines files that a crash left unexamined. Call it once a minute;
  /// ``run()`` does.
  public func sweepUploads() async throws(ServiceError) {
    let now = now()
    // In small steps, so that no request waits for long.
    while true {
      let rows = try await ServiceError.mapping {
        try await database.read { try UploadRows.expired(at: now, limit: 100, $0) }
      }
      var removed = 0
      for upload in rows where !uploads.registry.isHeld(upload.id) {
        try await end(upload)
        removed += 1
      }
      if removed == 0 { break }
    }
    let oldest = now - configuration.limits.answerLifetime
    try await ServiceError.mapping {
      try await database.write { db in
        try db.execute(sql: "DELETE FROM idempotency WHERE created < ?", arguments: [oldest])
      }
    }
    let left = try await ServiceError.mapping { try await database.read { try UploadRows.open($0) } }
    for upload in left where upload.state == .examining { _ = try? await examined(upload) }
  }

  /// Ends an open upload, or forgets an ended one.
  private func end(_ known: Upload) async throws(ServiceError) {
    let hold = await uploads.registry.hold(known.id) {}
    defer { uploads.registry.release(hold) }
    // It may have been continued since the row was read.
    guard var upload = try? await uploads.upload(known.id, for: Caller(owner: known.owner)), upload.expires <= now()
    else { return }
    if upload.state.isOpen, upload.expires > 0 {
      upload.state = .expired
      upload.expires = now() + configuration.limits.answerLifetime
      try await uploads.write(upload)
    } else {
      let id = upload.id
      try await ServiceError.mapping { try await database.write { try UploadRows.remove(id, $0) } }
    }
    await uploads.remove(upload.id)
  }

  /// Removes the answers that would be repeated about an attachment: they have its facts.
  static func removeAnswers(about file: FileID, _ db: Database) throws {
    for table in ["upload", "idempotency"] {
      try db.execute(sql: "DELETE FROM \(table) WHERE attachment = ?", arguments: [file.rawValue])
    }
  }

  /// Erases an owner's uploads with their bytes and answers; requests that send bytes are ended.
  func eraseUploads(of owner: String) async throws(ServiceError) {
    let ids = try await ServiceError.mapping { try await database.read { try UploadRows.ids(of: owner, $0) } }
    for id in ids {
      let hold = await uploads.registry.hold(id) {}
      defer { uploads.registry.release(hold) }
      try await ServiceError.mapping { try await database.write { try UploadRows.remove(id, $0) } }
      await uploads.remove(id)
    }
  }
}

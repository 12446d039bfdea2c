internal import AttachmentPolicy
internal import GRDB
internal import MediaLibrary

extension MediaService {
  /// Removes drafts that nobody has changed for ``Limits/draftLifetime`` (R-MYM-9), and the answers of those that were sent
  /// ``Limits/answerLifetime`` ago. In small steps, so that requests are not kept waiting.
  func sweepDrafts() async throws(ServiceError) {
    let (old, sent) = (now() - configuration.limits.draftLifetime, now() - configuration.limits.answerLifetime)
    while true {
      let ids = try await ServiceError.mapping {
        try await database.read { db in
          try String.fetchAll(
            db,
            sql: """
              SELECT id FROM draft INDEXED BY draft_changed
              WHERE changed < max(?, ?) AND changed < CASE WHEN committed IS NULL THEN ? ELSE ? END LIMIT 100
              """, arguments: [old, sent, old, sent])
        }
      }
      if ids.isEmpty { return }
      for id in ids {
        try await draftTurns.take(id) { () throws(ServiceError) in
          let record = try await ServiceError.mapping { try await database.read { try DraftRecord.fetch(id, $0) } }
          // It may have been changed since it was listed.
          guard let record, record.changed < (record.committed == nil ? old : sent) else { return }
          try await remove(record)
        }
      }
    }
  }

  /// Takes a file that is about to be erased out of the owner's drafts, each of which reports it with its new version (R-TRAY-22).
  func dropFromDrafts(_ file: FileID, of owner: String) async throws(ServiceError) {
    let rules = configuration.rules
    let ids = try await ServiceError.mapping {
      try await database.read { db in
        try String.fetchAll(
          db, sql: "SELECT id FROM draft INDEXED BY draft_owner WHERE owner = ? AND committed IS NULL",
          arguments: [owner])
      }
    }
    for id in ids {
      do {
        _ = try await edit(id, of: Caller(owner: owner), version: nil) { draft in
          draft.remove(asset: file.asset, under: rules)
        }
      } catch  where [.notFound, .gone].contains(error.code) {
        // It was discarded or sent meanwhile.
        continue
      }
    }
  }

  /// Erases all drafts of an owner, what is known of those that were sent, and the choice of its profile's image (R-MYM-24).
  func eraseDrafts(of owner: String) async throws(ServiceError) {
    try await removeAvatar(of: Caller(owner: owner))
    while true {
      let records = try await ServiceError.mapping {
        try await database.read { db in
          try String.fetchAll(db, sql: "SELECT id FROM draft WHERE owner = ? LIMIT 100", arguments: [owner])
            .compactMap { try DraftRecord.fetch($0, db) }
        }
      }
      if records.isEmpty { return }
      for record in records {
        try await draftTurns.take(record.id) { () throws(ServiceError) in try await remove(record) }
      }
    }
  }
}

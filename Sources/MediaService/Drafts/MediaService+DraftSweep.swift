internal import AttachmentPolicy
internal import GRDB
internal import Logging
internal import MediaEngine
internal import MediaLibrary

extension MediaService {
  /// Removes drafts that nobody has changed for ``Limits/draftLifetime`` (R-MYM-9), and the answers of those that were sent
  /// ``Limits/answerLifetime`` ago. In small steps, so that requests are not kept waiting. One that cannot be removed is logged, and keeps no other one.
  func sweepDrafts() async throws(ServiceError) {
    let (old, sent) = (now() - configuration.limits.draftLifetime, now() - configuration.limits.answerLifetime)
    var position = (changed: Int.min, id: "")
    while true {
      let start = position
      let page = try await ServiceError.mapping {
        try await database.read { db in
          try Row.fetchAll(
            db,
            sql: """
              SELECT changed, id FROM draft INDEXED BY draft_changed
              WHERE changed >= ? AND (changed, id) > (?, ?) AND changed < max(?, ?)
                AND changed < CASE WHEN committed IS NULL THEN ? ELSE ? END
              ORDER BY changed, id LIMIT 100
              """, arguments: [start.changed, start.changed, start.id, old, sent, old, sent]
          ).map { (changed: $0[0] as Int, id: $0[1] as String) }
        }
      }
      guard let last = page.last else { return }
      position = last
      for (_, id) in page {
        do throws(ServiceError) {
          try await draftTurns.take(id) { () throws(ServiceError) in
            let record = try await ServiceError.mapping { try await database.read { try DraftRecord.fetch(id, $0) } }
            // It may have been changed since it was listed.
            guard let record, record.changed < (record.committed == nil ? old : sent) else { return }
            try await remove(record)
          }
        } catch {
          logger.error("a draft cannot be removed", metadata: ["draft": "\(id)", "error": "\(error)"])
        }
      }
    }
  }

  /// Takes a file that is about to be erased out of the owner's drafts, each of which reports it with its new version (R-TRAY-22). A draft that
  /// cannot be read is skipped: the erasure reports it.
  /// - Returns: The number of attachments that were removed.
  func dropFromDrafts(_ file: FileID, of owner: String) async throws(ServiceError) -> Int {
    let (rules, count) = (configuration.rules, Locked(0))
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
          let before = draft.items.count
          let events = draft.remove(asset: file.asset, under: rules)
          let removed = before - draft.items.count
          count.withLock { $0 += removed }
          return events
        }
      } catch  where [.notFound, .gone].contains(error.code) {
        // It was discarded or sent meanwhile.
        continue
      } catch {
        logger.error("a draft cannot be changed", metadata: ["draft": "\(id)", "error": "\(error)"])
      }
    }
    return count.withLock { $0 }
  }

  /// Erases all drafts of an owner, and what is known of those that were sent (R-MYM-24).
  /// - Returns: How many were open and how many sent, and names of those that could not be removed.
  @discardableResult
  func eraseDrafts(of owner: String) async throws(ServiceError) -> (open: Int, sent: Int, left: [String]) {
    let records = try await ServiceError.mapping {
      try await database.read { db in
        try String.fetchAll(db, sql: "SELECT id FROM draft WHERE owner = ?", arguments: [owner])
          .compactMap { try DraftRecord.fetch($0, db) }
      }
    }
    var left: [String] = []
    for record in records {
      do throws(ServiceError) {
        try await draftTurns.take(record.id) { () throws(ServiceError) in try await remove(record) }
      } catch {
        logger.error("a draft cannot be removed", metadata: ["draft": "\(record.id)", "error": "\(error)"])
        left.append("draft \(record.id)")
      }
    }
    let sent = records.count { $0.committed != nil }
    return (records.count - sent, sent, left)
  }
}

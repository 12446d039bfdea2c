internal import AttachmentPolicy
internal import Foundation
internal import GRDB
internal import Logging
public import MediaLibrary

/// The location-sharing setting of an owner (R-MYM-27).
extension MediaService {
  /// Who sees the locations of what an owner has.
  public struct LocationSettings: Encodable, Sendable {
    /// The location-sharing setting.
    public var sharing: Moment.LocationSharing
    /// What may still have locations that were to be erased, by class: `draft`, or `catalogue` for a snapshot or a catalogue that was set aside. Default nil:
    /// nothing.
    public var unreached: [String: Int]?
  }

  /// The location-sharing setting of the caller.
  public func locationSettings(for caller: Caller) async throws(ServiceError) -> LocationSettings {
    try caller.require(.read)
    let owner = caller.owner
    return try await ServiceError.mapping {
      LocationSettings(sharing: try await library.readMoments { try $0.locationSharing(of: owner) })
    }
  }

  /// Sets who sees the locations of what the caller adds from now on.
  ///
  /// With `Moment.LocationSharing.none`, originals are delivered without metadata, and earlier signed URLs end.
  /// - Parameter appliesToExisting: Whether also for what is there. With `Moment.LocationSharing.none`, the locations of moments, files, drafts and answers that
  ///   are kept are erased; the databases are rewritten within an hour (``sweepErasures()``).
  public func setLocationSharing(
    _ sharing: Moment.LocationSharing, appliesToExisting: Bool = false, for caller: Caller
  ) async throws(ServiceError) -> LocationSettings {
    try caller.require([.read, .write])
    let work = work.begin(for: caller.owner)
    let (owner, library, database) = (caller.owner, library.library, database)
    let erases = sharing == Moment.LocationSharing.none && appliesToExisting
    var left = try await ServiceError.mapping {
      try await self.library.writing.run {
        // An owner that was erased meanwhile does not come back.
        try work.requireRunning()
        let left = try library.moments.setLocationSharing(
          sharing, of: owner, applyingToExisting: appliesToExisting, wiping: false)
        guard sharing == Moment.LocationSharing.none else { return left }
        try database.writeBlocking { db in
          try db.execute(
            sql: "UPDATE attachment SET generation = generation + 1 WHERE owner = ? AND NOT erased", arguments: [owner])
          guard erases else { return }
          try Self.removeAnswersWithFacts(of: owner, db)
          try UploadRows.removeLocations(of: owner, db)
          // Cells of removed rows may still be readable in the file: the next sweep rewrites it.
          try ErasureCount.begin(db)
          try ErasureCount.end(1, db)
        }
        return left
      }
    }
    guard erases else { return LocationSettings(sharing: sharing) }
    left += try await removeLocations(fromDraftsOf: owner)
    // After the drafts: one that was sent meanwhile is among these.
    try await ServiceError.mapping {
      try await database.write { db in
        try Self.removeLocations(fromSent: owner, db)
        try ErasureCount.begin(db)
        try ErasureCount.end(1, db)
      }
    }
    return LocationSettings(sharing: sharing, unreached: left.isEmpty ? nil : unreached(left))
  }

  /// Removes the answers of an owner that are kept for idempotency keys and have facts of files. Those that have an address alone stay: without its key, a
  /// repeated request would create once more what it names.
  private static func removeAnswersWithFacts(of owner: String, _ db: Database) throws {
    let rows = try Row.fetchAll(
      db, sql: "SELECT key, CAST(answer AS BLOB) FROM idempotency WHERE owner = ?", arguments: [owner])
    for row in rows {
      let (key, stored): (String, Data?) = (row[0], row[1])
      let answer = stored.flatMap { try? JSONDecoder().decode(RepeatableAnswer.self, from: $0) }
      if let answer, answer.attachment == nil, answer.body.isEmpty { continue }
      try db.execute(sql: "DELETE FROM idempotency WHERE owner = ? AND key = ?", arguments: [owner, key])
    }
  }

  /// Removes locations from the facts in an owner's drafts. A draft that cannot be read is logged, and keeps no other one.
  /// - Returns: The names of those that cannot be read.
  private func removeLocations(fromDraftsOf owner: String) async throws(ServiceError) -> [String] {
    var left: [String] = []
    let ids = try await ServiceError.mapping {
      try await database.read { db in
        try String.fetchAll(
          db, sql: "SELECT id FROM draft INDEXED BY draft_owner WHERE owner = ? AND committed IS NULL",
          arguments: [owner])
      }
    }
    for id in ids {
      do {
        _ = try await edit(id, of: Caller(owner: owner), version: nil) { (draft) throws(ServiceError) in
          draft = try Self.withoutLocations(draft)
          return []
        }
      } catch  where [.notFound, .gone].contains(error.code) {
        // It was discarded or sent meanwhile.
        continue
      } catch {
        logger.error("a draft cannot be changed", metadata: ["draft": "\(id)", "error": "\(error)"])
        left.append("draft \(id)")
      }
    }
    return left
  }

  /// A draft whose attachments state no location. Facts are constant parts of a draft, so they are changed in its JSON.
  static func withoutLocations(_ draft: AttachmentDraft) throws(ServiceError) -> AttachmentDraft {
    func stripped(_ value: Any) -> Any {
      if let list = value as? [Any] { return list.map(stripped) }
      guard var object = value as? [String: Any] else { return value }
      if var info = object["info"] as? [String: Any] {
        for key in ["latitude", "longitude", "altitude"] { info[key] = nil }
        object["info"] = info
      }
      return object.mapValues(stripped)
    }
    do {
      let json = try JSONSerialization.jsonObject(with: try JSONEncoder().encode(draft))
      let data = try JSONSerialization.data(withJSONObject: stripped(json))
      return try JSONDecoder().decode(AttachmentDraft.self, from: data)
    } catch {
      throw ServiceError(mapping: error)
    }
  }
}

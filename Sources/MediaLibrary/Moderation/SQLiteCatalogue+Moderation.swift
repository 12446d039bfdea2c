internal import GRDB

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The statements of blocks, flags and the audit trail. The end of each transaction sets the states of the files (``ModerationChanges``).
extension SQLiteCatalogue {
  /// A decision about one file; the numbers in the catalogue never change.
  enum FileFlag: Int64, NumberedCase {
    case quarantined = 1
    case protected = 2

    var number: Int64 { rawValue }

    /// What the audit trail calls its beginning and its end.
    var actions: (set: Moderation.AuditEntry.Action, removed: Moderation.AuditEntry.Action) {
      switch self {
      case .quarantined: (.quarantine, .release)
      case .protected: (.protect, .unprotect)
      }
    }
  }

  // MARK: Contents

  func block(_ content: ContentDigest, _ decision: Moderation.Decision) throws(LibraryError) -> [FileID] {
    try write { db in try Self.block(content, decision, db) }
  }

  static func block(_ content: ContentDigest, _ decision: Moderation.Decision, _ db: Database) throws -> [FileID] {
    try db.execute(
      sql: """
        INSERT INTO blocked (digest, reason, actor, time) VALUES (?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET reason = excluded.reason, actor = excluded.actor, time = excluded.time
        """, arguments: [Data(content.bytes), decision.reason, decision.actor, decision.time])
    try endAcceptance(of: content, db)
    try note(.block, decision, content: content, db)
    return try files(of: content, db)
  }

  func unblock(_ content: ContentDigest, _ decision: Moderation.Decision) throws(LibraryError) -> [FileID] {
    try write { db in try Self.unblock(content, decision, db) }
  }

  static func unblock(_ content: ContentDigest, _ decision: Moderation.Decision, _ db: Database) throws -> [FileID] {
    try db.execute(sql: "DELETE FROM blocked WHERE digest = ?", arguments: [Data(content.bytes)])
    guard db.changesCount > 0 else { return [] }
    try note(.unblock, decision, content: content, db)
    try setChanged(momentsOf: content, at: decision.time, db)
    return try files(of: content, db)
  }

  func block(of content: ContentDigest) throws(LibraryError) -> Moderation.Decision? {
    try read { db in try Self.block(of: content, db) }
  }

  static func block(of content: ContentDigest, _ db: Database) throws -> Moderation.Decision? {
    let statement = try db.cachedStatement(sql: "SELECT reason, actor, time FROM blocked WHERE digest = ?")
    return try Row.fetchOne(statement, arguments: [Data(content.bytes)]).map {
      try ModerationRows.decision($0, from: 0)
    }
  }

  func files(of content: ContentDigest) throws(LibraryError) -> [FileID] {
    try read { db in try Self.files(of: content, db) }
  }

  static func files(of content: ContentDigest, _ db: Database) throws -> [FileID] {
    let statement = try db.cachedStatement(
      sql: """
        SELECT file.id FROM content CROSS JOIN file INDEXED BY file_content
        ON file.content IS NOT NULL AND file.content = content.id WHERE content.digest = ? ORDER BY file.id
        """)
    return try Int64.fetchAll(statement, arguments: [Data(content.bytes)]).map(FileID.init(rawValue:))
  }

  // MARK: Files

  func setFlag(_ flag: FileFlag, of files: [FileID], _ decision: Moderation.Decision) throws(LibraryError) {
    try write { db in for file in files { try Self.setFlag(flag, of: file, decision, db) } }
  }

  static func setFlag(_ flag: FileFlag, of file: FileID, _ decision: Moderation.Decision, _ db: Database) throws {
    try checkExists(file, db)
    let statement = try db.cachedStatement(
      sql: """
        INSERT INTO file_flag (file, flag, reason, actor, time) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET reason = excluded.reason, actor = excluded.actor, time = excluded.time
        """)
    try statement.execute(arguments: [
      file.rawValue, flag.rawValue, decision.reason, decision.actor, decision.time,
    ])
    try note(flag.actions.set, decision, file: file, db)
  }

  func removeFlag(_ flag: FileFlag, of files: [FileID], _ decision: Moderation.Decision) throws(LibraryError) {
    try write { db in
      for file in files {
        try Self.checkExists(file, db)
        _ = try Self.removeFlag(flag, of: file, decision, db)
      }
    }
  }

  private static func removeFlag(
    _ flag: FileFlag, of file: FileID, _ decision: Moderation.Decision, _ db: Database
  ) throws -> Bool {
    try db.cachedStatement(sql: "DELETE FROM file_flag WHERE file = ? AND flag = ?")
      .execute(arguments: [file.rawValue, flag.rawValue])
    guard db.changesCount > 0 else { return false }
    try note(flag.actions.removed, decision, file: file, db)
    return true
  }

  func release(_ files: [FileID], _ decision: Moderation.Decision) throws(LibraryError) {
    try write { db in for file in files { try Self.release(file, decision, db) } }
  }

  static func release(_ file: FileID, _ decision: Moderation.Decision, _ db: Database) throws {
    guard let standing = try standing(of: file, db) else { throw unknownFile(file) }
    if let block = standing.block {
      throw LibraryError(
        .invalidRequest, "The content of the file is blocked; unblock the content to show the file.",
        detail: "file \(file.rawValue): \(block.reason)")
    }
    if standing.verdict?.state == .infected {
      throw LibraryError(
        .invalidRequest,
        "A scanner found malware in the file; scan it again when there are newer signatures, or erase it.",
        detail: "file \(file.rawValue): \(standing.verdict?.detail ?? "")")
    }
    if try removeFlag(.quarantined, of: file, decision, db) { try setChanged(momentsOf: file, at: decision.time, db) }
    _ = try dismissReports(about: file, decision, db)
  }

  func isReleased(_ file: FileID) throws(LibraryError) -> Bool { try read { db in try Self.isReleased(file, db) } }

  static func isReleased(_ file: FileID, _ db: Database) throws -> Bool {
    let last = try db.cachedStatement(
      sql: """
        SELECT action FROM audit WHERE file IS NOT NULL AND file = ? AND action IN ('quarantine', 'release')
        ORDER BY id DESC LIMIT 1
        """)
    return try String.fetchOne(last, arguments: [file.rawValue]) == Moderation.AuditEntry.Action.release.rawValue
  }

  func standing(of file: FileID) throws(LibraryError) -> Moderation.Standing? {
    try read { db in try Self.standing(of: file, db) }
  }

  static func standing(of file: FileID, _ db: Database) throws -> Moderation.Standing? {
    let known = try db.cachedStatement(
      sql: "SELECT content.digest FROM file LEFT JOIN content ON content.id = file.content WHERE file.id = ?")
    guard let row = try Row.fetchOne(known, arguments: [file.rawValue]) else { return nil }
    let content = try FileRows.data(row, 0).flatMap { ContentDigest(bytes: $0) }
    let flags = try db.cachedStatement(
      sql: "SELECT reason, actor, time FROM file_flag WHERE file = ? AND flag = ?")
    func flag(_ flag: FileFlag) throws -> Moderation.Decision? {
      try Row.fetchOne(flags, arguments: [file.rawValue, flag.rawValue])
        .map { try ModerationRows.decision($0, from: 0) }
    }
    let reports = try db.cachedStatement(sql: "SELECT count(*) FROM report WHERE file = ?")
    let verdict = try content.flatMap { try Self.verdict(of: $0, db) }
    return Moderation.Standing(
      quarantine: try flag(.quarantined), protection: try flag(.protected), content: content,
      block: try content.flatMap { try block(of: $0, db) }, verdict: verdict,
      acceptance: try acceptance(by: verdict, db),
      reports: try Int.fetchOne(reports, arguments: [file.rawValue]) ?? 0)
  }

  static func checkExists(_ file: FileID, _ db: Database) throws {
    let statement = try db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM file WHERE id = ?)")
    guard try Bool.fetchOne(statement, arguments: [file.rawValue]) == true else { throw unknownFile(file) }
  }

  // MARK: Audit trail

  static func note(
    _ action: Moderation.AuditEntry.Action, _ decision: Moderation.Decision, content: ContentDigest? = nil,
    file: FileID? = nil, image: Moderation.ImageHash? = nil, moment: Moment.ID? = nil, trip: Trip.ID? = nil,
    _ db: Database
  ) throws {
    try db.cachedStatement(
      sql: """
        INSERT INTO audit (time, actor, action, digest, file, reason, image, moment, trip)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      decision.time, decision.actor, action.rawValue, content.map { Data($0.bytes) }, file?.rawValue,
      decision.reason.isEmpty ? nil : decision.reason, image.map { Int64(bitPattern: $0.bits) }, moment?.rawValue,
      trip?.rawValue,
    ])
  }
}

internal import GRDB

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The statements of scanners' verdicts and of readers' reports.
extension SQLiteCatalogue {
  // MARK: Verdicts

  func verdict(of content: ContentDigest) throws(LibraryError) -> Moderation.Verdict? {
    try read { db in try Self.verdict(of: content, db) }
  }

  static func verdict(of content: ContentDigest, _ db: Database) throws -> Moderation.Verdict? {
    let statement = try db.cachedStatement(
      sql: "SELECT \(ModerationRows.verdictColumns) FROM verdict WHERE digest = ?")
    return try Row.fetchOne(statement, arguments: [Data(content.bytes)]).map {
      try ModerationRows.verdict($0, of: content)
    }
  }

  /// - Parameter now: The time of the change of moments that the verdict shows.
  func record(_ verdict: Moderation.Verdict, at now: Int) throws(LibraryError) -> Bool {
    try write { db in
      let data = Data(verdict.content.bytes)
      let exists = try db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM content WHERE digest = ?)")
      guard try Bool.fetchOne(exists, arguments: [data]) == true else { return false }
      // A damaged verdict is replaced.
      let last = try? Self.verdict(of: verdict.content, db)
      var next = verdict.following(last)
      next.isAccepted = last?.isAccepted == true && next.state != .infected
      try db.cachedStatement(sql: Self.putVerdict).execute(arguments: [
        data, next.state.number, next.detail, next.engine, next.signatures, next.time, next.due, next.attempts,
        next.isAccepted,
      ])
      let decision = Moderation.Decision(reason: next.detail ?? "", actor: Moderation.scanner, time: next.time)
      if next.state == .infected, last?.state != .infected {
        try Self.note(.infected, decision, content: next.content, db)
      } else if next.state != .infected, last?.state == .infected {
        try Self.note(.cleared, decision, content: next.content, db)
      }
      // Only malware hides moments, unless others see only what is clean.
      if next.isClean, last?.state == .infected || showsOnlyClean && last?.isClean != true {
        // Readers may have listed what changed since the scan began.
        try Self.setChanged(momentsOf: next.content, at: max(now, next.time), db)
      }
      return true
    }
  }

  /// - Returns: Number of files with a content that is to be scanned and was not found clean.
  func waitingFiles() throws(LibraryError) -> Int {
    try read { db in
      // Reads only what is due.
      let sql = """
        SELECT count(*) FROM verdict INDEXED BY verdict_due CROSS JOIN content ON content.digest = verdict.digest
        CROSS JOIN file INDEXED BY file_content ON file.content IS NOT NULL AND file.content = content.id
        WHERE verdict.due IS NOT NULL AND NOT \(CatalogueSchema.isClean(verdict: "verdict"))
        """
      return try Int.fetchOne(db, sql: sql) ?? 0
    }
  }

  private static let putVerdict = """
    INSERT INTO verdict (digest, state, detail, engine, signatures, time, due, attempts, accepted)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET state = excluded.state, detail = excluded.detail, engine = excluded.engine,
      signatures = excluded.signatures, time = excluded.time, due = excluded.due, attempts = excluded.attempts,
      accepted = excluded.accepted
    """

  /// Joins that find one file with a content that is at its path.
  private static let aFile = """
    CROSS JOIN file ON file.id = (SELECT min(one.id) FROM file AS one
      WHERE one.content IS NOT NULL AND one.content = content.id AND one.state <> \(CatalogueFile.State.vanished.sql))
    \(FileRows.knownJoins)
    """

  func dueScans(by time: Int, limit: Int) throws(LibraryError) -> [Moderation.Candidate] {
    try read { db in
      let sql = """
        SELECT \(FileRows.knownColumns), content.digest FROM verdict INDEXED BY verdict_due
        CROSS JOIN content ON content.digest = verdict.digest \(Self.aFile)
        WHERE verdict.due IS NOT NULL AND verdict.due <= ? ORDER BY verdict.due
        """
      // Damaged rows do not count: they would keep those behind them from being scanned.
      let limit = Self.limit(limit)
      let rows = try Row.fetchCursor(db, sql: sql, arguments: [time])
      var candidates: [Moderation.Candidate] = []
      while candidates.count < limit, let row = try rows.next() {
        if let candidate = ModerationRows.candidate(row.copy()) { candidates.append(candidate) }
      }
      return candidates
    }
  }

  func unscanned(
    after content: ContentDigest?, by time: Int, signatures: Int?, all: Bool, limit: Int
  ) throws(LibraryError) -> Moderation.CandidatePage {
    try read { db in
      let sql = """
        SELECT \(FileRows.knownColumns), content.digest FROM content LEFT JOIN verdict ON verdict.digest = content.digest
        \(Self.aFile) WHERE content.digest > ?1 AND (?2 OR verdict.digest IS NULL OR verdict.due <= ?3
          OR verdict.due - \(Moderation.Verdict.longestPause) > ?3
          OR (?4 IS NOT NULL AND coalesce(verdict.signatures, -1) < ?4)) ORDER BY content.digest
        """
      let limit = Self.limit(limit)
      let rows = try Row.fetchCursor(db, sql: sql, arguments: [Data(content?.bytes ?? []), all, time, signatures])
      var page = Moderation.CandidatePage()
      while page.candidates.count < limit {
        guard let row = try rows.next() else { return page }
        if let candidate = ModerationRows.candidate(row.copy()) {
          page.candidates.append(candidate)
        } else {
          page.damaged += 1
        }
      }
      page.next = page.candidates.last?.content
      return page
    }
  }

  // MARK: Reports

  func report(_ file: FileID, _ complaint: Moderation.Decision, threshold: Int?) throws(LibraryError) -> Bool? {
    try write { db in try Self.report(file, complaint, threshold: threshold, db) }
  }

  /// - Parameter complaint: What a reader (the actor) says.
  static func report(
    _ file: FileID, _ complaint: Moderation.Decision, threshold: Int?, _ db: Database
  ) throws -> Bool? {
    guard let before = try standing(of: file, db) else { return nil }
    try db.cachedStatement(
      sql: """
        INSERT INTO report (file, reader, reason, time) VALUES (?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET reason = excluded.reason, time = excluded.time
        """
    ).execute(arguments: [file.rawValue, complaint.actor, complaint.reason, complaint.time])
    let count = try standing(of: file, db)?.reports ?? 0
    guard let threshold, count >= threshold, before.protection == nil, before.quarantine == nil else { return false }
    try setFlag(.quarantined, of: file, .byReaders(count, at: complaint.time), db)
    return true
  }

  func dismissReports(about files: [FileID], _ decision: Moderation.Decision) throws(LibraryError) -> Int {
    try write { db in
      try files.reduce(0) { count, file in
        try Self.checkExists(file, db)
        return try count + Self.dismissReports(about: file, decision, db)
      }
    }
  }

  static func dismissReports(about file: FileID, _ decision: Moderation.Decision, _ db: Database) throws -> Int {
    try db.cachedStatement(sql: "DELETE FROM report WHERE file = ?").execute(arguments: [file.rawValue])
    let count = db.changesCount
    if count > 0 { try note(.dismiss, decision, file: file, db) }
    return count
  }
}

extension Moderation.Decision {
  /// What reports of so many readers decide.
  static func byReaders(_ count: Int, at time: Int) -> Self {
    Self(reason: "reported by \(count) users", actor: Moderation.readers, time: time)
  }
}

extension Moderation.Verdict {
  /// Whether the scanner came to a result, which another scan with the same signatures would repeat.
  private var hasResult: Bool {
    switch state {
    case .pending: false
    case .clean, .infected: true
    case .unscannable: !["scannerError", "timedOut"].contains(detail)
    }
  }

  /// Whether it was given with older signatures than another, or with the same ones before it.
  private func isOlder(than other: Moderation.Verdict) -> Bool {
    if let own = signatures, let others = other.signatures, own != others { return own < others }
    return time < other.time
  }

  /// Whether another scan would repeat it: it is a result, of signatures that are not older.
  /// - Parameter signatures: The current version of the signatures; nil if versions do not matter.
  package func isCurrent(for signatures: Int?) -> Bool {
    guard hasResult, let signatures else { return hasResult }
    return (self.signatures ?? -1) >= signatures
  }

  /// The verdict to store after an earlier one, by the rules of ``Moderation/record(_:)``.
  package func following(_ last: Moderation.Verdict?) -> Moderation.Verdict {
    var next = self
    if hasResult {
      next.attempts = 0
      guard let last, last.state == .infected else { return next }
      if state == .unscannable { (next.state, next.detail) = (last.state, last.detail) }
      guard state == .clean, isOlder(than: last) else { return next }
      // Only newer signatures are a reason to ask again.
      next = last
      (next.due, next.attempts) = (nil, 0)
      return next
    }
    let attempts = last?.attempts ?? 0
    next.attempts = state == .pending ? attempts : attempts < Int32.max ? attempts + 1 : attempts
    next.due = due ?? (state == .pending ? time : time + Self.pause(after: next.attempts))
    guard let last, last.hasResult else { return next }
    (next.state, next.detail, next.engine, next.signatures) = (last.state, last.detail, last.engine, last.signatures)
    next.time = last.time
    return next
  }
}

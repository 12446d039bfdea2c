internal import Foundation
internal import GRDB
public import MediaLibrary

/// What a malware scanner found in the files of messages. A verdict is kept in the store that has the file, so that it is erased with it.
extension MessageStore {
  /// The verdict on the content of a file; nil if no scanner was asked, if no message has the file, and for a damaged row: such a file is to be scanned again.
  public func verdict(of content: ContentDigest) throws(Failure) -> Moderation.Verdict? {
    try read { db in try Self.verdict(of: content, db) }
  }

  /// Records what a scanner found in the content of a file, by the rules of `Moderation.record(_:)`: a scan without a result changes no verdict of
  /// an earlier one that had a result, and an infected content stays infected until a scan that is not older, with signatures that are not older, finds it clean.
  /// - Returns: Whether a message has a file with this content. If not, nothing is recorded: a verdict is erased with the last file.
  @discardableResult
  public func record(_ verdict: Moderation.Verdict) throws(Failure) -> Bool {
    try write { writer -> Bool in
      let digest = Data(verdict.content.bytes)
      let exists = try Bool.fetchOne(
        writer.db, sql: "SELECT EXISTS (SELECT 1 FROM part WHERE digest = ?)", arguments: [digest])
      guard exists == true else { return false }
      let next = verdict.following(try Self.verdict(of: verdict.content, writer.db))
      try writer.execute(
        "INSERT OR REPLACE INTO verdict VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [digest, next.state.rawValue, next.detail, next.engine, next.signatures, next.time, next.due, next.attempts])
      return true
    }
  }

  private static func verdict(of content: ContentDigest, _ db: Database) throws -> Moderation.Verdict? {
    let row = try Row.fetchOne(
      db,
      sql: """
        SELECT CAST(state AS TEXT) AS state, CAST(detail AS TEXT) AS detail, CAST(engine AS TEXT) AS engine,
          CAST(signatures AS INTEGER) AS signatures, CAST(time AS INTEGER) AS time, CAST(due AS INTEGER) AS due,
          CAST(attempts AS INTEGER) AS attempts
        FROM verdict WHERE digest = ?
        """, arguments: [Data(content.bytes)])
    guard let row, let state = Moderation.Verdict.State(rawValue: row["state"]) else { return nil }
    var verdict = Moderation.Verdict(
      content, state, detail: row["detail"], engine: row["engine"], signatures: row["signatures"], at: row["time"],
      due: row["due"])
    verdict.attempts = row["attempts"]
    return verdict
  }
}

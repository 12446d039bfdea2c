internal import Foundation
internal import GRDB

extension MessageStore {
  /// An answer to the carrier, or a read report, that an app without a ``MessageOutbox`` sends.
  public struct Answer: Hashable, Sendable, Identifiable {
    /// The number of an answer, which is never used again.
    public struct ID: RawRepresentable, Hashable, Codable, Sendable {
      /// The number of the row.
      public let rawValue: Int64
      /// An answer with this number.
      public init(rawValue: Int64) { self.rawValue = rawValue }
    }

    /// The number of the answer.
    public let id: ID
    /// The PDU: an M-NotifyResp.ind, M-Acknowledge.ind or M-Read-Rec.ind.
    public let octets: [UInt8]
  }

  /// The answers and read reports that the carrier is to get, the oldest first. Each is there until ``confirmAnswer(_:)``, also after a restart: one that was
  /// handed out to a process that died is not lost. Its number shows whether it was sent before.
  /// - Parameter limit: Number of answers. 100 by default.
  public func answers(limit: Int = 100) throws(Failure) -> [Answer] {
    try read { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT id, CAST(content AS BLOB) AS content FROM outbox WHERE kind = 'answer' AND lease = 0 ORDER BY id LIMIT ?
          """, arguments: [max(0, limit)])
      return rows.map { row in
        Answer(id: Answer.ID(rawValue: row["id"]), octets: [UInt8](row["content"] as Data? ?? Data()))
      }
    }
  }

  /// Removes an answer, because the carrier has it.
  /// - Returns: Whether it was there.
  @discardableResult
  public func confirmAnswer(_ id: Answer.ID) throws(Failure) -> Bool {
    try write { writer in
      try writer.execute("DELETE FROM outbox WHERE id = ? AND kind = 'answer' AND lease = 0", [id.rawValue])
      return writer.db.changesCount > 0
    }
  }
}

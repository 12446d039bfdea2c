internal import Foundation
internal import GRDB
internal import MediaLibrary

/// The row of a draft: whose it is, and how often it has changed.
struct DraftRecord: Sendable {
  /// 128 bits in 32 hexadecimal digits.
  var id: String
  var owner: String
  /// The thread that it belongs to, in the words of the app.
  var thread: String?
  var created: Int
  var changed: Int
  /// Counts the changes, from 1.
  var version: Int
  /// When it was committed.
  var committed: Int?
  /// The answer to its commit.
  var answer: [UInt8]?

  /// Where the library has the draft itself.
  var key: DraftStore.Key { Self.key(of: id) }

  static func key(of id: String) -> DraftStore.Key { .unthreaded("service \(id)") }

  /// Whether a text has the form of an id, which differs from that of an attachment.
  static func isID(_ text: String) -> Bool {
    text.utf8.count == 32 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}

extension DraftRecord {
  private static let columns = "id, owner, thread, created, changed, version, committed, answer"

  private init(_ row: Row) {
    (id, owner, thread) = (row[0], row[1], row[2])
    (created, changed, version) = (row[3], row[4], row[5])
    committed = row[6]
    answer = (row[7] as Data?).map { [UInt8]($0) }
  }

  static func fetch(_ id: String, _ db: Database) throws -> DraftRecord? {
    try Row.fetchOne(db, sql: "SELECT \(columns) FROM draft WHERE id = ?", arguments: [id]).map(DraftRecord.init)
  }

  /// The draft of a thread that is not committed; nil if there is none.
  static func fetch(thread: String, of owner: String, _ db: Database) throws -> DraftRecord? {
    try Row.fetchOne(
      db, sql: "SELECT \(columns) FROM draft WHERE owner = ? AND thread = ? AND committed IS NULL",
      arguments: [owner, thread]
    ).map(DraftRecord.init)
  }

  /// The drafts of an owner, the latest change first.
  /// - Parameter position: The last one of an earlier page.
  static func page(
    of owner: String, after position: (changed: Int, id: String)?, limit: Int, _ db: Database
  ) throws -> [DraftRecord] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT \(columns) FROM draft INDEXED BY draft_owner
        WHERE owner = ? AND committed IS NULL AND (changed, id) < (?, ?) ORDER BY changed DESC, id DESC LIMIT ?
        """, arguments: [owner, position?.changed ?? Int.max, position?.id ?? "", limit]
    ).map(DraftRecord.init)
  }

  static func count(of owner: String, _ db: Database) throws -> Int {
    try Int.fetchOne(
      db, sql: "SELECT count(*) FROM draft INDEXED BY draft_owner WHERE owner = ? AND committed IS NULL",
      arguments: [owner]) ?? 0
  }

  func insert(_ db: Database) throws {
    try db.execute(
      sql: "INSERT INTO draft (id, owner, thread, created, changed, version) VALUES (?, ?, ?, ?, ?, ?)",
      arguments: [id, owner, thread, created, changed, version])
  }

  func update(_ db: Database) throws {
    try db.execute(
      sql: "UPDATE draft SET changed = ?, version = ?, committed = ?, answer = ? WHERE id = ?",
      arguments: [changed, version, committed, answer.map { Data($0) }, id])
  }

  static func delete(_ id: String, _ db: Database) throws {
    try db.execute(sql: "DELETE FROM draft WHERE id = ?", arguments: [id])
  }
}

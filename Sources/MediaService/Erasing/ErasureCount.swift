internal import GRDB

/// Counts erasures, so that the catalogue is rewritten after each of them, once for several. A flag would be lost: one that an erasure sets while
/// the catalogue is being rewritten would be reset at the end.
struct ErasureCount: Hashable, Sendable {
  /// Erasures of which the tombstones are written.
  var begun = 0
  /// Erasures whose rows are deleted, or which have failed.
  var ended = 0
  /// Erasures whose rows were deleted before the catalogue was last rewritten.
  var wiped = 0

  /// Whether something erased may be readable in the file of the catalogue. Rewriting it makes nothing unreadable of an erasure that has not ended.
  var needsWipe: Bool { wiped < ended }

  static func read(_ db: Database) throws -> ErasureCount {
    func number(_ name: String) throws -> Int {
      try Int.fetchOne(db, sql: "SELECT value FROM setting WHERE name = ?", arguments: [name]) ?? 0
    }
    return ErasureCount(begun: try number(begunName), ended: try number(endedName), wiped: try number(wipedName))
  }

  /// Counts an erasure, in the transaction of its tombstones.
  static func begin(_ db: Database) throws { try set(begunName, try read(db).begun + 1, db) }

  /// Counts ends of erasures, where no catalogue is being rewritten.
  static func end(_ count: Int, _ db: Database) throws { try set(endedName, try read(db).ended + count, db) }

  /// Notes that the catalogue was rewritten after so many erasures had ended.
  static func noteWipe(after ended: Int, _ db: Database) throws { try set(wipedName, ended, db) }

  /// Notes that no erasure runs: at the start of the process, which may have died in one.
  static func endAll(_ db: Database) throws { try set(endedName, try read(db).begun, db) }

  private static let begunName = "erasuresBegun"
  private static let endedName = "erasuresEnded"
  private static let wipedName = "erasuresWiped"

  private static func set(_ name: String, _ value: Int, _ db: Database) throws {
    try db.execute(sql: "INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)", arguments: [name, value])
  }
}

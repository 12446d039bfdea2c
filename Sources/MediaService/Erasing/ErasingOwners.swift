internal import GRDB
internal import Synchronization

/// Owners whose erasure has begun. A row of each is in the service's database, so that the next start finishes what a process that died had begun.
///
/// An erasure that fails removes its row: its caller gets an error, and the owner may add files afterwards, which no later start may take.
final class ErasingOwners: Sendable {
  private let running = Mutex<[String: Int]>([:])

  /// Notes that an erasure begins, before its row is written.
  func begin(_ owner: String) { running.withLock { $0[owner, default: 0] += 1 } }

  /// Notes that an erasure has ended, however it did.
  func end(_ owner: String) {
    running.withLock { running in
      let left = (running[owner] ?? 1) - 1
      running[owner] = left > 0 ? left : nil
    }
  }

  /// Removes the rows of erasures that have ended and could not do that themselves. In a transaction, so that no erasure begins meanwhile.
  func strikeEnded(_ db: Database) throws {
    let running = running.withLock { Set($0.keys) }
    for owner in try Self.noted(db) where !running.contains(owner) { try Self.strike(owner, db) }
  }

  static func noted(_ db: Database) throws -> [String] {
    try String.fetchAll(db, sql: "SELECT owner FROM erasing_owner ORDER BY owner")
  }

  static func note(_ owner: String, _ db: Database) throws {
    try db.execute(sql: "INSERT OR IGNORE INTO erasing_owner VALUES (?)", arguments: [owner])
  }

  static func strike(_ owner: String, _ db: Database) throws {
    try db.execute(sql: "DELETE FROM erasing_owner WHERE owner = ?", arguments: [owner])
  }
}

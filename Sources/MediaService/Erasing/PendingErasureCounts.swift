internal import MediaEngine

/// Ends of erasures that are not counted in the database yet: the disk may be too full for it, when the erasure itself succeeded.
final class PendingErasureCounts: Sendable {
  private let count = Locked(0)

  /// Another erasure has ended.
  func add() { count.withLock { $0 += 1 } }

  /// Counts them. Blocking; call it where no catalogue is being rewritten.
  func record(in database: ServiceDatabase) throws {
    let known = count.withLock { $0 }
    guard known > 0 else { return }
    try database.writeBlocking { db in try ErasureCount.end(known, db) }
    count.withLock { $0 -= known }
  }
}

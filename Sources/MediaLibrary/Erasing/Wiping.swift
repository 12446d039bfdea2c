internal import FileSupport
internal import GRDB
internal import Synchronization

/// Makes deleted data unreadable in the files of the database, in two steps. A note in the table of erasures says which one is next.
///
/// SQLite overwrites freed cells at once. Three things remain: words in older segments of the text index; cells that balancing moved to another
/// page, whose old bytes stay in the gap; and old pages in the log. The first step merges the segments and rewrites the database. The second one
/// truncates the log, for which no process may read an older state. If that fails, only the second step is tried again, without waiting: when
/// the library is opened or closed, and after writes.
extension SQLiteCatalogue {
  /// Rewrites the database and truncates the log, as far as necessary.
  /// - Parameter waits: Whether to wait for other processes that read an older state, up to ``Library/Options/patience``.
  /// - Returns: What prevented it; nil if nothing erased can be read any more.
  func wipe(waits: Bool) throws(LibraryError) -> ErasureRequest.Report.Hindrance? {
    try wiping.withLock { state throws(LibraryError) in
      state.isPending = true
      state.lastAttempt = .now
      if let hindrance = try rewrite(waits: waits) { return hindrance }
      if let hindrance = try truncateLog(waits: waits) { return hindrance }
      state.isPending = false
      return nil
    }
  }

  /// Finishes a wipe of which only the log is left, without waiting for anything, and never while another thread wipes.
  /// - Parameter atOnce: Whether even if an attempt was made less than ``Library/Options/wipingInterval`` ago.
  func finishWiping(atOnce: Bool = false) {
    _ = wiping.withLockIfAvailable { state in
      guard state.isPending, atOnce || state.lastAttempt.duration(to: .now) >= wipingInterval else { return }
      state.lastAttempt = .now
      // A full disk or another error is reported by the next call that erases.
      guard (try? read { db in try Erasure(db).isToBeRewritten() }) == false else { return }
      if case .some(.none) = try? truncateLog(waits: false) { state.isPending = false }
    }
  }

  /// Requests a wipe: the next ``wipe(waits:)`` rewrites the database.
  func requestWipe() throws(LibraryError) { try write { db in try Erasure(db).noteWipe() } }

  func wipe() throws(LibraryError) -> Bool {
    try requestWipe()
    return try wipe(waits: true) == nil
  }

  private func rewrite(waits: Bool) throws(LibraryError) -> ErasureRequest.Report.Hindrance? {
    let (notes, bytes) = try read { db in
      (
        try Erasure(db).notesOfRewriting(),
        try (Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0) * (Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
      )
    }
    guard !notes.isEmpty else { return nil }
    // An attempt that nobody asked for is not made where it has to fail.
    if !waits, let room = FileSystem.availableBytes(in: path.folder), room < bytes { return .diskFull }
    return try hindrance {
      try using { pool in
        try pool.write { db in try PendingChanges.mergeWords(db) }
        try pool.vacuum()
        try pool.write { db in try Erasure(db).markRewritten(notes) }
      }
    }
  }

  private func truncateLog(waits: Bool) throws(LibraryError) -> ErasureRequest.Report.Hindrance? {
    let hindrance = try hindrance {
      try using { pool -> Void in
        guard !waits else {
          return try pool.barrierWriteWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
        }
        try pool.writeWithoutTransaction { db in
          _ = try patience.withoutWaiting { try db.checkpoint(.truncate) }
        }
      }
    }
    if let hindrance { return hindrance }
    // Durable: that makes the truncation durable, too.
    try write { db in try Erasure(db).strikeWiped() }
    return nil
  }

  private func hindrance(_ body: () throws -> Void) throws(LibraryError) -> ErasureRequest.Report.Hindrance? {
    do {
      try mapping(body)
      return nil
    } catch {
      switch error.code {
      case .locked: return .reader
      case .diskFull: return .diskFull
      default: throw error
      }
    }
  }
}

/// What is known of a wipe that is not finished.
struct WipingState {
  /// Whether a wipe was prevented and is to be finished.
  var isPending = false
  var lastAttempt = ContinuousClock.now
}

extension Erasure {
  /// Notes that the database must be rewritten.
  func noteWipe() throws { try db.execute(sql: "INSERT INTO erasure DEFAULT VALUES") }

  /// Notes that the log must be truncated: it has what a transaction wrote and a later one removed.
  func noteTruncation() throws { try db.execute(sql: "INSERT INTO erasure (item) VALUES ('log')") }

  /// The notes that ask for a rewriting.
  func notesOfRewriting() throws -> [Int64] {
    try Int64.fetchAll(db, sql: "SELECT id FROM erasure WHERE original IS NULL AND draft IS NULL AND item IS NULL")
  }

  /// Whether the database must be rewritten, and not only its log truncated.
  func isToBeRewritten() throws -> Bool { try !notesOfRewriting().isEmpty }

  /// Changes notes that ask for a rewriting into notes that ask for a truncation of the log. Notes that came meanwhile stay.
  func markRewritten(_ notes: [Int64]) throws {
    for note in notes { try db.execute(sql: "UPDATE erasure SET item = 'log' WHERE id = ?", arguments: [note]) }
  }

  /// Removes the notes of a wipe that is finished.
  func strikeWiped() throws {
    try db.execute(sql: "DELETE FROM erasure WHERE original IS NULL AND draft IS NULL AND item = 'log'")
  }
}

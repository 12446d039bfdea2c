internal import GRDB
internal import MediaEngine
internal import MediaLibrary

/// Work that is done once a day, also across restarts: the service's database has the time of the last run.
enum DailyTask: String, Sendable {
  /// The copy of the library is completed, and gets a snapshot of the catalogue.
  case copy
  /// The next stored files are compared with their digests.
  case verification

  /// Seconds between two runs.
  private static let interval = 86_400
  private var name: String { "dailyTask.\(rawValue)" }

  /// Whether a day has passed since the last run. A clock that was set back makes it due.
  func isDue(at now: Int, _ db: Database) throws -> Bool {
    let sql = "SELECT value FROM setting WHERE name = ?"
    guard let last = try Int.fetchOne(db, sql: sql, arguments: [name]) else { return true }
    return now < last || now - last >= Self.interval
  }

  func note(at now: Int, _ db: Database) throws {
    try db.execute(sql: "INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)", arguments: [name, now])
  }
}

/// The thread of daily tasks, so that no request waits for one, and the times at which they failed.
final class Upkeep: Sendable {
  /// Seconds until a task that failed is tried again: the disk of a copy may be away for hours.
  private static let pause = 3_600

  let threads = BlockingThreads(limit: 1)
  private let failures = Locked<[DailyTask: Int]>([:])

  /// Whether a task may run: an hour has passed since it failed.
  func mayRun(_ task: DailyTask, at now: Int) -> Bool {
    failures.withLock { failures in failures[task].map { now < $0 || now - $0 >= Self.pause } ?? true }
  }

  /// A task has failed; or, with nil, succeeded.
  func noteFailure(of task: DailyTask, at time: Int?) { failures.withLock { $0[task] = time } }
}

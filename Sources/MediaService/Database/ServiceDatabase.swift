internal import FileSupport
internal import GRDB
internal import MediaLibrary

/// What the service keeps beside the library: uploads, rights, drafts' owners, answers that are repeated. In `service.sqlite` in the folder of
/// the library's data.
///
/// The catalogue stays the truth about files. A row here that refers to a file without one here is never an error: what is missing has its default.
final class ServiceDatabase: Sendable {
  /// Notices when signed URLs end.
  let cuts = RevocationObserver()
  private let pool: DatabasePool
  private let uses = DatabaseUses()
  /// Threads for calls that read, and for those that change something.
  let reading: BlockingThreads, writing: BlockingThreads

  /// Opens or creates the database. Blocking.
  init(path: PathBytes, reading: BlockingThreads, writing: BlockingThreads) throws {
    var configuration = GRDB.Configuration()
    configuration.maximumReaderCount = 4
    let patience = LockTimeout(seconds: 10)
    configuration.busyMode = .callback { patience.waits(after: $0) }
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA secure_delete = ON")
      // What was acknowledged is on the disk (docs/decisions/0091).
      try db.execute(sql: "PRAGMA synchronous = FULL")
    }
    pool = try DatabasePool(path: path.description, configuration: configuration)
    (self.reading, self.writing) = (reading, writing)
    try ServiceSchema.migrator.migrate(pool)
    pool.add(transactionObserver: cuts, extent: .databaseLifetime)
  }

  /// Reads from a consistent state, on a thread that may block.
  func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    try await reading.run { [self] in try readBlocking(body) }
  }

  /// Changes the database, completely or not at all, and durably when the call returns.
  func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    try await writing.run { [self] in try writeBlocking(body) }
  }

  /// Reads as ``read(_:)`` does, on a thread that may block already.
  func readBlocking<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try uses.use { try pool.read(body) }
  }

  /// Changes the database as ``write(_:)`` does, on a thread that may block already.
  func writeBlocking<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try uses.use { try pool.write(body) }
  }

  /// Makes deleted rows unreadable in the files of the database: cells that moved to another page leave their bytes, and old pages stay in the log.
  /// Blocking, also until no other thread reads an older state.
  func wipeBlocking() throws {
    try uses.use {
      try pool.vacuum()
      try pool.barrierWriteWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
    }
  }

  /// Closes the database when nobody uses it any more; later calls fail. Blocking.
  func close() throws {
    uses.end()
    try pool.close()
  }
}

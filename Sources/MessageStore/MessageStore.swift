public import FileSupport
internal import GRDB
internal import MediaLibrary
public import Messaging
internal import Synchronization

/// The messages of one person: threads, messages with the state of their transfer, drafts, the outbox and settings, in one folder.
///
/// The database is `messages.sqlite`, and the files of messages and drafts are in `parts`, named by the digest of their content. When a call that
/// changes something returns, the change is on the disk. What the carrier is to be asked or answered is stored with the state that asks
/// for it, and ``MessageOutbox`` carries it out, again after a restart.
///
/// Calls block: make them on a thread that may wait. One process opens a store at a time.
public final class MessageStore: Sendable {
  /// The path of the folder with `messages.sqlite` and the files of messages.
  public let folder: PathBytes
  /// The options that the store was opened with.
  public let options: Options
  let pool: DatabasePool
  private let uses = DatabaseUses()
  let files: DirectoryStore
  let feed = ChangeFeed()
  let leases = OutboxLeases()
  /// Whether messages were deleted since the store was opened.
  private let hasDeleted = Mutex(false)
  /// Nil for a store that is open for reading.
  private let lock: WriterLock?
  var isReadOnly: Bool { lock == nil }

  /// What a store needs to know of its phone.
  public struct Options: Sendable {
    /// The current time in seconds since 1970. The system's clock by default.
    public var now: @Sendable () -> Double = { MessageClock.now }
    /// The current network conditions. By default a phone with service in its home network.
    public var conditions: @Sendable () -> NetworkConditions = { NetworkConditions() }
    /// The person's own addresses, which are no participants of a thread. Without one, a received message of a group is in the thread of its
    /// sender. Empty by default.
    public var ownAddresses: [String] = []
    /// Whether an SMS whose outcome is unknown is sent again by itself. False by default: it fails with
    /// `MessageErrorCode.unknownOutcome`, and the user decides, because an SMS has no transaction by which the carrier recognises the
    /// second copy.
    public var resendsUnknownSMS = false
    /// How often an answer to the carrier is repeated while there is no connection. By default for two hours.
    public var answers = RetrySchedule(delays: [10, 60, 300, 1_800, 3_600, 3_600])

    /// Creates the default options.
    public init() {}
  }

  /// Opens the store in a folder, and creates it if there is none. Ends the leases of the process before, and removes files that belong to no
  /// message.
  /// - Throws: ``MessageStore/Failure/Code/locked`` if another process has it open; ``MessageStore/Failure/Code/newerSchema`` if a newer version wrote it;
  ///   ``MessageStore/Failure/Code/notAStore`` for another database.
  public init(folder: PathBytes, options: Options = Options()) throws(Failure) {
    (self.folder, self.options) = (folder, options)
    files = DirectoryStore(folder: folder.appending("parts".utf8))
    let path = folder.appending(MessageSchema.fileName.utf8)
    (lock, pool) = try Failure.mapping(at: folder) {
      let lock = try WriterLock(folder: folder)
      return (lock, try MessageSchema.open(path))
    }
    try endLeases()
    // What cannot be removed now, for example on a full disk, is removed by a later start: the messages can be used without it.
    try? sweep(isOpening: true)
  }

  /// Opens a store that exists for reading, also while another process has it open, and a store that was closed in a folder that cannot be written, such as a
  /// read-only copy. Calls that change something fail.
  /// - Throws: ``MessageStore/Failure/Code/notAStore`` if there is none; ``MessageStore/Failure/Code/newerSchema`` if a newer version wrote it.
  public init(reading folder: PathBytes, options: Options = Options()) throws(Failure) {
    (self.folder, self.options) = (folder, options)
    files = DirectoryStore(folder: folder.appending("parts".utf8))
    lock = nil
    let path = folder.appending(MessageSchema.fileName.utf8)
    pool = try Failure.mapping(at: folder) { try MessageSchema.openForReading(path) }
  }

  /// Closes the store; later calls fail, and another process can open it. A ``MessageOutbox`` of the store ends. After messages were deleted, their words are
  /// removed from the files of the word index. Cost: then, reads and writes that index.
  public func close() throws(Failure) {
    feed.finish()
    // The index only notes that words are deleted, until it is merged; the write-ahead log has earlier states.
    if hasDeleted.withLock({ $0 }) {
      try? write { try $0.execute("INSERT INTO messageText (messageText) VALUES ('optimize')") }
      // The log outlives the last connection of some builds of SQLite.
      _ = try? uses.use { try pool.writeWithoutTransaction { try $0.checkpoint(.truncate) } }
    }
    uses.end()
    try Failure.mapping(at: folder) { try pool.close() }
    // Not before: the next process ends the leases of this one.
    lock?.release()
  }

  /// A store that nobody has closed is closed before the next process can open it.
  deinit {
    try? pool.close()
    lock?.release()
  }

  /// Reads from a consistent state.
  func read<Value>(_ body: (Database) throws -> Value) throws(Failure) -> Value {
    try Failure.mapping(at: folder) { try uses.use { try pool.read(body) } }
  }

  /// Changes the store, completely or not at all, and reports the changes when they are on the disk.
  @discardableResult
  func write<Value>(_ body: (MessageWriter) throws -> Value) throws(Failure) -> Value {
    guard !isReadOnly else { throw .openForReading }
    let (value, changes, refusal, deletes) = try Failure.mapping(at: folder) {
      try uses.use {
        try pool.write { db in
          let writer = MessageWriter(db, options: options)
          let value = try body(writer)
          return (value, writer.changes, writer.refusal, writer.deletesMessages)
        }
      }
    }
    if deletes { hasDeleted.withLock { $0 = true } }
    feed.send(changes)
    // The state that a refusal leads to is stored as well: an expired message stays expired.
    if let refusal { throw Failure(refusal) }
    return value
  }
}

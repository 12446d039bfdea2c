public import AttachmentPolicy
public import FileSupport

/// A library for callers that must not block, such as the handlers of a server.
///
/// Three groups of threads with a queue each: for reading the catalogue, for writing, and for the bytes of renditions, originals and drafts. So a
/// long erasure keeps no listing waiting, and a slow disk no label. When a queue is full, a call fails with ``LibraryError/Code/busy``; a task that is cancelled
/// before its call has begun fails with `CancellationError`. A call that has begun is finished. Other errors are those of the calls that block.
public struct AsyncLibrary: Sendable {
  /// The catalogue. Its calls run on ``reading`` and ``writing``.
  public let catalogue: AsyncCatalogue
  /// Threads for calls that read the catalogue.
  public let reading: BlockingThreads
  /// Threads for calls that change the catalogue. The database makes one change at a time.
  public let writing: BlockingThreads
  /// Threads for the bytes of renditions, originals and drafts.
  public let files: BlockingThreads
  /// The library whose calls these are.
  public let library: Library

  /// Creates a façade for an open library.
  /// - Parameters:
  ///   - reading: Default 4 threads, as many as the catalogue has readers, and a queue of 256 calls.
  ///   - writing: Default one thread and a queue of 256 calls.
  ///   - files: Default 4 threads and a queue of 256 calls.
  public init(
    _ library: Library, reading: BlockingThreads = BlockingThreads(),
    writing: BlockingThreads = BlockingThreads(limit: 1),
    files: BlockingThreads = BlockingThreads()
  ) {
    (self.library, self.reading, self.writing, self.files) = (library, reading, writing, files)
    catalogue = AsyncCatalogue(library.catalogue, on: reading, writingOn: writing)
  }

  // MARK: Renditions and originals

  /// The bytes of a rendition; nil if there are none (``RenditionStore/read(_:)``).
  public func rendition(_ address: ContentDigest) async throws -> [UInt8]? {
    let store = library.store
    return try await files.run { try store.read(address) }
  }

  /// Stores the bytes of a rendition. Store them before the file that uses them (``RenditionStore/put(_:)``).
  public func putRendition(_ bytes: [UInt8]) async throws -> ContentDigest {
    let store = library.store
    return try await files.run { try store.put(bytes) }
  }

  /// Stores a copy of a file as an original that the library owns (``Library/keepOriginal(at:owner:)``).
  public func keepOriginal(at path: PathBytes, owner: String?) async throws -> FileStamp {
    let library = library
    return try await files.run { try library.keepOriginal(at: path, owner: owner) }
  }

  // MARK: Moments

  /// Reads moments and trips on a thread for reading (``Library/moments``).
  public func readMoments<Value: Sendable>(
    _ body: @escaping @Sendable (Moments) throws -> Value
  ) async throws -> Value {
    let library = library
    return try await reading.run { try body(library.moments) }
  }

  /// Changes moments and trips on a thread for writing.
  public func changeMoments<Value: Sendable>(
    _ body: @escaping @Sendable (Moments) throws -> Value
  ) async throws -> Value {
    let library = library
    return try await writing.run { try body(library.moments) }
  }

  // MARK: Moderation

  /// Reads moderation decisions on a thread for reading (``Library/moderation``).
  public func readModeration<Value: Sendable>(
    _ body: @escaping @Sendable (Moderation) throws -> Value
  ) async throws -> Value {
    let library = library
    return try await reading.run { try body(library.moderation) }
  }

  /// Makes moderation decisions on a thread for writing.
  public func moderate<Value: Sendable>(
    _ body: @escaping @Sendable (Moderation) throws -> Value
  ) async throws -> Value {
    let library = library
    return try await writing.run { try body(library.moderation) }
  }

  // MARK: Drafts

  /// The draft of a key; nil if there is none.
  public func draft(for key: DraftStore.Key) async throws -> AttachmentDraft? {
    try await onDrafts { try $0.load(key) }
  }

  /// Saves a draft, and replaces the existing one.
  /// - Parameter owner: As in `DraftStore.save`. Default nil.
  public func save(_ draft: AttachmentDraft, for key: DraftStore.Key, owner: String? = nil) async throws {
    try await onDrafts { try $0.save(draft, for: key, owner: owner) }
  }

  /// Calls a draft store on a thread that may block: for files of drafts, lists, removals.
  public func onDrafts<Value: Sendable>(_ body: @escaping @Sendable (DraftStore) throws -> Value) async throws -> Value
  {
    let drafts = library.drafts
    return try await files.run { try body(drafts) }
  }

  // MARK: Erasing, verifying, backing up

  /// Erases files (``Library/erase(_:wiping:progress:)``). With many requests, pass `wiping: false`, and call ``wipe()`` once an hour.
  public func erase(
    _ scope: ErasureRequest.Scope, wiping: Bool = true,
    progress: (@Sendable (ErasureRequest.Progress) -> Void)? = nil
  ) async throws -> ErasureRequest.Report {
    let library = library
    return try await writing.run { try library.erase(scope, wiping: wiping, progress: progress) }
  }

  /// Makes deleted data unreadable in the files of the catalogue (``Library/wipe()``).
  public func wipe() async throws -> Bool {
    let library = library
    return try await writing.run { try library.wipe() }
  }

  /// Checks everything that is stored (``Library/verify(_:)``). Takes a thread for files for as long as that takes.
  public func verify(_ found: @escaping @Sendable (Library.VerificationReport.Problem) -> Void = { _ in }) async throws
    -> Library.VerificationReport
  {
    let library = library
    return try await files.run { try library.verify(found) }
  }

  /// Writes a snapshot of the catalogue into the copy (``Library/backUp()``).
  public func backUp() async throws -> Library.SnapshotReport {
    let library = library
    return try await writing.run { try library.backUp() }
  }

  /// Closes the library when all changes that were requested before are made. Stop the callers first: later calls fail.
  public func close() async throws {
    let library = library
    try await writing.run { try library.close() }
  }
}

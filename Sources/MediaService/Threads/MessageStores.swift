internal import Crypto
internal import FileSupport
internal import Foundation
internal import MediaLibrary
internal import MessageStore

/// The message stores of owners, each in a folder of its own, of which a bounded number is open: one that nobody uses is closed when another is needed.
actor MessageStores {
  /// A store that is open, or being opened.
  private final class Entry {
    /// nil if the owner has none, and none was to be created.
    let opening: Task<MessageStore?, any Error>
    var uses = 0
    var lastUse: UInt64 = 0

    init(_ opening: Task<MessageStore?, any Error>) { self.opening = opening }
  }

  /// The folder with the folders of all owners.
  private let folder: PathBytes
  private let limit: Int
  private let options: @Sendable (String) -> MessageStore.Options
  private let onChange: @Sendable (MessageStore.Change, String) -> Void
  /// Threads for the calls of all stores.
  private let threads = BlockingThreads(limit: 4)
  /// Threads that close and erase stores, so that a full queue of other calls does not prevent it.
  private let endings = BlockingThreads(limit: 4, maxWaiting: 1_000_000)
  private var entries: [String: Entry] = [:]
  /// Stores that are being closed or erased: their owners wait.
  private var closing: [String: Task<Void, Never>] = [:]
  /// Erasures that wait until nobody uses the store of their owner.
  private var waiting: [String: [CheckedContinuation<Void, Never>]] = [:]
  private var uses: UInt64 = 0
  private var isClosed = false

  /// - Parameters:
  ///   - limit: Number of open stores.
  ///   - options: The options of an owner's store.
  ///   - onChange: Called for each change of an owner's store.
  init(
    folder: PathBytes, limit: Int, options: @escaping @Sendable (String) -> MessageStore.Options,
    onChange: @escaping @Sendable (MessageStore.Change, String) -> Void
  ) {
    (self.folder, self.limit, self.options, self.onChange) = (folder, max(1, limit), options, onChange)
  }

  /// Calls a closure with the store of an owner, on a thread that may block.
  /// - Parameters:
  ///   - creating: Whether an owner without a store gets one. Otherwise the result is nil.
  ///   - work: What the erasure of the owner ends: afterwards no store is created for it. Default nil.
  /// - Throws: `busy` if all stores that may be open are in use; `gone` if the work has ended.
  func use<Value: Sendable>(
    _ owner: String, creating: Bool, during work: OwnerWork.Token? = nil,
    _ body: @escaping @Sendable (MessageStore) throws -> Value
  ) async throws -> Value? {
    guard let (entry, store) = try await take(owner, creating: creating, during: work) else { return nil }
    defer { release(entry, of: owner) }
    return try await threads.run { try body(store) }
  }

  /// Erases the store of an owner when nobody uses it; whoever asks for it meanwhile waits, and finds none.
  /// - Returns: What it had.
  func erase(_ owner: String) async throws -> MessageStore.Usage {
    while let running = closing[owner] { await running.value }
    let erasure = Task { try await self.eraseUnused(owner) }
    closing[owner] = Task {
      _ = await erasure.result
      self.closing[owner] = nil
    }
    return try await erasure.value
  }

  /// Ends erasures that were interrupted or failed.
  /// - Returns: Why some could not be ended; the next start tries again.
  func sweep() async throws -> [String] {
    let folder = folder
    return try await threads.run { Self.sweep(folder) }
  }

  /// Number of stores that are open, those that are being closed included.
  var openCount: Int { Set(entries.keys).union(closing.keys).count }

  /// Closes all stores; later calls fail.
  func close() async {
    isClosed = true
    for owner in entries.keys { close(owner) }
    for task in closing.values { await task.value }
  }

  private func take(
    _ owner: String, creating: Bool, during work: OwnerWork.Token?
  ) async throws -> (Entry, MessageStore)? {
    let place = path(of: owner)
    while true {
      while let running = closing[owner] { await running.value }
      guard !isClosed else { throw ServiceError(.busy, "The service is shutting down.", retryAfter: 5) }
      try work?.requireRunning()
      if !creating, entries[owner] == nil {
        // No store is closed for an owner who has none.
        guard try await threads.run({ try Self.exists(place) }) else { return nil }
        // An erasure may have begun meanwhile.
        if closing[owner] != nil || isClosed { continue }
      }
      guard entries[owner] != nil || openCount < limit else {
        try await makeRoom()
        continue
      }
      let entry = entries[owner] ?? add(owner, creating: creating, during: work)
      uses += 1
      (entry.uses, entry.lastUse) = (entry.uses + 1, uses)
      do {
        if let store = try await entry.opening.value { return (entry, store) }
        remove(entry, of: owner)
      } catch {
        remove(entry, of: owner)
        throw error
      }
      // There is none. Whoever needs one opens it again.
      guard creating else { return nil }
    }
  }

  private func add(_ owner: String, creating: Bool, during work: OwnerWork.Token?) -> Entry {
    let entry = Entry(Task { try await self.open(owner, creating: creating, during: work) })
    entries[owner] = entry
    return entry
  }

  private func release(_ entry: Entry, of owner: String) {
    entry.uses -= 1
    guard entry.uses == 0 else { return }
    for continuation in waiting.removeValue(forKey: owner) ?? [] { continuation.resume() }
  }

  /// Gives back an entry without a store, which nobody else gets.
  private func remove(_ entry: Entry, of owner: String) {
    if entries[owner] === entry { entries[owner] = nil }
    release(entry, of: owner)
  }

  /// Closes the store that was not used for longest, or waits for one that is being closed.
  /// - Throws: `busy` if all are in use.
  private func makeRoom() async throws {
    let idle = entries.filter { $0.value.uses == 0 && closing[$0.key] == nil }
      .min { $0.value.lastUse < $1.value.lastUse }
    if let idle { close(idle.key) }
    guard let running = idle.flatMap({ closing[$0.key] }) ?? closing.values.first else {
      throw ServiceError(.busy, "The messages of too many owners are in use; try again later.", retryAfter: 1)
    }
    await running.value
  }

  private func close(_ owner: String) {
    guard closing[owner] == nil, let opening = entries.removeValue(forKey: owner)?.opening else { return }
    closing[owner] = Task {
      await self.end(opening)
      self.closing[owner] = nil
    }
  }

  private func end(_ opening: Task<MessageStore?, any Error>) async {
    guard let store = try? await opening.value else { return }
    try? await endings.run { try store.close() }
  }

  private func eraseUnused(_ owner: String) async throws -> MessageStore.Usage {
    while let entry = entries[owner], entry.uses > 0 {
      await withCheckedContinuation { waiting[owner, default: []].append($0) }
    }
    if let opening = entries.removeValue(forKey: owner)?.opening { await end(opening) }
    let (folder, place) = (folder, path(of: owner))
    return try await endings.run {
      // What cannot be counted is erased all the same.
      var usage = MessageStore.Usage()
      if try Self.exists(place), let store = try? MessageStore(reading: place) {
        usage = (try? store.usage()) ?? usage
        try? store.close()
      }
      // Also without a store: an earlier erasure may have left files.
      try Self.remove(place, from: folder)
      return usage
    }
  }

  private func open(
    _ owner: String, creating: Bool, during work: OwnerWork.Token?
  ) async throws -> MessageStore? {
    let (folder, place, options, onChange) = (folder, path(of: owner), options(owner), onChange)
    return try await threads.run {
      // An erasure that failed is ended first.
      if try Self.exists(Self.mark(of: place, in: folder)) { try Self.remove(place, from: folder) }
      // Others may wait for this store whose requests began after the erasure: they open it again.
      if !creating || work?.isEnded == true, try !Self.exists(place) { return nil }
      let store = try MessageStore(folder: place, options: options)
      // Ends when the store is closed.
      let changes = store.changes
      Task { for await change in changes { onChange(change, owner) } }
      return store
    }
  }

  /// The folder of an owner: names of owners are any text, so it is named by the SHA-256 of the name.
  private nonisolated func path(of owner: String) -> PathBytes {
    folder.appending(Hexadecimal.encode(SHA256.hash(data: Array(owner.utf8))).utf8)
  }
}

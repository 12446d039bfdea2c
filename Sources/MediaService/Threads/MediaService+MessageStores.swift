internal import Logging
internal import MessageStore

extension MediaService {
  /// Calls a closure with the messages of the caller's owner; nil if there are none.
  func readMessages<Value: Sendable>(
    of caller: Caller, _ body: @escaping @Sendable (MessageStore) throws -> Value
  ) async throws(ServiceError) -> Value? {
    try await ServiceError.mapping { try await messageStores.use(caller.owner, creating: false, body) }
  }

  /// Changes the messages of the caller's owner. The erasure of the owner ends it.
  /// - Parameters:
  ///   - creating: Whether an owner without messages gets a store. Default false.
  ///   - work: What the erasure ends, if it began earlier. Default nil: it begins now.
  /// - Throws: `notFound` without a store.
  @discardableResult
  func changeMessages<Value: Sendable>(
    of caller: Caller, creating: Bool = false, during work: OwnerWork.Token? = nil,
    _ body: @escaping @Sendable (MessageStore) throws -> Value
  ) async throws(ServiceError) -> Value {
    try caller.require(.write)
    let work = work ?? self.work.begin(for: caller.owner)
    // Before a store is created.
    try work.requireRunning()
    return try await ServiceError.mapping {
      let value = try await messageStores.use(caller.owner, creating: creating, during: work) { store in
        try work.requireRunning()
        return try body(store)
      }
      guard let value else { throw ServiceError.notFound }
      return value
    }
  }

  /// Erases the messages of an owner.
  /// - Returns: What there was; nil if the files could not be removed. The next erasure of the owner, or the next start, removes them.
  func eraseMessages(of owner: String) async -> MessageStore.Usage? {
    do {
      let usage = try await messageStores.erase(owner)
      unstoredVerdicts.removeAll(of: owner)
      feed.publish(.reset, for: owner)
      return usage
    } catch {
      logger.error("the messages of an owner were not erased", metadata: ["error": "\(error)"])
      return nil
    }
  }
}

internal import Logging
internal import MessageStore

/// The threads of an owner. Every owner has a store of its own, so an id of somebody else is an id of nothing.
extension MediaService {
  /// A page of the caller's threads, the newest first. It has less than `limit` if they have more than 1 MiB of participants and previews.
  /// - Parameters:
  ///   - before: The `next` of the page before. Default nil: the first page.
  ///   - limit: Number of threads, 1 to 200. Default 50.
  /// - Throws: `invalidRequest` for a cursor of another listing.
  public func threads(
    for caller: Caller, before: String? = nil, limit: Int = 50
  ) async throws(ServiceError) -> ThreadPage {
    try caller.require(.read)
    let (cursor, limit) = (try Self.cursor(before), try Self.pageLimit(limit))
    // Before the page is read: a change in between is reported once too often, never too rarely.
    let last = "\(feed.latest(of: caller.owner))"
    var page =
      try await readMessages(of: caller) { store in
        let page = try store.threadPage(after: cursor, limit: limit)
        let next = page.hasMore ? page.threads.last?.cursor.description : nil
        return ThreadPage(
          threads: page.threads.map(ThreadAnswer.init), totalUnread: try store.unreadCount(), next: next)
      } ?? ThreadPage()
    page.lastEvent = last
    return page
  }

  /// The participants of a thread, and the summary that a list shows.
  /// - Throws: `notFound` unless the caller has this thread.
  public func thread(_ id: String, of caller: Caller) async throws(ServiceError) -> ThreadAnswer {
    try caller.require(.read)
    let id = try Self.thread(id)
    guard let thread = try await readMessages(of: caller, { ThreadAnswer(try $0.thread(id)) }) else { throw .notFound }
    return thread
  }

  /// A page of the messages of a thread, the newest first. It has less than `limit` if they have more than 1 MiB of text, and the first 1,000 characters
  /// of each text.
  /// - Parameters:
  ///   - before: The `next` of the page before. Default nil: the newest.
  ///   - limit: Number of messages, 1 to 200. Default 50.
  public func messages(
    inThread id: String, of caller: Caller, before: String? = nil, limit: Int = 50
  ) async throws(ServiceError) -> MessagePage {
    try caller.require(.read)
    let (id, cursor, limit) = (try Self.thread(id), try Self.cursor(before), try Self.pageLimit(limit))
    let page = try await readMessages(of: caller) { store in
      self.fireTimers(of: store)
      _ = try store.thread(id)
      let page = try store.page(of: id, before: cursor, Self.pageLimits(limit))
      let next = page.hasMore ? page.messages.last?.cursor.description : nil
      return MessagePage(messages: page.messages.map(MessageAnswer.init), next: next)
    }
    guard let page else { throw .notFound }
    return page
  }

  /// The messages of the caller with all words, or beginnings of words, in their texts, subject or file names; the newest first,
  /// bounded as ``messages(inThread:of:before:limit:)``.
  /// - Parameters:
  ///   - before: The `next` of the page before. Default nil: the newest.
  ///   - limit: Number of messages, 1 to 200. Default 50.
  public func findMessages(
    _ words: String, of caller: Caller, before: String? = nil, limit: Int = 50
  ) async throws(ServiceError) -> MessagePage {
    try caller.require(.read)
    let (cursor, limit) = (try Self.cursor(before), try Self.pageLimit(limit))
    try Self.check(words: words)
    return try await readMessages(of: caller) { store in
      let page = try store.page(found: words, before: cursor, Self.pageLimits(limit))
      let next = page.hasMore ? page.messages.last?.cursor.description : nil
      return MessagePage(messages: page.messages.map(MessageAnswer.init), next: next)
    } ?? MessagePage()
  }

  /// A message with its parts and states.
  /// - Throws: `notFound` unless the caller has this message.
  public func message(_ id: String, of caller: Caller) async throws(ServiceError) -> MessageAnswer {
    MessageAnswer(try await storedMessage(id, of: caller))
  }

  /// Marks the messages of a thread as read.
  /// - Returns: The answers to send to the carrier, such as the read reports that senders want; also what was not confirmed yet of earlier calls.
  public func markRead(thread id: String, of caller: Caller) async throws(ServiceError) -> [CarrierAnswer] {
    let id = try Self.thread(id)
    return try await changeMessages(of: caller) { store in
      try store.markRead(id)
      return try Self.answers(store)
    }
  }

  /// Deletes a thread with its messages, its draft and their files.
  public func deleteThread(_ id: String, of caller: Caller) async throws(ServiceError) {
    let id = try Self.thread(id)
    try await changeMessages(of: caller) { store in try store.delete(id) }
  }

  /// Deletes a message with its files.
  public func deleteMessage(_ id: String, of caller: Caller) async throws(ServiceError) {
    guard let id = Self.storedMessage(id) else { throw .notFound }
    try await changeMessages(of: caller) { store in try store.delete(id) }
  }

  func storedMessage(_ id: String, of caller: Caller) async throws(ServiceError) -> MessageStore.Message {
    try caller.require(.read)
    guard let id = Self.storedMessage(id) else { throw .notFound }
    let message = try await readMessages(of: caller) { store in
      self.fireTimers(of: store)
      return try store.message(id)
    }
    guard let message else { throw .notFound }
    return message
  }

  /// Fires the timers that are due, for a request that reads. A failure is logged: on a full disk, what is stored can be read as it is.
  private func fireTimers(of store: MessageStore) {
    do { try store.fireTimers() } catch {
      logger.warning("the timers of messages could not be fired", metadata: ["error": "\(error)"])
    }
  }

  private static func cursor(_ text: String?) throws(ServiceError) -> MessageStore.Cursor? {
    guard let text else { return nil }
    guard let cursor = MessageStore.Cursor(text) else { throw .foreignCursor }
    return cursor
  }

  private static func pageLimits(_ messages: Int) -> MessageStore.PageLimits {
    var limits = MessageStore.PageLimits()
    limits.messages = messages
    return limits
  }

  private static func pageLimit(_ limit: Int) throws(ServiceError) -> Int {
    let limits = FieldLimits.page
    guard limits.contains(limit) else {
      throw ServiceError(
        .invalidRequest, "`limit` must be from \(limits.lowerBound) to \(limits.upperBound).",
        numbers: ["limit": limits.upperBound, "actual": limit])
    }
    return limit
  }
}

extension ServiceError {
  fileprivate static let foreignCursor = ServiceError(
    .invalidRequest, "The cursor is not from this listing; start again without a cursor.")
}

internal import MessageStore

extension MediaService {
  /// The row of a thread, or that it is gone, with the number of unread messages of all threads.
  func threadEvent(_ id: MessageStore.Thread.ID, of owner: String) async throws(ServiceError) -> [UInt8] {
    let thread = try await unlessGone(of: owner) { store in
      ThreadEvent(thread: ThreadAnswer(try store.thread(id)), totalUnread: try store.unreadCount())
    }
    guard let thread else {
      let unread = try await unlessGone(of: owner) { try $0.unreadCount() } ?? 0
      return Array("{\"id\":\"\(id.rawValue)\",\"removed\":true,\"totalUnread\":\(unread)}".utf8)
    }
    return try await ServiceError.mapping { try ServiceJSON.encode(thread) }
  }

  /// A message with the beginnings of its texts, as a page has it; nil if it is gone by now.
  func messageEvent(_ id: MessageStore.Message.ID, of owner: String) async throws(ServiceError) -> [UInt8]? {
    let characters = MessageStore.PageLimits().characters
    let message = try await unlessGone(of: owner) { MessageAnswer(try $0.message(id, characters: characters)) }
    guard let message else { return nil }
    return try await ServiceError.mapping { try ServiceJSON.encode(message) }
  }

  /// What an owner's store has by now; nil if it is gone.
  private func unlessGone<Value: Sendable>(
    of owner: String, _ body: @escaping @Sendable (MessageStore) throws -> Value
  ) async throws(ServiceError) -> Value? {
    try await ServiceError.mapping {
      try await messageStores.use(owner, creating: false) { store -> Value? in
        do { return try body(store) } catch let error as MessageStore.Failure where error.code == .notFound {
          return nil
        }
      } ?? nil
    }
  }

  static func deletedEvent(_ id: MessageStore.Message.ID, _ thread: MessageStore.Thread.ID) -> [UInt8] {
    Array("{\"id\":\"\(messageID(id))\",\"thread\":\"\(thread.rawValue)\"}".utf8)
  }
}

extension TrayFeed.Change {
  /// The change of a store that a reader follows; nil for one that another change reports too.
  init?(_ change: MessageStore.Change) {
    switch change {
    case .thread(let id): self = .thread(id)
    case .message(let id, let thread): self = .message(id, thread)
    case .deleted(let id, let thread): self = .deleted(id, thread)
    case .everything: self = .reset
    case .draft, .settings, .sent, .arrived, .delivered, .read: return nil
    }
  }
}

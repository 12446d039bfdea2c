internal import GRDB
internal import Messaging

/// Pages that are bounded in bytes, because a message may have 8 MiB of text, and a thread 64 KiB of participants.
extension MessageStore {
  /// How much a page of messages may have.
  public struct PageLimits: Hashable, Sendable {
    /// Number of messages, at most 999. Default 50.
    public var messages = 50
    /// Bytes of texts, names, subjects and states of the messages. The first message of a page may have more. Default 1 MiB.
    public var bytes = 1_048_576
    /// Characters of the subject and of each text, the rest of which is cut. Default 1,000.
    public var characters = 1_000

    /// The default limits.
    public init() {}
  }

  /// Messages of a thread with the cursor of the next page.
  public struct Page: Hashable, Sendable {
    /// The messages, the newest first. A text that was cut has fewer bytes than its part states.
    public let messages: [Message]
    /// Whether there are more messages after these.
    public let hasMore: Bool
  }

  /// Threads with the cursor of the next page.
  public struct ThreadPage: Hashable, Sendable {
    /// The threads, the newest first.
    public let threads: [Thread]
    /// Whether there are more threads after these.
    public let hasMore: Bool
  }

  /// A page of the threads, the newest first.
  /// - Parameters:
  ///   - cursor: That of the last thread of the page before; nil for the first page.
  ///   - limit: Number of threads, at most 999. Default 50.
  ///   - bytes: Bytes of participants and previews. The first thread of a page may have more. Default 1 MiB.
  public func threadPage(
    after cursor: Cursor? = nil, limit: Int = 50, bytes: Int = 1_048_576
  ) throws(Failure) -> ThreadPage {
    let limit = min(max(0, limit), 999)
    return try read { db in
      let rows = try MessageRows.threads(after: cursor, limit: limit + 1).fetchCursor(db)
      var (threads, size): ([Thread], Int) = ([], 0)
      while let row = try rows.next() {
        let thread = try MessageRows.thread(row)
        size += Self.pageBytes(of: thread)
        guard threads.count < limit, threads.isEmpty || size <= bytes else {
          return ThreadPage(threads: threads, hasMore: true)
        }
        threads.append(thread)
      }
      return ThreadPage(threads: threads, hasMore: false)
    }
  }

  /// Bytes that a thread takes in a page.
  private static func pageBytes(of thread: Thread) -> Int {
    var bytes = thread.summary.participants.reduce(200) { $0 + $1.utf8.count }
    // Of a preview, 300 characters are shown.
    if case .text(let text) = thread.summary.preview { bytes += min(text.utf8.count, 1_200) }
    return bytes
  }

  /// A page of the messages of a thread, the newest first. Empty for a thread that does not exist.
  /// - Parameter cursor: That of the last message of the page before; nil for the newest.
  public func page(
    of thread: Thread.ID, before cursor: Cursor? = nil, _ limits: PageLimits = PageLimits()
  ) throws(Failure) -> Page {
    try read { db in
      let request = MessageRows.messages(in: thread, before: cursor, limit: limits.messages + 1)
      return try MessageRows.page(db, request, limits, files: files)
    }
  }

  /// A page of the messages that ``search(_:before:limit:)`` finds.
  /// - Parameter cursor: That of the last message of the page before; nil for the first page.
  public func page(
    found words: String, before cursor: Cursor? = nil, _ limits: PageLimits = PageLimits()
  ) throws(Failure) -> Page {
    guard let pattern = FTS5Pattern(matchingAllPrefixesIn: words) else { return Page(messages: [], hasMore: false) }
    return try read { db in
      let request = MessageRows.messages(matching: pattern, before: cursor, limit: limits.messages + 1)
      return try MessageRows.page(db, request, limits, files: files)
    }
  }
}

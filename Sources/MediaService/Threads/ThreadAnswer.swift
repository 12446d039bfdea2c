internal import MessageStore
public import Messaging

extension MediaService {
  /// A row of the list of threads, in the words of `mediatool messages`.
  public struct ThreadAnswer: Encodable, Sendable {
    /// The id of the thread, which is in its path (`/v1/threads/{thread}`).
    public var id: String
    /// The other people.
    public var participants: [String]
    /// When the last message or the draft changed, in seconds since 1970.
    public var time: Int?
    /// Number of messages.
    public var messages: Int
    /// Number of unread messages.
    public var unread: Int
    /// The text below the names, at most 300 characters; nil if the last message has none.
    public var preview: String?
    /// Whether the last message is still at the carrier.
    public var notDownloaded: Bool
    /// Whether the last message has a file.
    public var hasAttachment: Bool
    /// Whether there is a draft: `inThread`, or `new` if there is nothing else.
    public var draft: ThreadSummary.Draft?
    /// Whether the last message could not be sent.
    public var lastSendFailed: Bool
    /// The type of the last message or of a newer draft.
    public var type: MessageType?

    init(_ thread: MessageStore.Thread) {
      let summary = thread.summary
      id = "\(thread.id.rawValue)"
      (participants, messages, unread) = (summary.participants, thread.messageCount, summary.unreadCount)
      time = summary.time.map(\.wholeSeconds)
      if case .text(let text) = summary.preview { preview = String(text.unicodeScalars.prefix(300)) }
      notDownloaded = summary.preview == .notDownloaded
      (hasAttachment, lastSendFailed, type) = (summary.hasAttachment, summary.lastSendFailed, summary.type)
      draft = summary.draft == .none ? nil : summary.draft
    }
  }

  /// A page of a list of threads.
  public struct ThreadPage: Encodable, Sendable {
    /// The threads, the newest first.
    public var threads: [ThreadAnswer] = []
    /// Number of unread messages of all threads, also of those on other pages.
    public var totalUnread = 0
    /// Where the next page begins; nil for the last one.
    public var next: String?
    /// The id of the last event before this answer: a stream that begins there misses nothing.
    public var lastEvent: String?
  }
}

/// A thread as an event of a stream has it, with what a badge shows.
struct ThreadEvent: Encodable {
  var thread: MediaService.ThreadAnswer
  var totalUnread: Int

  private enum Keys: String, CodingKey {
    case totalUnread
  }

  func encode(to encoder: any Encoder) throws {
    try thread.encode(to: encoder)
    var keys = encoder.container(keyedBy: Keys.self)
    try keys.encode(totalUnread, forKey: .totalUnread)
  }
}

extension Double {
  /// A time in whole seconds; 0 for one that no clock states.
  var wholeSeconds: Int { Int(exactly: rounded(.down)) ?? 0 }
}

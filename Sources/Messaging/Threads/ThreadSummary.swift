/// One line of the list of threads.
public struct ThreadSummary: Hashable, Codable, Sendable {
  /// What a thread has of a draft (R-MMS-13).
  public enum Draft: String, Codable, Sendable {
    /// Nothing.
    case none
    /// An unsent message in a thread with others.
    case inThread
    /// A new message, and nothing else.
    case new
  }

  /// What stands under the names (A47).
  public enum Preview: Hashable, Codable, Sendable {
    /// A subject, or a text.
    case text(String)
    /// A message without either.
    case multimedia
    /// One that is still at the operator's.
    case notDownloaded
    /// There is no message.
    case nothing

    /// In English.
    public var text: String {
      switch self {
      case .text(let text): text
      case .multimedia: "MMS message"
      case .notDownloaded: "Message not downloaded"
      case .nothing: ""
      }
    }
  }

  /// Who is in it, without oneself.
  public var participants: [String]
  /// When the last message, or the draft, was written; nil without either.
  public var time: Double?
  /// Incoming messages that are not read.
  public var unreadCount: Int
  /// Whether what is shown, the last message or a newer draft, has a real attachment, with or without text (R-MMS-12, D6.3).
  public var hasAttachment: Bool
  /// What it has of a draft.
  public var draft: Draft
  /// Whether the last message could not be sent (R-MMS-14).
  public var lastSendFailed: Bool
  /// What stands under the names.
  public var preview: Preview
  /// As what the last message, or a newer draft, goes; nil without either.
  public var type: MessageType?

  /// Whether there is something unread (R-MMS-11).
  public var isUnread: Bool { unreadCount > 0 }
  /// Whether it has several participants (R-MMS-15).
  public var isGroup: Bool { participants.count > 1 }

  /// The order of the list: the newest first; of equal times, as it was.
  public static func ordered(_ threads: [ThreadSummary]) -> [ThreadSummary] {
    threads.enumerated().sorted { one, other in
      let times = (one.element.time ?? -.infinity, other.element.time ?? -.infinity)
      return times.0 == times.1 ? one.offset < other.offset : times.0 > times.1
    }.map(\.element)
  }
}

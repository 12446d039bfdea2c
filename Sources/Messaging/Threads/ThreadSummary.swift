/// One row of the thread list.
public struct ThreadSummary: Hashable, Codable, Sendable {
  /// The kind of draft in a thread (R-MMS-13).
  public enum Draft: String, Codable, Sendable {
    /// No draft.
    case none
    /// A draft in a thread with messages.
    case inThread
    /// Only the draft of a new message.
    case new
  }

  /// The preview below the names (A47).
  public enum Preview: Hashable, Codable, Sendable {
    /// A subject or a text.
    case text(String)
    /// A message without either.
    case multimedia
    /// A message that has not been downloaded.
    case notDownloaded
    /// There is no message.
    case nothing

    /// The preview in English.
    public var text: String {
      switch self {
      case .text(let text): text
      case .multimedia: "MMS message"
      case .notDownloaded: "Message not downloaded"
      case .nothing: ""
      }
    }
  }

  /// The other people in the thread.
  public var participants: [String]
  /// The time of the last message or the draft; nil if there is neither.
  public var time: Double?
  /// Number of unread incoming messages.
  public var unreadCount: Int
  /// Whether the previewed message, the last one or a newer draft, has an attachment other than text (R-MMS-12, D6.3).
  public var hasAttachment: Bool
  /// The kind of draft.
  public var draft: Draft
  /// Whether the last message could not be sent (R-MMS-14).
  public var lastSendFailed: Bool
  /// The preview below the names.
  public var preview: Preview
  /// The type of the last message or a newer draft; nil if there is neither.
  public var type: MessageType?

  /// Whether there are unread messages (R-MMS-11).
  public var isUnread: Bool { unreadCount > 0 }
  /// Whether there are several other participants (R-MMS-15).
  public var isGroup: Bool { participants.count > 1 }

  /// Sorts threads newest first; the sort is stable.
  public static func ordered(_ threads: [ThreadSummary]) -> [ThreadSummary] {
    threads.enumerated().sorted { one, other in
      let times = (one.element.time ?? -.infinity, other.element.time ?? -.infinity)
      return times.0 == times.1 ? one.offset < other.offset : times.0 > times.1
    }.map(\.element)
  }
}

/// A message as the list of threads needs it.
public struct ThreadMessage: Hashable, Codable, Sendable {
  /// When it was written or came, in seconds since 1970.
  public var time: Double
  /// As what it went or came.
  public var type: MessageType
  /// Whether it came from somebody else.
  public var isIncoming: Bool
  /// Whether it was not read.
  public var isUnread: Bool
  /// The subject; nil for none.
  public var subject: String?
  /// Its texts, in their order.
  public var texts: [String]
  /// Whether it has a part that is neither text nor SMIL.
  public var hasAttachment: Bool
  /// Whether it is here, rather than at the operator's.
  public var isDownloaded: Bool
  /// Whether it could not be sent.
  public var sendFailed: Bool

  /// A message of those facts; without more, a text that came and was read.
  public init(
    time: Double, type: MessageType = .sms, isIncoming: Bool = true, isUnread: Bool = false, subject: String? = nil,
    texts: [String] = [], hasAttachment: Bool = false, isDownloaded: Bool = true, sendFailed: Bool = false
  ) {
    self.time = time
    self.type = type
    self.isIncoming = isIncoming
    self.isUnread = isUnread
    self.subject = subject
    self.texts = texts
    self.hasAttachment = hasAttachment
    self.isDownloaded = isDownloaded
    self.sendFailed = sendFailed
  }

  /// What stands for it in the list (A47).
  var preview: ThreadSummary.Preview {
    if !isDownloaded { return .notDownloaded }
    if let subject, !subject.trimmed.isEmpty { return .text(subject) }
    if let text = texts.first(where: { !$0.trimmed.isEmpty }) { return .text(text) }
    return type == .mms ? .multimedia : .text("")
  }
}

extension ThreadSummary {
  /// A thread of those messages, in any order, and of its draft.
  ///
  /// A draft at least as new as the last message stands in its place (A37).
  ///
  /// - Parameters:
  ///   - participants: Who is in it, without oneself.
  ///   - messages: All of its messages, or its last one and all that are unread.
  ///   - draft: The unsent message in it.
  ///   - draftTime: When that was written.
  ///   - profile: What decides as what the draft goes.
  public init(
    participants: [String], messages: [ThreadMessage], draft: MessageComposition? = nil, draftTime: Double = 0,
    profile: CarrierProfile = CarrierProfile()
  ) {
    let last = messages.enumerated().max {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }?.element
    let shown =
      draft.flatMap { draft -> ThreadMessage? in
        if let last, draftTime < last.time { return nil }
        return ThreadMessage(
          time: draftTime, type: draft.type(under: profile), isIncoming: false, subject: draft.sentSubject,
          texts: draft.content.compactMap { if case .text(let text) = $0 { text } else { nil } },
          hasAttachment: !draft.attachments.isEmpty)
      } ?? last
    self.participants = participants
    time = shown?.time
    unreadCount = messages.count { $0.isIncoming && $0.isUnread }
    hasAttachment = shown?.hasAttachment ?? false
    self.draft = draft == nil ? .none : messages.isEmpty ? .new : .inThread
    lastSendFailed = last.map { !$0.isIncoming && $0.sendFailed } ?? false
    preview = shown?.preview ?? .nothing
    type = shown?.type
  }
}

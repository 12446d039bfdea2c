extension ThreadSummary {
  /// The properties of a message that the thread list needs.
  public struct Message: Hashable, Codable, Sendable {
    /// The time of sending or arrival, in seconds since 1970.
    public var time: Double
    /// Whether the message is an SMS or an MMS.
    public var type: MessageType
    /// Whether the message is from somebody else.
    public var isIncoming: Bool
    /// Whether the user has not displayed the message yet.
    public var isUnread: Bool
    /// The subject; nil for none.
    public var subject: String?
    /// The texts in order.
    public var texts: [String]
    /// Whether it has a part that is neither text nor SMIL.
    public var hasAttachment: Bool
    /// Whether the message is downloaded rather than at the carrier.
    public var isDownloaded: Bool
    /// Whether sending ended with a failure.
    public var sendFailed: Bool

    /// Creates a message; by default an incoming text that was read.
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

    /// The preview for the thread list (A47).
    var preview: ThreadSummary.Preview {
      if !isDownloaded { return .notDownloaded }
      if let subject, !subject.trimmed.isEmpty { return .text(subject) }
      if let text = texts.first(where: { !$0.trimmed.isEmpty }) { return .text(text) }
      return type == .mms ? .multimedia : .text("")
    }
  }

  /// Creates the summary of a thread from its messages, in any order, and its draft.
  ///
  /// A draft at least as new as the last message replaces it in the preview (A37).
  ///
  /// - Parameters:
  ///   - participants: The other people in the thread.
  ///   - messages: All messages, or the last one and all unread ones.
  ///   - draft: The unsent message in the thread.
  ///   - draftTime: When the draft was written.
  ///   - profile: The profile that determines the type of the draft.
  public init(
    participants: [String], messages: [Message], draft: MessageComposition? = nil, draftTime: Double = 0,
    profile: CarrierProfile = CarrierProfile()
  ) {
    let last = messages.enumerated().max {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }?.element
    let shown =
      draft.flatMap { draft -> Message? in
        if let last, draftTime < last.time { return nil }
        return Message(
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

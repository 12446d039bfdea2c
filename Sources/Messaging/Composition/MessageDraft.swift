public import AttachmentPolicy

/// The stored form of a message: the draft, and what only a message has (R-MMS-8).
///
/// The draft has all text and all attachments with their uploads. Code that stores and uploads drafts therefore needs
/// no knowledge of messages. Converting a message to this form and back loses nothing.
public struct MessageDraft: Hashable, Codable, Sendable {
  /// Text and attachments.
  public var draft: AttachmentDraft
  /// The recipients as entered.
  public var recipients: [MessageRecipient]
  /// The subject, shown or hidden.
  public var subject: String
  /// Whether the subject is shown.
  public var showsSubject: Bool
  /// The number of Unicode scalars of the text before each attachment.
  ///
  /// Attachments without a number are at the end; numbers of removed attachments are ignored.
  public var textBefore: [MediaAttachment.ID: Int]

  /// Converts a message. Images that were being resized keep their original facts.
  public init(_ message: MessageComposition) {
    draft = AttachmentDraft(text: message.text, items: message.items)
    recipients = message.recipients
    subject = message.subject
    showsSubject = message.showsSubject
    textBefore = [:]
    var scalars = 0
    for item in message.content {
      switch item {
      case .text(let text): scalars += text.unicodeScalars.count
      case .attachment(let item): textBefore[item.id] = scalars
      }
    }
  }
}

extension MessageComposition {
  /// Restores a message.
  public init(_ kept: MessageDraft) {
    let scalars = Array(kept.draft.text.unicodeScalars)
    var content: [Item] = []
    var position = 0
    for item in kept.draft.items {
      // The stored number is not trusted: it is clamped to the text and never moves backwards.
      let next = min(max(kept.textBefore[item.id] ?? scalars.count, position), scalars.count)
      content.append(.text(String(String.UnicodeScalarView(scalars[position..<next]))))
      content.append(.attachment(item))
      position = next
    }
    content.append(.text(String(String.UnicodeScalarView(scalars[position...]))))
    self.init(content: content, recipients: kept.recipients)
    subject = kept.subject
    showsSubject = kept.showsSubject
  }
}

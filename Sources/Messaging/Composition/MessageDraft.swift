public import AttachmentPolicy

/// A message that is kept to be finished later: the draft, and what only a message has (R-MMS-8).
///
/// The draft holds all text and all attachments with their uploads, so that who stores and uploads drafts need not know about messages. Made of a
/// message and made into one again, nothing is lost.
public struct MessageDraft: Hashable, Codable, Sendable {
  /// Text and attachments.
  public var draft: AttachmentDraft
  /// The entries of "To".
  public var recipients: [MessageRecipient]
  /// The subject, hidden or not.
  public var subject: String
  /// Whether the subject is shown.
  public var showsSubject: Bool
  /// How many Unicode scalars of the text stand before each attachment. Attachments that came in meanwhile have no number and stand at
  /// the end; numbers of those that have gone are of no account.
  public var textBefore: [MediaAttachment.ID: Int]

  /// The message, kept. Images that were being made smaller are as they were.
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
  /// The message that was kept.
  public init(_ kept: MessageDraft) {
    let scalars = Array(kept.draft.text.unicodeScalars)
    var content: [Item] = []
    var position = 0
    for item in kept.draft.items {
      // A number may be anybody's: it is brought into the text, and never goes back.
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

public import AttachmentPolicy

/// A message while it is written: texts and attachments in their order, recipients, a subject.
///
/// A value without a clock, a disk or a limit of its own. What it will be sent as, how large it is and whether it can be sent are functions of
/// it and of a ``CarrierProfile``; operations return the events that they caused.
public struct MessageComposition: Hashable, Sendable {
  /// A piece of the content.
  public enum Item: Hashable, Sendable {
    /// Text, never empty, never beside another one.
    case text(String)
    /// An attachment and how far its upload is.
    case attachment(AttachmentDraft.Item)
  }

  /// The content in the order in which it is shown and sent.
  public internal(set) var content: [Item] = []
  /// The entries of "To" as they were made: the same one may stand there twice (R-MMS-3).
  public internal(set) var recipients: [MessageRecipient] = []
  /// The subject, in one line; empty for none.
  public internal(set) var subject = ""
  /// Whether the subject is shown. A hidden one is kept, and not sent.
  public internal(set) var showsSubject = false
  /// Images that are being made smaller: until they are, nothing is sent.
  public internal(set) var resizing: Set<MediaAttachment.ID> = []

  /// A message of those parts, by default of none; neighbouring texts become one.
  public init(content: [Item] = [], recipients: [MessageRecipient] = [], subject: String? = nil) {
    self.content = Self.merged(content)
    self.recipients = recipients
    self.subject = Self.subjectText(subject ?? "")
    showsSubject = subject != nil
  }

  /// All text, without what stands between.
  public var text: String {
    content.compactMap { if case .text(let text) = $0 { text } else { nil } }.joined()
  }

  /// The attachments in their order.
  public var attachments: [MediaAttachment] { items.map(\.attachment) }

  /// The attachments with their uploads.
  var items: [AttachmentDraft.Item] {
    content.compactMap { if case .attachment(let item) = $0 { item } else { nil } }
  }

  /// The subject that is sent: what is shown of it, and not only white space.
  public var sentSubject: String? { showsSubject && !subject.trimmed.isEmpty ? subject : nil }

  /// Whether there is nothing to keep: no text, no attachment, no visible subject (R-MMS-9). Recipients do not count.
  public var isEmpty: Bool { content.isEmpty && sentSubject == nil }

  /// Where an attachment stands in ``content``.
  public func index(of id: MediaAttachment.ID) -> Int? {
    content.firstIndex { if case .attachment(let item) = $0 { item.id == id } else { false } }
  }

  /// The normal form of a content: no empty text, no two texts side by side, no id twice, no-break spaces as spaces (A21).
  static func merged(_ items: [Item]) -> [Item] {
    var merged: [Item] = []
    var seen: Set<MediaAttachment.ID> = []
    for item in items {
      switch item {
      case .attachment(let attachment):
        if seen.insert(attachment.id).inserted { merged.append(item) }
      case .text(let text):
        guard !text.isEmpty else { continue }
        let plain = text.replacingNoBreakSpaces
        if case .text(let before)? = merged.last {
          merged[merged.count - 1] = .text(before + plain)
        } else {
          merged.append(.text(plain))
        }
      }
    }
    return merged
  }

  /// In one line: a line break with the spaces behind it is one space, a no-break space too (A20).
  static func subjectText(_ text: String) -> String {
    var line = String.UnicodeScalarView()
    var isBreaking = false
    for scalar in text.replacingNoBreakSpaces.unicodeScalars {
      if scalar == "\n" || scalar == "\r" {
        if !isBreaking { line.append(" ") }
        isBreaking = true
      } else if !(isBreaking && scalar == " ") {
        // A NUL would end the field.
        if scalar != "\0" { line.append(scalar) }
        isBreaking = false
      }
    }
    return String(line)
  }
}

extension String {
  /// With U+0020 for every U+00A0.
  var replacingNoBreakSpaces: String {
    guard utf8.contains(0xC2) else { return self }
    var plain = String.UnicodeScalarView()
    for scalar in unicodeScalars { plain.append(scalar == "\u{A0}" ? " " : scalar) }
    return String(plain)
  }
}

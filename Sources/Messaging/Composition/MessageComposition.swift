public import AttachmentPolicy

/// A message that is being composed: texts and attachments in order, recipients, and a subject.
///
/// It is a value without a clock, I/O or limits of its own. Its type, size and readiness are functions of it and a
/// ``CarrierProfile``. Operations return the events that they caused.
public struct MessageComposition: Hashable, Sendable {
  /// An item of the content.
  public enum Item: Hashable, Sendable {
    /// A text. It is never empty and never next to another text.
    case text(String)
    /// An attachment and the state of its upload.
    case attachment(AttachmentDraft.Item)
  }

  /// The content in the order of display and sending.
  public internal(set) var content: [Item] = []
  /// The recipients as entered; duplicates are kept (R-MMS-3).
  public internal(set) var recipients: [MessageRecipient] = []
  /// The subject, in one line; empty for none.
  public internal(set) var subject = ""
  /// Whether the subject is shown. A hidden subject is kept but not sent.
  public internal(set) var showsSubject = false
  /// Images whose size is being reduced, which blocks sending.
  public internal(set) var resizing: Set<MediaAttachment.ID> = []

  /// Creates a composition, empty by default. Adjacent texts are joined.
  public init(content: [Item] = [], recipients: [MessageRecipient] = [], subject: String? = nil) {
    self.content = Self.merged(content)
    self.recipients = recipients
    self.subject = Self.subjectText(subject ?? "")
    showsSubject = subject != nil
  }

  /// All texts, joined.
  public var text: String {
    content.compactMap { if case .text(let text) = $0 { text } else { nil } }.joined()
  }

  /// The attachments in order.
  public var attachments: [MediaAttachment] { items.map(\.attachment) }

  /// The attachments with their uploads.
  var items: [AttachmentDraft.Item] {
    content.compactMap { if case .attachment(let item) = $0 { item } else { nil } }
  }

  /// The subject to send; nil if it is hidden or only white space.
  public var sentSubject: String? { showsSubject && !subject.trimmed.isEmpty ? subject : nil }

  /// Whether there is nothing to save: no text, no attachment, no visible subject (R-MMS-9). Recipients do not count.
  public var isEmpty: Bool { content.isEmpty && sentSubject == nil }

  /// The index of an attachment in ``content``; nil if it is not contained.
  public func index(of id: MediaAttachment.ID) -> Int? {
    content.firstIndex { if case .attachment(let item) = $0 { item.id == id } else { false } }
  }

  /// Normalises a content: no empty texts, no adjacent texts, no duplicate ids, no-break spaces as spaces (A21).
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

  /// Converts a text to one line: a line break with the spaces after it becomes one space, and so does a no-break space
  /// (A20).
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
  /// The string with U+0020 for every U+00A0.
  var replacingNoBreakSpaces: String {
    guard utf8.contains(0xC2) else { return self }
    var plain = String.UnicodeScalarView()
    for scalar in unicodeScalars { plain.append(scalar == "\u{A0}" ? " " : scalar) }
    return String(plain)
  }
}

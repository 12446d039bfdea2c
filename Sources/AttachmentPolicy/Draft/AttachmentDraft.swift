/// A message before it is sent: text and attachments in their order, and how far each upload is.
///
/// A value without a clock, a disk or a limit of its own: what is asked against limits takes the rules that hold at that moment.
/// Every operation returns the events that it caused, none if it changed nothing.
public struct AttachmentDraft: Hashable, Sendable {
  /// An attachment and how far its upload is.
  public struct Item: Hashable, Sendable, Identifiable {
    /// What is to be sent.
    public internal(set) var attachment: MediaAttachment
    /// How far it is.
    public internal(set) var upload: UploadState
    /// The attachment's name.
    public var id: MediaAttachment.ID { attachment.id }
  }

  /// The attachments in the order in which they are sent, no two with the same id.
  public internal(set) var items: [Item] = []
  /// The text as it was typed.
  public internal(set) var text = ""

  /// Nothing, or only text.
  public init(text: String = "") { self.text = text }

  /// The attachments in their order, without their uploads.
  public var attachments: [MediaAttachment] { items.map(\.attachment) }

  /// Whether there is neither text nor an attachment: nothing to keep (R-MMS-9).
  public var isEmpty: Bool { items.isEmpty && text.isEmpty }

  /// Where an attachment stands.
  public func index(of id: MediaAttachment.ID) -> Int? { items.firstIndex { $0.id == id } }

  /// Where the attachment made of a photo library's asset stands.
  public func index(of asset: AssetID) -> Int? { items.firstIndex { $0.attachment.asset == asset } }

  /// The item of an attachment.
  public subscript(id: MediaAttachment.ID) -> Item? { index(of: id).map { items[$0] } }

  /// Free places: how many a system's picker may let through (R-TRAY-9). Nil without a limit.
  public func remaining(under rules: AttachmentRules) -> Int? {
    guard rules.allowsAttachments else { return 0 }
    return rules.maxAttachments.map { max(0, $0 - items.count) }
  }

  /// Whether no place is free (R-TRAY-11).
  public func isFull(under rules: AttachmentRules) -> Bool { remaining(under: rules) == 0 }
}

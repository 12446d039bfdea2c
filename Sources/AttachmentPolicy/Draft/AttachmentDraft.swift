/// A message that is being composed: its text, its attachments in order, and the state of each upload.
///
/// A draft is a value without a clock, I/O or limits of its own. Operations that check limits take the current rules.
/// Every operation returns the events that it caused, and an empty array if nothing changed.
public struct AttachmentDraft: Hashable, Sendable {
  /// An attachment and the state of its upload.
  public struct Item: Hashable, Sendable, Identifiable {
    /// The attachment to send.
    public internal(set) var attachment: MediaAttachment
    /// The state of its upload.
    public internal(set) var upload: UploadState
    /// That of ``attachment``, which is unique in the draft.
    public var id: MediaAttachment.ID { attachment.id }
  }

  /// The attachments in sending order, with unique ids.
  public internal(set) var items: [Item] = []
  /// The text as typed.
  public internal(set) var text = ""

  /// Creates a draft without attachments.
  public init(text: String = "") { self.text = text }

  /// The attachments in sending order, without their upload states.
  public var attachments: [MediaAttachment] { items.map(\.attachment) }

  /// Whether the draft has neither text nor attachments and need not be saved (R-MMS-9).
  public var isEmpty: Bool { items.isEmpty && text.isEmpty }

  /// The index of an attachment; nil if the draft does not contain it.
  public func index(of id: MediaAttachment.ID) -> Int? { items.firstIndex { $0.id == id } }

  /// The index of the first attachment made from a photo library asset; nil if there is none.
  public func index(of asset: AssetID) -> Int? { items.firstIndex { $0.attachment.asset == asset } }

  /// The item with that id; nil if the draft does not contain it.
  public subscript(id: MediaAttachment.ID) -> Item? { index(of: id).map { items[$0] } }

  /// How many more attachments can be added, for example the limit for the system's picker (R-TRAY-9). Nil without a
  /// limit.
  public func remaining(under rules: AttachmentRules) -> Int? {
    guard rules.allowsAttachments else { return 0 }
    return rules.maxAttachments.map { max(0, $0 - items.count) }
  }

  /// Whether no more attachments can be added (R-TRAY-11).
  public func isFull(under rules: AttachmentRules) -> Bool { remaining(under: rules) == 0 }
}

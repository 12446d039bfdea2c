public import AttachmentPolicy

/// The fifty most recent photos and videos of a library, and which of them are selected for a message.
///
/// The draft is the only selection: a cell is selected if the draft has an attachment made from its item. Tray and
/// draft therefore always agree. Every operation returns the events that it caused.
public struct Tray: Hashable, Sendable {
  /// Maximum number of items in a tray (R-TRAY-2).
  public static let capacity = 50

  /// The permission to read the library.
  public internal(set) var access: LibraryAccess
  /// The permissions for camera and microphone.
  public var capture: CaptureAccess
  /// The rules that decide what can be selected.
  public var rules: AttachmentRules
  /// The arrangement of the cells.
  public var layout: Layout
  /// The message that is being composed.
  public internal(set) var draft: AttachmentDraft
  /// The newest items of the library, newest first; at most ``capacity``.
  var newest: [Item] = []
  /// Whether the library may hold more items than ``newest``.
  var mayHoldMore = false
  /// Items captured since the tray was loaded, the latest first. They precede all others regardless of their time
  /// (R-TRAY-21).
  var justTaken: [Item] = []

  /// Creates an empty tray; call ``load(from:)`` to fill it.
  public init(
    access: LibraryAccess = .notDetermined, capture: CaptureAccess = CaptureAccess(),
    rules: AttachmentRules = AttachmentRules(), layout: Layout = Layout(),
    draft: AttachmentDraft = AttachmentDraft()
  ) {
    self.access = access
    self.capture = capture
    self.rules = rules
    self.layout = layout
    self.draft = draft
  }

  /// The items that are shown, in order.
  public var items: [Item] {
    guard access.isReadable else { return [] }
    guard !justTaken.isEmpty else { return newest }
    let taken = Set(justTaken.map(\.id))
    return Array((justTaken + newest.lazy.filter { !taken.contains($0.id) }).prefix(Self.capacity))
  }

  /// What to display.
  public var state: State {
    switch access {
    case .notDetermined: return .notDetermined
    case .denied: return .denied
    case .restricted: return .restricted
    case .limited, .full:
      let items = items
      return items.isEmpty ? .empty(capture) : .grid(grid(of: items))
    }
  }

  private func grid(of items: [Item]) -> Grid {
    var numbers: [AssetID: Int] = [:]
    for (index, item) in draft.items.enumerated() {
      if let asset = item.attachment.asset, numbers[asset] == nil { numbers[asset] = index + 1 }
    }
    let evaluator = PolicyEvaluator(rules, draft: draft)
    let cells = items.map { item in
      let number = numbers[item.id]
      // If there are several reasons, show the first.
      let reason =
        number == nil ? evaluator.reasons(against: item.info, id: Self.id(of: item), asset: item.id).first : nil
      return Cell(item: item, selected: number, reason: reason)
    }
    return Grid(
      cells: cells, emptyCells: layout.emptyCells(beside: cells.count), remaining: draft.remaining(under: rules))
  }

  /// The default identifier of an attachment made from an item.
  private static func id(of item: Item) -> MediaAttachment.ID { MediaAttachment.ID(item.id.rawValue) }

  static func attachment(of item: Item, as id: MediaAttachment.ID?) -> MediaAttachment {
    MediaAttachment(id: id ?? Self.id(of: item), asset: item.id, name: item.name, info: item.info)
  }
}

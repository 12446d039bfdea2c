public import AttachmentPolicy

/// The fifty most recent photos and videos, and which of them go into a message.
///
/// There is one selection, the draft's: a cell is selected when an attachment was made of its item. So tray and draft cannot disagree,
/// from whichever side something is taken out. Every operation returns the events that it caused.
public struct Tray: Hashable, Sendable {
  /// How many cells a tray has (R-TRAY-2).
  public static let capacity = 50

  /// What may be seen of the library.
  public internal(set) var access: LibraryAccess
  /// Camera and microphone.
  public var capture: CaptureAccess
  /// What may be selected.
  public var rules: AttachmentRules
  /// How the cells are arranged.
  public var layout: TrayLayout
  /// The message that is being written.
  public internal(set) var draft: AttachmentDraft
  /// The newest of the library, in order; at most ``capacity``.
  var newest: [TrayItem] = []
  /// Whether the library may hold more than ``newest``.
  var mayHoldMore = false
  /// Taken since the tray was loaded, the last one first: they stand before all others, whatever their time (R-TRAY-21).
  var justTaken: [TrayItem] = []

  /// A tray that has not looked into the library yet; ``load(from:)`` does.
  public init(
    access: LibraryAccess = .notDetermined, capture: CaptureAccess = CaptureAccess(),
    rules: AttachmentRules = AttachmentRules(), layout: TrayLayout = TrayLayout(),
    draft: AttachmentDraft = AttachmentDraft()
  ) {
    self.access = access
    self.capture = capture
    self.rules = rules
    self.layout = layout
    self.draft = draft
  }

  /// The items shown, the first one first.
  public var items: [TrayItem] {
    guard access.isReadable else { return [] }
    guard !justTaken.isEmpty else { return newest }
    let taken = Set(justTaken.map(\.id))
    return Array((justTaken + newest.lazy.filter { !taken.contains($0.id) }).prefix(Self.capacity))
  }

  /// What is shown.
  public var state: TrayState {
    switch access {
    case .notDetermined: return .notDetermined
    case .denied: return .denied
    case .restricted: return .restricted
    case .limited, .full:
      let items = items
      return items.isEmpty ? .empty(capture) : .grid(grid(of: items))
    }
  }

  private func grid(of items: [TrayItem]) -> TrayGrid {
    var numbers: [AssetID: Int] = [:]
    for (index, item) in draft.items.enumerated() {
      if let asset = item.attachment.asset, numbers[asset] == nil { numbers[asset] = index + 1 }
    }
    let evaluator = PolicyEvaluator(rules, draft: draft)
    let cells = items.map { item in
      let number = numbers[item.id]
      // Of several reasons the first is shown.
      let reason =
        number == nil ? evaluator.reasons(against: item.info, id: Self.id(of: item), asset: item.id).first : nil
      return TrayCell(item: item, selected: number, reason: reason)
    }
    return TrayGrid(
      cells: cells, emptyCells: layout.emptyCells(beside: cells.count), remaining: draft.remaining(under: rules))
  }

  /// What an attachment is called that is made of an item, unless somebody names it.
  private static func id(of item: TrayItem) -> MediaAttachment.ID { MediaAttachment.ID(item.id.rawValue) }

  static func attachment(of item: TrayItem, as id: MediaAttachment.ID?) -> MediaAttachment {
    MediaAttachment(id: id ?? Self.id(of: item), asset: item.id, name: item.name, info: item.info)
  }
}

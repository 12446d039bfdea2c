public import AttachmentPolicy

extension Tray {
  /// Selects an item: it is in the draft at once, at the end (R-TRAY-5). If it may not be, the events say why. One that is selected
  /// already, or not shown, changes nothing (R-TRAY-8).
  /// - Parameter id: The attachment's name in the draft. Default: the item's own.
  public mutating func select(_ asset: AssetID, as id: MediaAttachment.ID? = nil) -> [TrayEvent] {
    guard draft.index(of: asset) == nil, let item = items.first(where: { $0.id == asset }) else { return [] }
    return draft.add([Self.attachment(of: item, as: id)], under: rules).map { .draft($0) }
  }

  /// Takes an item out of selection and draft (R-TRAY-7).
  public mutating func deselect(_ asset: AssetID) -> [TrayEvent] {
    draft.remove(asset: asset, under: rules).map { .draft($0) }
  }

  /// What a tap does: selects, or takes out again.
  public mutating func toggle(_ asset: AssetID) -> [TrayEvent] {
    draft.index(of: asset) == nil ? select(asset) : deselect(asset)
  }

  /// Takes an attachment out by the draft's side, and out of the selection with it (R-TRAY-6).
  public mutating func remove(_ id: MediaAttachment.ID) -> [TrayEvent] {
    draft.remove(id, under: rules).map { .draft($0) }
  }

  /// Adds what was chosen in the system's picker. What has an asset that the tray shows is selected there too (R-TRAY-9).
  public mutating func add(picked: [MediaAttachment]) -> [TrayEvent] {
    draft.add(picked, under: rules).map { .draft($0) }
  }

  /// Takes everything out of the selection and leaves the text (R-TRAY-26).
  public mutating func clearSelection() -> [TrayEvent] {
    draft.clearSelection(under: rules).map { .draft($0) }
  }

  /// Does anything else to the draft: text, order, crops, uploads.
  public mutating func edit(_ change: (inout AttachmentDraft) -> [DraftEvent]) -> [TrayEvent] {
    change(&draft).map { .draft($0) }
  }

  /// Adds a photo or video that was just taken: it is first in the tray, and in the draft if the rules let it (R-TRAY-20, R-TRAY-21).
  ///
  /// One that is saved in the library, under its name there. What is not has no asset, and goes by ``add(picked:)``: the next look into the library
  /// would take it for deleted.
  public mutating func take(_ item: TrayItem, as id: MediaAttachment.ID? = nil) -> [TrayEvent] {
    let before = items
    justTaken.removeAll { $0.id == item.id }
    justTaken.insert(item, at: 0)
    justTaken = Array(justTaken.prefix(Self.capacity))
    let shown = events(since: before, vanished: [])
    // Not by select: an image just taken may go even where the library may not be seen.
    guard draft.index(of: item.id) == nil else { return shown }
    return shown + draft.add([Self.attachment(of: item, as: id)], under: rules).map { .draft($0) }
  }
}

public import AttachmentPolicy

extension Tray {
  /// Selects an item: appends it to the draft (R-TRAY-5).
  ///
  /// If the rules refuse it, the events state the reasons. An item that is already selected or not shown changes
  /// nothing (R-TRAY-8).
  ///
  /// - Parameter id: The identifier of the attachment in the draft. The item's own by default.
  public mutating func select(_ asset: AssetID, as id: MediaAttachment.ID? = nil) -> [Event] {
    guard draft.index(of: asset) == nil, let item = items.first(where: { $0.id == asset }) else { return [] }
    return draft.add([Self.attachment(of: item, as: id)], under: rules).map { .draft($0) }
  }

  /// Deselects an item and removes it from the draft (R-TRAY-7).
  public mutating func deselect(_ asset: AssetID) -> [Event] {
    draft.remove(asset: asset, under: rules).map { .draft($0) }
  }

  /// Selects or deselects an item, as a tap does.
  public mutating func toggle(_ asset: AssetID) -> [Event] {
    draft.index(of: asset) == nil ? select(asset) : deselect(asset)
  }

  /// Removes an attachment from the draft, which deselects its item (R-TRAY-6).
  public mutating func remove(_ id: MediaAttachment.ID) -> [Event] {
    draft.remove(id, under: rules).map { .draft($0) }
  }

  /// Adds attachments from the system's picker. Those whose asset is shown in the tray become selected there
  /// (R-TRAY-9).
  public mutating func add(picked: [MediaAttachment]) -> [Event] {
    draft.add(picked, under: rules).map { .draft($0) }
  }

  /// Deselects everything and keeps the text (R-TRAY-26).
  public mutating func clearSelection() -> [Event] {
    draft.clearSelection(under: rules).map { .draft($0) }
  }

  /// Applies any other change to the draft: text, order, crops, uploads.
  public mutating func edit(_ change: (inout AttachmentDraft) -> [AttachmentDraft.Event]) -> [Event] {
    change(&draft).map { .draft($0) }
  }

  /// Adds a newly captured photo or video as the tray's first item, and to the draft if the rules accept it (R-TRAY-20,
  /// R-TRAY-21).
  ///
  /// The item must be saved in the library under its identifier. Use ``add(picked:)`` for one that is not: without an
  /// asset, the next load would consider it deleted.
  public mutating func take(_ item: Item, as id: MediaAttachment.ID? = nil) -> [Event] {
    let before = items
    justTaken.removeAll { $0.id == item.id }
    justTaken.insert(item, at: 0)
    justTaken = Array(justTaken.prefix(Self.capacity))
    let shown = events(since: before, vanished: [])
    // Does not call `select`: a new capture may be sent even if the library is not readable.
    guard draft.index(of: item.id) == nil else { return shown }
    return shown + draft.add([Self.attachment(of: item, as: id)], under: rules).map { .draft($0) }
  }
}

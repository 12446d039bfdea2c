public import AttachmentPolicy

extension Tray {
  /// What an operation did to a tray.
  public enum Event: Hashable, Sendable {
    /// The permission to read the library changed.
    case accessChanged(LibraryAccess)
    /// An item appeared in the tray.
    case inserted(AssetID)
    /// An item was removed from the library, and with it from tray and selection (R-TRAY-22).
    ///
    /// With limited access it may only have been deselected in the system's picker; it then stays in the draft.
    case vanished(AssetID)
    /// Items or their order changed: redraw the grid.
    case itemsChanged
    /// The draft, and thus the selection, changed.
    case draft(AttachmentDraft.Event)
  }
}

public import AttachmentPolicy

/// What an operation did to a tray.
public enum TrayEvent: Hashable, Sendable {
  /// Another access to the library.
  case accessChanged(LibraryAccess)
  /// An item is shown that was not.
  case inserted(AssetID)
  /// An item has gone from the library, and with it from the tray and the selection (R-TRAY-22). Under limited access it may only have been
  /// taken from the choice, and stays selected.
  case vanished(AssetID)
  /// Items are others, or in another order: the grid is to be drawn again.
  case itemsChanged
  /// Something happened to the draft, and so to the selection.
  case draft(DraftEvent)
}

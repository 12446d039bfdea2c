public import AttachmentPolicy
internal import MediaModel

extension Tray {
  /// What a tray shows.
  public enum State: Hashable, Sendable {
    /// The user has not been asked for permission yet; request it now (R-TRAY-14).
    case notDetermined
    /// Access is denied: show an explanation and a link to the settings (R-TRAY-15).
    case denied
    /// Access is restricted: show an explanation without a link (R-TRAY-15).
    case restricted
    /// The library is empty: offer to take a photo, with the permissions for that (R-TRAY-17, R-TRAY-19).
    case empty(CaptureAccess)
    /// A grid of photos and videos.
    case grid(Grid)
  }
}

extension Tray {
  /// The cells of a tray.
  public struct Grid: Hashable, Sendable {
    /// The items, newest first (R-TRAY-2). Their number is not padded (R-TRAY-18).
    public var cells: [Cell]
    /// Number of empty cells that fill the last rows.
    public var emptyCells: Int
    /// How many more items can be selected, here or in the system's picker; nil without a limit (R-TRAY-9).
    public var remaining: Int?
    /// Whether no more items can be selected (R-TRAY-11).
    public var limitReached: Bool { remaining == 0 }
  }
}

extension Tray {
  /// A photo or video in the grid, with its selection, or with the reason why it cannot be selected.
  public struct Cell: Hashable, Sendable, Identifiable {
    /// The photo or video.
    public var item: Item
    /// The item's number in the message, from 1; nil when it is not selected.
    public var selected: Int?
    /// Whether the cell reacts to a tap. A selected cell can always be deselected (R-TRAY-11).
    public var isEnabled: Bool { selected != nil || reason == nil }
    /// The reason why it cannot be selected; nil when it can be or is selected.
    public var reason: Verdict.Reason?
    /// The identifier of the item.
    public var id: AssetID { item.id }

    /// The duration in seconds to show on a video; nil on other items (R-TRAY-3).
    public var badgeDuration: Double? { item.info.kind == .video ? item.info.duration : nil }
  }
}

extension Tray {
  /// The number of cells per row and the minimum number of rows.
  public struct Layout: Hashable, Codable, Sendable {
    /// Cells per row. 4 by default; values below 1 count as 1.
    public var columns: Int
    /// Minimum rows, shown even for a single photo. 3 by default, the height of a keyboard; values below 0 count as 0.
    public var rows: Int

    /// Creates a layout.
    public init(columns: Int = 4, rows: Int = 3) {
      self.columns = columns
      self.rows = rows
    }

    /// The number of empty cells for `count` items.
    func emptyCells(beside count: Int) -> Int {
      let (columns, rows) = (max(1, columns), max(0, rows))
      let last = (columns - count % columns) % columns
      let (least, overflow) = columns.multipliedReportingOverflow(by: rows)
      return max(last, overflow ? last : least - count)
    }
  }
}

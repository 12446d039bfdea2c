public import AttachmentPolicy
internal import MediaModel

/// What a tray shows.
public enum TrayState: Hashable, Sendable {
  /// Nobody has been asked: the system's question comes now (R-TRAY-14).
  case notDetermined
  /// A friendly word and the way to the settings (R-TRAY-15).
  case denied
  /// A friendly word; there is no way (R-TRAY-15).
  case restricted
  /// No photo yet: an invitation to take one, with what that needs (R-TRAY-17, R-TRAY-19).
  case empty(CaptureAccess)
  /// Photos and videos.
  case grid(TrayGrid)
}

/// The cells of a tray.
public struct TrayGrid: Hashable, Sendable {
  /// The newest items, the newest first (R-TRAY-2). Their number is the true one (R-TRAY-18).
  public var cells: [TrayCell]
  /// Cells without an item, which fill the last rows.
  public var emptyCells: Int
  /// How many more may be chosen, here or in the system's picker; nil without a limit (R-TRAY-9).
  public var remaining: Int?
  /// Whether no more may be chosen (R-TRAY-11).
  public var limitReached: Bool { remaining == 0 }
}

/// One cell.
public struct TrayCell: Hashable, Sendable, Identifiable {
  /// The photo or video.
  public var item: TrayItem
  /// Its number in the message, counted from 1; nil when it is not selected.
  public var selected: Int?
  /// Whether a tap does something. A selected one can always be taken out again (R-TRAY-11).
  public var isEnabled: Bool { selected != nil || reason == nil }
  /// Why it cannot be selected; nil when it can, or is.
  public var reason: RefusalReason?
  /// The name of its item.
  public var id: AssetID { item.id }

  /// Seconds to show on a video; nil on anything else (R-TRAY-3).
  public var badgeDuration: Double? { item.info.kind == .video ? item.info.duration : nil }
}

/// How many cells a row has, and how many rows are always filled.
public struct TrayLayout: Hashable, Codable, Sendable {
  /// Cells in a row. Default 4. Fewer than one counts as one.
  public var columns: Int
  /// Rows that are there even for a single photo. Default 3: what the space of a keyboard holds. Fewer than none counts as none.
  public var rows: Int

  /// A layout.
  public init(columns: Int = 4, rows: Int = 3) {
    self.columns = columns
    self.rows = rows
  }

  /// Cells without an item beside `count` with one.
  func emptyCells(beside count: Int) -> Int {
    let (columns, rows) = (max(1, columns), max(0, rows))
    let last = (columns - count % columns) % columns
    let (least, overflow) = columns.multipliedReportingOverflow(by: rows)
    return max(last, overflow ? last : least - count)
  }
}

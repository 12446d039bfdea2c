internal import AttachmentPolicy
internal import FileSupport
internal import MediaModel
internal import PhotoTray

/// The table of `tray`.
enum TrayTable {
  static func columns(width: Int) -> [Table.Column] {
    [
      Table.Column(title: "", width: 2, alignsRight: true),
      Table.Column(title: "NAME", width: min(48, max(16, width / 3)), keepsEnd: true),
      Table.Column(title: "KIND", width: 5), Table.Column(title: "LENGTH", width: 7, alignsRight: true),
      Table.Column(title: "TIME", width: 19), Table.Column(title: "REASON", width: nil),
    ]
  }

  /// One row per cell.
  static func rows(_ folder: FolderTray) -> [[Table.Cell]] {
    guard case .grid(let grid) = folder.tray.state else { return [] }
    return grid.cells.map { cell in
      let time = (cell.item.info.takenAt ?? MediaInfo.CaptureTime(secondsSince1970: cell.item.time))?.description
        .prefix(19)
      let path = folder.entries[cell.id]?.candidate.input.path ?? PathBytes("")
      return [
        Table.Cell(cell.selected.map(String.init), .heading), Table.Cell(path: path, cell.isEnabled ? .plain : .quiet),
        Table.Cell(cell.item.info.kind.rawValue, .quiet), Table.Cell(cell.badgeDuration.map(HumanNumbers.duration)),
        Table.Cell(time.map { String($0.replacing("T", with: " ")) }),
        Table.Cell(cell.reason.map { RefusalSentence.text($0, name: cell.item.name ?? "") }, .problem),
      ]
    }
  }

  /// The summary after the cells.
  static func summary(_ tray: Tray) -> String {
    switch tray.state {
    case .notDetermined, .denied, .restricted: return "no permission to read these folders"
    case .empty: return "no photos or videos in these folders"
    case .grid(let grid):
      let selected = tray.draft.items.isEmpty ? "" : ", \(tray.draft.items.count) selected"
      return RefusalSentence.counted(grid.cells.count, "cell") + selected
        + (grid.remaining.map { ", \($0) more can be added" } ?? "")
    }
  }
}

internal import AttachmentPolicy
internal import FileSupport
internal import MediaModel
internal import PhotoTray

/// What `tray` prints on a terminal: one row per cell.
enum TrayTable {
  static let columns: [Table.Column] = [
    Table.Column(title: "", width: 2, alignsRight: true), Table.Column(title: "NAME", width: 16...64, keepsEnd: true),
    Table.Column(title: "KIND", width: 5, priority: 3),
    Table.Column(title: "LENGTH", width: 8, priority: 2, alignsRight: true),
    Table.Column(title: "TIME", width: 19, priority: 1),
  ]

  /// One row per cell.
  static func rows(_ folder: FolderTray) -> [Table.Row] {
    guard case .grid(let grid) = folder.tray.state else { return [] }
    return grid.cells.map { cell in
      let time = cell.item.info.takenAt ?? MediaInfo.CaptureTime(secondsSince1970: cell.item.time)
      let path = folder.entries[cell.id]?.candidate.input.path ?? PathBytes("")
      let reason = cell.reason.map { RefusalSentence.text($0, name: cell.item.name ?? "") }
      let cells = [
        Table.Cell(cell.selected.map(String.init), .heading), Table.Cell(path: path, cell.isEnabled ? .plain : .quiet),
        Table.Cell(cell.item.info.kind.rawValue, .quiet), Table.Cell(cell.badgeDuration.map(HumanNumbers.duration)),
        Table.Cell(time.map(HumanNumbers.second)),
      ]
      return Table.Row(cells: cells, notes: reason.map { [Table.Cell($0, .problem)] } ?? [])
    }
  }

  /// The summary after the cells.
  static func summary(_ tray: Tray) -> String {
    switch tray.state {
    case .notDetermined, .denied, .restricted: return "no permission to read these folders"
    case .empty: return "no photos or videos in these folders"
    case .grid(let grid):
      let selected = tray.draft.items.isEmpty ? "" : ", \(tray.draft.items.count) selected"
      return RefusalSentence.counted(grid.cells.count, "photo or video", "photos and videos") + selected
        + (grid.remaining.map { ", \($0) more can be added" } ?? "")
    }
  }
}

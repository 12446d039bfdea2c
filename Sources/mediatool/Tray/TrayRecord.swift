internal import AttachmentPolicy
internal import FileSupport
internal import MediaModel
internal import PhotoTray

/// The JSON record of `tray` (docs/design.md §7).
struct TrayRecord: Encodable {
  let folder: FolderTray
  /// The paths of written thumbnails; others are in the record as `data:` URLs.
  var files: [AssetID: PathBytes] = [:]

  private enum Keys: CodingKey { case state, access, cells, emptyCells, remaining, limitReached }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Keys.self)
    let tray = folder.tray
    try values.encode(tray.access, forKey: .access)
    let remaining = tray.draft.remaining(under: tray.rules)
    var grid: Tray.Grid?
    switch tray.state {
    case .notDetermined, .denied, .restricted: try values.encode(tray.access.rawValue, forKey: .state)
    case .empty: try values.encode("empty", forKey: .state)
    case .grid(let found):
      try values.encode("grid", forKey: .state)
      grid = found
    }
    try values.encode((grid?.cells ?? []).map { Cell(cell: $0, record: self) }, forKey: .cells)
    try values.encode(grid?.emptyCells ?? 0, forKey: .emptyCells)
    try values.encodeIfPresent(remaining, forKey: .remaining)
    try values.encode(remaining == 0, forKey: .limitReached)
  }

  private struct Cell: Encodable {
    let cell: Tray.Cell
    let record: TrayRecord

    enum Keys: CodingKey {
      case kind, takenAt, time, duration, thumbnail, from, placeholder, selected, enabled, reason
    }

    func encode(to encoder: any Encoder) throws {
      let info = cell.item.info
      if let entry = record.folder.entries[cell.id] {
        try PathKeys.encode(entry.candidate.input.path, as: "path", to: encoder)
      }
      var values = encoder.container(keyedBy: Keys.self)
      try values.encode(info.kind, forKey: .kind)
      try values.encodeIfPresent(info.takenAt, forKey: .takenAt)
      // The time by which it is ordered, the file's if there is no capture time.
      try values.encodeIfPresent(MediaInfo.CaptureTime(secondsSince1970: cell.item.time), forKey: .time)
      try values.encodeIfPresent(info.duration?.rounded(toPlaces: 3), forKey: .duration)
      let rendition = record.folder.rendition("grid", of: cell.id)
      if let file = record.files[cell.id] {
        try PathKeys.encode(file, as: "thumbnail", to: encoder)
      } else if let rendition {
        try values.encode(rendition.address, forKey: .thumbnail)
      }
      try values.encodeIfPresent(rendition?.from, forKey: .from)
      try values.encodeIfPresent(cell.item.placeholder, forKey: .placeholder)
      try values.encodeIfPresent(cell.selected, forKey: .selected)
      try values.encode(cell.isEnabled, forKey: .enabled)
      try values.encodeIfPresent(cell.reason, forKey: .reason)
    }
  }
}

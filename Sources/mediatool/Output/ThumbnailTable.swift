internal import MediaModel

/// The table of `thumbnail`: a row an image, or a row with the icon that is shown in its place.
enum ThumbnailTable {
  static let columns: [Table.Column] = [
    Table.Column(title: "NAME", width: 16...40, keepsEnd: true),
    Table.Column(title: "RENDITION", width: 9, priority: 2),
    Table.Column(title: "DIMENSIONS", width: 11, priority: 3),
    Table.Column(title: "SIZE", width: 7, priority: 1, alignsRight: true),
    Table.Column(title: "FILE", width: 20...200, keepsEnd: true),
  ]

  /// The rows of one record: its images or its icon, and below the last of them what went wrong.
  static func rows(_ record: ThumbnailRecord) -> [Table.Row] {
    var rows = record.renditions.map { written in
      Table.Row(cells: [
        Table.Cell(path: record.path), Table.Cell(written.rendition.name, .quiet),
        Table.Cell(HumanNumbers.dimensions(written.rendition.width, written.rendition.height)),
        Table.Cell(HumanNumbers.size(written.rendition.bytes)), Table.Cell(path: written.file),
      ])
    }
    if record.icon != nil || rows.isEmpty {
      rows.append(
        Table.Row(cells: [
          Table.Cell(path: record.path), Table.Cell(record.icon.map { _ in "icon" }, .quiet),
          Table.Cell(record.icon?.rawValue), Table.Cell(nil), Table.Cell(nil),
        ]))
    }
    if let error = record.error {
      rows[rows.count - 1].notes.append(Table.Cell("\(error.code.rawValue): \(error.message)", .problem))
    }
    return rows
  }
}

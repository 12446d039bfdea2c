internal import MediaModel

/// The table of `thumbnail`: one row per image, or one row with the icon.
enum ThumbnailTable {
  /// Columns for a terminal of `width` cells.
  static func columns(width: Int) -> [Table.Column] {
    let others: [Table.Column] = [
      Table.Column(title: "RENDITION", width: 9),
      Table.Column(title: "DIMENSIONS", width: 12),
      Table.Column(title: "SIZE", width: 7, alignsRight: true),
      Table.Column(title: "FILE", width: nil),
    ]
    let taken = others.reduce(0) { $0 + ($1.width ?? 0) + 2 }
    // The file's name gets half of the rest.
    return [Table.Column(title: "NAME", width: min(40, max(16, (width - taken) / 2)), keepsEnd: true)] + others
  }

  /// The rows of one record: its images or its icon, then its failure.
  static func rows(_ record: ThumbnailRecord) -> [[Table.Cell]] {
    var rows = record.renditions.map { written in
      [
        Table.Cell(path: record.path), Table.Cell(written.rendition.name, .quiet),
        Table.Cell("\(written.rendition.width)×\(written.rendition.height)"),
        Table.Cell(HumanNumbers.size(written.rendition.bytes)), Table.Cell(path: written.file),
      ]
    }
    if record.error != nil || record.icon != nil {
      let problem = record.error.map { "\($0.code.rawValue): \($0.message)" }
      rows.append([
        Table.Cell(path: record.path), Table.Cell(record.icon.map { _ in "icon" }, .quiet),
        Table.Cell(record.icon?.rawValue), Table.Cell(nil), Table.Cell(problem, .problem),
      ])
    }
    return rows
  }
}

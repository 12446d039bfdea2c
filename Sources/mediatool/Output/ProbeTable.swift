internal import MediaModel

/// The table of `probe`.
enum ProbeTable {
  /// Columns for a terminal of `width` cells; the name gets the cells that the others leave.
  static func columns(width: Int) -> [Table.Column] {
    let others: [Table.Column] = [
      Table.Column(title: "TYPE", width: 13),
      Table.Column(title: "SIZE", width: 7, alignsRight: true),
      Table.Column(title: "DIMENSIONS", width: 15),
      Table.Column(title: "TAKEN", width: 10),
      Table.Column(title: "GPS", width: 3),
      Table.Column(title: "PROBLEM", width: nil),
    ]
    let taken = others.reduce(0) { $0 + ($1.width ?? 0) + 2 }
    let name = min(48, max(16, width - taken))
    return [Table.Column(title: "NAME", width: name, keepsEnd: true)] + others
  }

  /// The cells of one record.
  static func cells(_ record: ProbeRecord) -> [Table.Cell] {
    let info = record.info
    // `image jpg`: the kind, and the usual name of the format.
    let type = info.map { info in
      guard let known = info.extension else { return info.kind.rawValue }
      return "\(info.kind.rawValue) \(known)"
    }
    return [
      Table.Cell(path: record.path),
      Table.Cell(type, .quiet),
      Table.Cell(info.map { HumanNumbers.size($0.bytes) }),
      Table.Cell(info.map(extent)),
      Table.Cell(info?.takenAt.map { String($0.description.prefix(10)) }),
      Table.Cell(info?.latitude != nil && info?.longitude != nil ? "yes" : nil),
      problem(record),
    ]
  }

  /// Size in pixels, length, or both.
  private static func extent(_ info: MediaInfo) -> String {
    [info.displaySize.map { "\($0.width)×\($0.height)" }, info.duration.map(HumanNumbers.duration)]
      .compactMap { $0 }.joined(separator: " ")
  }

  private static func problem(_ record: ProbeRecord) -> Table.Cell {
    if let error = record.error { return Table.Cell("\(error.code.rawValue): \(error.message)", .problem) }
    if let mismatch = record.info?.mismatch, let type = record.info?.type {
      return Table.Cell("declared \(mismatch.declared), is \(type)", .warning)
    }
    return Table.Cell(nil)
  }
}

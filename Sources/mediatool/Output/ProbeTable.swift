internal import MediaModel

/// What `probe` prints on a terminal: one row per file.
enum ProbeTable {
  static let columns: [Table.Column] = [
    Table.Column(title: "NAME", width: 20...48, keepsEnd: true), Table.Column(title: "TYPE", width: 13, priority: 2),
    Table.Column(title: "SIZE", width: 7, priority: 1, alignsRight: true),
    Table.Column(title: "DIMENSIONS", width: 11, priority: 3),
    Table.Column(title: "LENGTH", width: 8, priority: 5, alignsRight: true),
    Table.Column(title: "TAKEN", width: 10, priority: 4), Table.Column(title: "GPS", width: 3, priority: 6),
    Table.Column(title: "CAMERA", width: 14...24, priority: 7),
    Table.Column(title: "CODECS", width: 10...20, priority: 8),
  ]

  /// The facts of a file, or why they are missing.
  static func row(_ record: ProbeRecord) -> Table.Row {
    let info = record.info
    // `image jpg`: the kind, and the usual name of the format.
    let type = info.map { info in
      guard let known = info.extension else { return info.kind.rawValue }
      return "\(info.kind.rawValue) \(known)"
    }
    return Table.Row(
      cells: [
        Table.Cell(path: record.path), Table.Cell(type, .quiet), Table.Cell(info.map { HumanNumbers.size($0.bytes) }),
        Table.Cell(info?.displaySize.map { HumanNumbers.dimensions($0.width, $0.height) }),
        Table.Cell(info?.duration.map(HumanNumbers.duration)),
        Table.Cell(info?.takenAt.map(HumanNumbers.day)),
        Table.Cell(info?.latitude != nil && info?.longitude != nil ? "yes" : nil),
        Table.Cell(info.flatMap(camera), .quiet), Table.Cell(info.flatMap(codecs), .quiet),
      ], notes: problems(record))
  }

  /// What is wrong with a file, a line each.
  static func problems(_ record: ProbeRecord) -> [Table.Cell] {
    var problems: [Table.Cell] = []
    if let error = record.error { problems.append(Table.Cell("\(error.code.rawValue): \(error.message)", .problem)) }
    if let mismatch = record.info?.mismatch, let type = record.info?.type {
      problems.append(Table.Cell("declared \(mismatch.declared), is \(type)", .warning))
    }
    return problems
  }

  /// Maker and model, the maker once.
  static func camera(_ info: MediaInfo) -> String? {
    guard let model = info.model else { return info.make }
    guard let make = info.make, !model.lowercased().hasPrefix(make.lowercased()) else { return model }
    return "\(make) \(model)"
  }

  static func codecs(_ info: MediaInfo) -> String? {
    let codecs = [info.videoCodec, info.audioCodec].compactMap { $0 }
    return codecs.isEmpty ? nil : codecs.joined(separator: ", ")
  }
}

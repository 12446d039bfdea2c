internal import MediaLibrary
internal import MediaModel

/// The JSON record of a library file: the keys of `probe`, and what only the library knows.
struct LibraryRecord: Encodable {
  let file: CatalogueFile
  let info: MediaInfo?
  /// Its position when its cluster is opened.
  var offset: LocationMap.Layout.Offset?

  init(_ file: CatalogueFile, offset: LocationMap.Layout.Offset? = nil) throws(LibraryError) {
    (self.file, self.offset) = (file, offset)
    info = try file.info()
  }

  private enum Keys: CodingKey { case id, time, timeSource, owner, collection, title, caption, placeholder, offset }

  func encode(to encoder: any Encoder) throws {
    let path = file.stamp.path
    if let info {
      try ProbeRecord(path: path, info: info).encode(to: encoder)
    } else {
      try PathKeys.encode(path, as: "path", to: encoder)
    }
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode(file.id.rawValue, forKey: .id)
    try container.encode(file.time, forKey: .time)
    try container.encode(file.timeSource, forKey: .timeSource)
    try container.encodeIfPresent(file.owner, forKey: .owner)
    try container.encodeIfPresent(file.collection, forKey: .collection)
    // A title that a user set replaces the file's own.
    if let title = file.title { try container.encode(title, forKey: .title) }
    try container.encodeIfPresent(file.caption, forKey: .caption)
    try container.encodeIfPresent(file.placeholder, forKey: .placeholder)
    try container.encodeIfPresent(offset, forKey: .offset)
  }

  /// The table of files of a library.
  static func table() -> Table {
    Table(columns: ProbeTable.columns)
  }

  /// The row of this file there.
  var row: Table.Row {
    let path = file.stamp.path
    return ProbeTable.row(
      info.map { ProbeRecord(path: path, info: $0) }
        ?? ProbeRecord(
          path: path, failure: file.failure ?? MediaFailure(.unrecognized, "The file has not been scanned yet.")))
  }
}

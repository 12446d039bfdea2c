internal import FileSupport
internal import GRDB
internal import MediaModel

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Conversion of catalogue rows to records.
enum FileRows {
  /// The columns of a ``KnownFile``, in the order in which ``known(_:)`` reads them.
  static let knownColumns = """
    file.id, folder.path, file.name, file.device, file.inode, file.size, file.modified, file.changed, file.state,
    file.before, file.failure, file.attempts, engine.text, recipe.text
    """
  /// Their joins, after `FROM file …`.
  static let knownJoins = """
    CROSS JOIN folder ON folder.id = file.folder
    LEFT JOIN word AS engine ON engine.id = file.engine LEFT JOIN word AS recipe ON recipe.id = file.recipe
    """

  static func known(_ row: Row) throws -> KnownFile {
    // A state that no version has is damage: the scan that meets it reads the file again.
    KnownFile(
      id: FileID(rawValue: row[0]), stamp: try stamp(row),
      state: CatalogueFile.State(number: try row.decode(atIndex: 8)) ?? .new,
      stateBefore: CatalogueFile.State(number: try row.decode(atIndex: 9)) ?? .new,
      failure: ((try? text(row, 10)) ?? nil).map(MediaFailure.Code.init), attempts: try row.decode(atIndex: 11),
      engine: ((try? text(row, 12)) ?? nil) ?? "", recipe: ((try? text(row, 13)) ?? nil) ?? "")
  }

  /// The columns of a ``CatalogueFile``, in the order in which ``file(_:)`` reads them.
  static let columns = """
    \(knownColumns), file.kind, file.time, file.time_source, file.latitude, file.longitude, file.altitude,
    file.location_source, content.digest, content.thumbhash, content.blurhash, content.color, owner.name,
    collection.name, file.title, file.caption, file.failure_message, file.failure_detail, content.facts,
    file.mismatch, owner.location
    """
  static let joins = """
    \(knownJoins) LEFT JOIN content ON content.id = file.content LEFT JOIN owner ON owner.id = file.owner
    LEFT JOIN collection ON collection.id = file.collection
    """

  static func file(_ row: Row) throws -> CatalogueFile {
    var location: Location?
    if let latitude = try row.decode(Double?.self, atIndex: 17),
      let longitude = try row.decode(Double?.self, atIndex: 18)
    {
      location = Location(
        latitude: latitude, longitude: longitude, altitude: try row.decode(Double?.self, atIndex: 19),
        source: try row.decode(String?.self, atIndex: 20).flatMap(Location.Source.init) ?? .file)
    }
    var placeholder: Placeholder?
    if let thumbhash = try row.decode(String?.self, atIndex: 22),
      let blurhash = try row.decode(String?.self, atIndex: 23),
      let color = try row.decode(String?.self, atIndex: 24)
    {
      placeholder = Placeholder(thumbhash: thumbhash, blurhash: blurhash, color: color)
    }
    var failure: MediaFailure?
    if let code = try row.decode(String?.self, atIndex: 10),
      let message = try row.decode(String?.self, atIndex: 29)
    {
      failure = MediaFailure(
        MediaFailure.Code(rawValue: code), message, detail: try row.decode(String?.self, atIndex: 30))
    }
    return CatalogueFile(
      id: FileID(rawValue: row[0]), stamp: try stamp(row), state: try state(row.decode(atIndex: 8)),
      kind: try row.decode(Int64?.self, atIndex: 14).flatMap(MediaKind.init(number:)),
      time: try row.decode(atIndex: 15),
      timeSource: MediaInfo.TimeSource(rawValue: try row.decode(atIndex: 16)), location: location,
      digest: try data(row, 21).flatMap { ContentDigest(bytes: $0) }, placeholder: placeholder,
      owner: try text(row, 25),
      collection: try text(row, 26), title: try text(row, 27), caption: try text(row, 28), failure: failure,
      attempts: try row.decode(atIndex: 11),
      engine: try text(row, 12) ?? "", facts: try data(row, 31) ?? [], mismatch: try mismatch(text(row, 32)),
      hidesLocation: try row.decode(Int64?.self, atIndex: 33) == 0)
  }

  private static func stamp(_ row: Row) throws -> FileStamp {
    // A row that lost its path to another file has a NUL and its number after its name.
    let name = (try data(row, 2) ?? []).prefix { $0 != 0 }
    return FileStamp(
      path: PathBytes(try data(row, 1) ?? []).appending(name), device: UInt64(bitPattern: try row.decode(atIndex: 3)),
      inode: UInt64(bitPattern: try row.decode(atIndex: 4)), size: try row.decode(atIndex: 5),
      modified: try row.decode(atIndex: 6), changed: try row.decode(atIndex: 7))
  }

  private static func state(_ number: Int64) throws -> CatalogueFile.State {
    guard let state = CatalogueFile.State(number: number) else {
      throw LibraryError(.corrupt, LibraryError.damagedRow, detail: "a file in state \(number)")
    }
    return state
  }

  /// The bytes of a column; nil for a value of another type.
  static func bytes(_ row: Row, _ column: Int) -> [UInt8]? { (try? data(row, column)) ?? nil }

  /// The bytes of a column. A value of another type is an error; with a subscript it would end the process.
  static func data(_ row: Row, _ column: Int) throws -> [UInt8]? {
    try row.decode(Data?.self, atIndex: column).map { [UInt8]($0) }
  }

  /// The text of a column. A value of another type, and bytes that are not UTF-8, are an error.
  private static func text(_ row: Row, _ column: Int) throws -> String? {
    try row.decode(String?.self, atIndex: column)
  }

  static func mismatch(_ text: String?) throws -> MediaInfo.Mismatch? {
    try text.map { try JSONDecoder().decode(MediaInfo.Mismatch.self, from: Data($0.utf8)) }
  }
}

extension MediaKind: NumberedCase {
  /// The number in the catalogue; never changes. Photos and videos are the two smallest, on which indexes rely.
  var number: Int64 {
    switch self {
    case .image: 0
    case .video: 1
    case .audio: 2
    case .document: 3
    case .contact: 4
    case .text: 5
    case .archive: 6
    case .other: 7
    }
  }
}

extension PathBytes {
  /// The path for the database, in which paths are never text.
  var data: Data { Data(bytes) }

  /// Bounds of all paths below this one: with a slash at the end, and with the byte after a slash.
  var below: (from: PathBytes, to: PathBytes) {
    let base = bytes == [Self.slash] ? [] : bytes
    return (PathBytes(base + [Self.slash]), PathBytes(base + [Self.slash + 1]))
  }
}

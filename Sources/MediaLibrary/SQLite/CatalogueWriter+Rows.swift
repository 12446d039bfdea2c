internal import FileSupport
internal import GRDB
internal import MediaModel

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The row operations of which changes consist.
extension CatalogueWriter {
  /// The file with an id; nil if it was erased.
  func knownIfThere(_ id: FileID) throws -> KnownFile? {
    let byID = try db.cachedStatement(sql: FileQueries.knownByID)
    return try Row.fetchOne(byID, arguments: [id.rawValue]).map { try FileRows.known($0) }
  }

  /// The row at the path of a stamp, updated to that stamp.
  mutating func upsert(_ stamp: FileStamp, _ known: KnownFile?) throws -> Int64 {
    if let known {
      if known.stamp != stamp {
        try run(
          """
          UPDATE file SET folder = ?, name = ?, device = ?, inode = ?, size = ?, modified = ?, changed = ? WHERE id = ?
          """, try stampArguments(stamp) + [known.id.rawValue])
      }
      return known.id.rawValue
    }
    try run(WriterQueries.insertNew, try stampArguments(stamp) + [stamp.modified.secondsDown])
    return db.lastInsertedRowID
  }

  func displace(_ id: FileID) throws { try run(WriterQueries.displace, [id.rawValue]) }

  mutating func stampArguments(_ stamp: FileStamp) throws -> [(any DatabaseValueConvertible)?] {
    [
      try folderID(stamp.path.folder), Data(stamp.path.name), Int64(bitPattern: stamp.device),
      Int64(bitPattern: stamp.inode), stamp.size, stamp.modified, stamp.changed,
    ]
  }

  mutating func folderID(_ path: PathBytes) throws -> Int64 {
    if let folder, folder.path == path { return folder.id }
    let id: Int64
    let found = try Int64.fetchOne(
      try db.cachedStatement(sql: FileQueries.folderID), arguments: [path.data])
    if let found {
      id = found
    } else {
      try run("INSERT INTO folder (path) VALUES (?)", [path.data])
      id = db.lastInsertedRowID
      // The lookup caches folders that were missing.
      lookup = try PathLookup(db)
    }
    folder = (path, id)
    return id
  }

  /// The content of a file: the one with the digest, or the file's own if that is unchanged, or a new one.
  mutating func content(
    of file: Int64?, sameAsBefore: Bool, digest: ContentDigest?, info: MediaInfo
  ) throws -> Int64 {
    let facts = try FactsCoding.encode(info, keepsLocation: keepsLocations)
    let digestData = digest.map { Data($0.bytes) }
    var content: Int64?
    if let digestData {
      let byDigest = try db.cachedStatement(sql: "SELECT id FROM content WHERE digest = ?")
      content = try Int64.fetchOne(byDigest, arguments: [digestData])
    }
    if content == nil, sameAsBefore {
      let ofFile = try db.cachedStatement(
        sql: """
          SELECT content.id FROM file CROSS JOIN content ON content.id = file.content
          WHERE file.id = ?1 AND (content.digest IS NULL OR ?2 IS NULL OR content.digest = ?2)
          """)
      content = try Int64.fetchOne(ofFile, arguments: [file, digestData])
    }
    if let content {
      try run(
        "UPDATE content SET facts = ?, bytes = ?, digest = coalesce(?, digest) WHERE id = ?",
        [facts, info.bytes, digestData, content])
      return content
    }
    try run("INSERT INTO content (digest, bytes, facts) VALUES (?, ?, ?)", [digestData, info.bytes, facts])
    return db.lastInsertedRowID
  }

  /// - Returns: Whether its bytes are in the store. Those of an equal content may have been erased since they were stored. Then the file gets no
  ///   recipe, and the next scan makes the rendition again.
  func put(_ rendition: StoredRendition, of content: Int64) throws -> Bool {
    guard let address = rendition.digest else {
      throw LibraryError(
        .invalidRequest,
        "The storage address of a rendition is not a SHA-256 digest; use the address that the store returned for it.",
        detail: rendition.address)
    }
    guard try store.contains(address) else { return false }
    try run(
      """
      INSERT INTO rendition VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET address = excluded.address,
        type = excluded.type, width = excluded.width, height = excluded.height, frames = excluded.frames,
        bytes = excluded.bytes, source = excluded.source
      """,
      [
        content, rendition.name, Data(address.bytes), rendition.type.rawValue, rendition.width, rendition.height,
        rendition.frames, rendition.bytes, rendition.from.rawValue,
      ])
    return true
  }

  func setFacts(of file: Int64, _ stamp: FileStamp, _ info: MediaInfo, content: Int64) throws {
    let (time, source) = Self.time(of: stamp, info)
    try run(
      "UPDATE file SET content = ?, kind = ?, time = ?, time_source = ?, mismatch = ? WHERE id = ?",
      [content, info.kind.number, time, source, try FactsCoding.encode(info.mismatch), file])
    try eraseLocationOfFile(file)
    if info.latitude != nil || info.longitude != nil { try dropUnwantedLocation(of: file) }
    guard let location = location(of: info) else { return }
    try run(
      """
      UPDATE file SET latitude = ?, longitude = ?, altitude = ?, location_source = ?, location = ?
      WHERE id = ? AND location_source IS NULL
      """,
      [location.latitude, location.longitude, location.altitude, location.source.rawValue, location.code, file])
  }

  /// Removes the location from the facts of a file whose owner wants none stored; triggers keep it out of the row.
  private func dropUnwantedLocation(of file: Int64) throws {
    let unwanted = try db.cachedStatement(
      sql: """
        SELECT 1 FROM file CROSS JOIN owner ON owner.id = file.owner
        WHERE file.id = ? AND owner.location = \(Moment.LocationSharing.none.sql)
        """)
    guard try Int64.fetchOne(unwanted, arguments: [file]) != nil else { return }
    try SQLiteCatalogue.dropLocationsOfFacts("file.id = ?", [file], db)
  }

  /// A location that a user set stays; one from the content is erased with it.
  func eraseLocationOfFile(_ file: Int64) throws {
    try run(
      """
      UPDATE file SET latitude = NULL, longitude = NULL, altitude = NULL, location_source = NULL, location = NULL
      WHERE id = ? AND location_source = 'file'
      """, [file])
  }

  mutating func word(_ text: String) throws -> Int64? {
    if text.isEmpty { return nil }
    if let id = words[text] { return id }
    try run("INSERT OR IGNORE INTO word (text) VALUES (?)", [text])
    let id = try Int64.fetchOne(db, sql: "SELECT id FROM word WHERE text = ?", arguments: [text])
    words[text] = id
    return id
  }

  func run(_ sql: String, _ arguments: [(any DatabaseValueConvertible)?]) throws {
    try db.cachedStatement(sql: sql).execute(arguments: StatementArguments(arguments))
  }

  /// Whether a mismatch of name and content is the same for both names.
  static func sameExtension(_ one: PathBytes, _ other: PathBytes) -> Bool {
    func ending(_ path: PathBytes) -> String {
      let name = path.name
      guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return "" }
      return String(decoding: name[dot...], as: UTF8.self).lowercased()
    }
    return ending(one) == ending(other)
  }
}

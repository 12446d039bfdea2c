internal import FoundationEssentials
internal import GRDB
internal import MediaModel

/// Makes the changes of one batch.
struct CatalogueWriter {
  let db: Database
  let keepsPlaces: Bool
  let store: any RenditionStore
  private var lookup: PathLookup
  /// The last folder that was needed: most files of a batch lie in the same.
  private var folder: (path: PathBytes, id: Int64)?
  private var words: [String: Int64] = [:]

  init(_ db: Database, keepsPlaces: Bool, store: any RenditionStore) throws {
    (self.db, self.keepsPlaces, self.store) = (db, keepsPlaces, store)
    lookup = try PathLookup(db)
  }

  mutating func make(_ change: CatalogueChange) throws {
    switch change {
    case .discovered(let stamp): try discover(stamp)
    case .done(let stamp, let result): try finish(stamp, result)
    case .failed(let stamp, let failure, let info, let engine, let recipe):
      try fail(stamp, failure, info: info, engine: engine, recipe: recipe)
    case .moved(let id, let stamp): try move(id, to: stamp)
    case .linked(let id, let stamp): try link(id, to: stamp)
    case .returned(let id):
      try run("UPDATE file SET state = before WHERE id = ? AND state <> before", [id.rawValue])
    case .vanished(let id):
      try run(
        "UPDATE file SET before = iif(state = 4, 4, before), state = 3 WHERE id = ? AND state <> 3", [id.rawValue])
    case .folderVanished(let path):
      let (from, to) = path.below
      try run(
        """
        UPDATE file SET before = iif(state = 4, 4, before), state = 3 WHERE state <> 3 AND folder IN (
          SELECT id FROM folder WHERE path = ? UNION ALL SELECT id FROM folder WHERE path > ? AND path < ?)
        """, [path.data, from.data, to.data])
    case .quarantined(let id, let reason):
      try run(
        """
        UPDATE file SET state = 4, failure = 'quarantined', failure_message = ?, failure_detail = NULL
        WHERE id = ? AND state <> 4
        """, [reason, id.rawValue])
    case .folderDone(let path, let fingerprint):
      let id = try folderID(path)
      try run("UPDATE folder SET fingerprint = ? WHERE id = ?", [Int64(bitPattern: fingerprint), id])
    }
  }

  // MARK: What the cases do

  private mutating func discover(_ stamp: FileStamp) throws {
    let known = try lookup.file(at: stamp.path)
    // A file that stands as it did keeps what is known of it.
    if let known, known.stamp.sameContent(as: stamp), known.state != .vanished { return }
    let id = try place(stamp, known)
    try run(
      """
      UPDATE file SET state = 0, before = 0, content = NULL, kind = NULL, time = ?, time_source = 'file', mismatch = NULL,
        failure = NULL, failure_message = NULL, failure_detail = NULL, attempts = 0 WHERE id = ?
      """, [stamp.modified.secondsDown, id])
    try forgetPlaceOfFile(id)
  }

  private mutating func finish(_ stamp: FileStamp, _ result: FileResult) throws {
    let known = try lookup.file(at: stamp.path)
    let id = try place(stamp, known)
    let content = try content(
      of: id, sameAsBefore: known?.stamp.sameContent(as: stamp) == true, digest: result.digest, info: result.info)
    if let placeholder = result.placeholder {
      try run(
        "UPDATE content SET thumbhash = ?, blurhash = ?, color = ? WHERE id = ?",
        [placeholder.thumbhash, placeholder.blurhash, placeholder.color, content])
    }
    var isWhole = true
    for rendition in result.renditions where try !put(rendition, of: content) { isWhole = false }
    try setFacts(of: id, stamp, result.info, content: content)
    try run(
      """
      UPDATE file SET state = 1, before = 1, failure = NULL, failure_message = NULL, failure_detail = NULL, attempts = 0,
        engine = ?, recipe = ? WHERE id = ?
      """, [try word(result.engine), isWhole ? try word(result.recipe) : nil, id])
  }

  private mutating func fail(
    _ stamp: FileStamp, _ failure: MediaFailure, info: MediaInfo?, engine: String, recipe: String
  ) throws {
    let known = try lookup.file(at: stamp.path)
    let isSame = known?.stamp.sameContent(as: stamp) == true
    let id = try place(stamp, known)
    if let info {
      let content = try content(of: id, sameAsBefore: isSame, digest: nil, info: info)
      try setFacts(of: id, stamp, info, content: content)
    } else if !isSame {
      try run(
        "UPDATE file SET content = NULL, kind = NULL, time = ?, time_source = 'file', mismatch = NULL WHERE id = ?",
        [stamp.modified.secondsDown, id])
      try forgetPlaceOfFile(id)
    }
    let attempts = isSame && known?.failure != nil ? (known?.attempts ?? 0) + 1 : 1
    try run(
      """
      UPDATE file SET state = 2, before = 2, failure = ?, failure_message = ?, failure_detail = ?, attempts = ?, engine = ?,
        recipe = ? WHERE id = ?
      """,
      [
        failure.code.rawValue, failure.message, failure.detail, attempts, try word(engine), try word(recipe), id,
      ])
  }

  private mutating func move(_ id: FileID, to stamp: FileStamp) throws {
    if let there = try lookup.file(at: stamp.path), there.id != id { try displace(there.id) }
    let old = try known(id)
    try run(
      """
      UPDATE file SET folder = ?, name = ?, device = ?, inode = ?, size = ?, modified = ?, changed = ?, state = before,
        mismatch = iif(?, mismatch, NULL) WHERE id = ?
      """,
      try stampArguments(stamp) + [Self.sameExtension(old.stamp.path, stamp.path), id.rawValue])
  }

  private mutating func link(_ id: FileID, to stamp: FileStamp) throws {
    let source = try known(id)
    let known = try lookup.file(at: stamp.path)
    guard known?.id != id else { return try move(id, to: stamp) }
    let new = try place(stamp, known)
    // What the file itself says is the same; what people said of it is not taken along.
    try run(
      """
      UPDATE file SET (state, before, content, kind, time, time_source, mismatch, failure, failure_message, failure_detail,
        attempts, engine, recipe) = (SELECT before, before, content, kind, time, time_source, iif(?, mismatch, NULL),
        failure, failure_message, failure_detail, attempts, engine, recipe FROM file WHERE id = ?) WHERE id = ?
      """, [Self.sameExtension(source.stamp.path, stamp.path), id.rawValue, new])
    try forgetPlaceOfFile(new)
    try run(
      """
      UPDATE file SET (latitude, longitude, altitude, place_source, place) = (SELECT latitude, longitude, altitude,
        place_source, place FROM file WHERE id = ?1 AND place_source = 'file')
      WHERE id = ?2 AND place_source IS NULL
      """, [id.rawValue, new])
  }

  // MARK: Rows

  private func known(_ id: FileID) throws -> KnownFile {
    guard let row = try Row.fetchOne(db, sql: FileQueries.knownByID, arguments: [id.rawValue]) else {
      throw LibraryError(.invalidRequest, "There is no such file.", detail: "file \(id.rawValue)")
    }
    return try FileRows.known(row)
  }

  /// The row at the path of a stamp, with that stamp.
  private mutating func place(_ stamp: FileStamp, _ known: KnownFile?) throws -> Int64 {
    if let known {
      if known.stamp != stamp {
        try run(
          """
          UPDATE file SET folder = ?, name = ?, device = ?, inode = ?, size = ?, modified = ?, changed = ? WHERE id = ?
          """, try stampArguments(stamp) + [known.id.rawValue])
      }
      return known.id.rawValue
    }
    try run(
      """
      INSERT INTO file (folder, name, device, inode, size, modified, changed, state, before, time, time_source)
      VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0, ?, 'file')
      """, try stampArguments(stamp) + [stamp.modified.secondsDown])
    return db.lastInsertedRowID
  }

  /// A file that another one has taken the path of: it may turn up elsewhere. No name holds a NUL, so this one is free.
  private func displace(_ id: FileID) throws {
    try run(
      """
      UPDATE file SET before = iif(state = 3, before, iif(state = 4, 4, before)), state = 3,
        name = CAST(name || x'00' || id AS BLOB) WHERE id = ?
      """, [id.rawValue])
  }

  private mutating func stampArguments(_ stamp: FileStamp) throws -> [(any DatabaseValueConvertible)?] {
    [
      try folderID(stamp.path.folder), Data(stamp.path.name), Int64(bitPattern: stamp.device),
      Int64(bitPattern: stamp.inode), stamp.size, stamp.modified, stamp.changed,
    ]
  }

  private mutating func folderID(_ path: PathBytes) throws -> Int64 {
    if let folder, folder.path == path { return folder.id }
    let id: Int64
    let found = try Int64.fetchOne(
      try db.cachedStatement(sql: FileQueries.folderID), arguments: [path.data])
    if let found {
      id = found
    } else {
      try run("INSERT INTO folder (path) VALUES (?)", [path.data])
      id = db.lastInsertedRowID
      // The lookup remembers folders that were not there.
      lookup = try PathLookup(db)
    }
    folder = (path, id)
    return id
  }

  /// The content of a file: the one of that digest, else its own if that is the same as before, else a new one.
  private mutating func content(
    of file: Int64, sameAsBefore: Bool, digest: ContentDigest?, info: MediaInfo
  ) throws -> Int64 {
    let facts = try FactsCoding.encode(info, keepsPlace: keepsPlaces)
    let digestData = digest.map { Data($0.bytes) }
    var content: Int64?
    if let digestData {
      content = try Int64.fetchOne(db, sql: "SELECT id FROM content WHERE digest = ?", arguments: [digestData])
    }
    if content == nil, sameAsBefore {
      content = try Int64.fetchOne(
        db,
        sql: """
          SELECT content.id FROM file CROSS JOIN content ON content.id = file.content
          WHERE file.id = ?1 AND (content.digest IS NULL OR ?2 IS NULL OR content.digest = ?2)
          """, arguments: [file, digestData])
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

  /// - Returns: Whether its bytes are there. Those of a like content may have been erased since they were put; then the file
  ///   has no recipe, and the next scan makes the rendition again.
  private func put(_ rendition: StoredRendition, of content: Int64) throws -> Bool {
    guard let address = rendition.digest else {
      throw LibraryError(.invalidRequest, "A rendition has no address.", detail: rendition.address)
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

  private func setFacts(of file: Int64, _ stamp: FileStamp, _ info: MediaInfo, content: Int64) throws {
    var (time, source) = (stamp.modified.secondsDown, "file")
    // A capture time after the last change of the file is a camera's wrong clock; a day for the time zones (decision 31).
    if let taken = info.takenAt?.secondsSince1970, taken <= stamp.changed.secondsDown + 86_400 {
      (time, source) = (Int64(taken), info.takenAtSource?.rawValue ?? "unknown")
    }
    try run(
      "UPDATE file SET content = ?, kind = ?, time = ?, time_source = ?, mismatch = ? WHERE id = ?",
      [content, info.kind.number, time, source, try FactsCoding.encode(info.mismatch), file])
    try forgetPlaceOfFile(file)
    guard keepsPlaces, let latitude = info.latitude, let longitude = info.longitude,
      let place = Place(latitude: latitude, longitude: longitude, altitude: info.altitude, source: .file)
    else { return }
    try run(
      """
      UPDATE file SET latitude = ?, longitude = ?, altitude = ?, place_source = 'file', place = ?
      WHERE id = ? AND place_source IS NULL
      """,
      [place.latitude, place.longitude, place.altitude, place.code, file])
  }

  /// What somebody said stays; what a content said goes with it.
  private func forgetPlaceOfFile(_ file: Int64) throws {
    try run(
      """
      UPDATE file SET latitude = NULL, longitude = NULL, altitude = NULL, place_source = NULL, place = NULL
      WHERE id = ? AND place_source = 'file'
      """, [file])
  }

  private mutating func word(_ text: String) throws -> Int64? {
    if text.isEmpty { return nil }
    if let id = words[text] { return id }
    try run("INSERT OR IGNORE INTO word (text) VALUES (?)", [text])
    let id = try Int64.fetchOne(db, sql: "SELECT id FROM word WHERE text = ?", arguments: [text])
    words[text] = id
    return id
  }

  private func run(_ sql: String, _ arguments: [(any DatabaseValueConvertible)?]) throws {
    try db.cachedStatement(sql: sql).execute(arguments: StatementArguments(arguments))
  }

  /// Whether a disagreement of name and content is the same under both names.
  private static func sameExtension(_ one: PathBytes, _ other: PathBytes) -> Bool {
    func ending(_ path: PathBytes) -> String {
      let name = path.name
      guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return "" }
      return String(decoding: name[dot...], as: UTF8.self).lowercased()
    }
    return ending(one) == ending(other)
  }
}

extension SQLiteCatalogue {
  func apply(_ changes: [CatalogueChange]) throws(LibraryError) {
    guard !changes.isEmpty else { return }
    try write { db in
      var writer = try CatalogueWriter(db, keepsPlaces: keepsPlaces, store: store)
      for change in changes { try writer.make(change) }
    }
  }
}

extension Int64 {
  /// Seconds of nanoseconds, towards the past.
  var secondsDown: Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: 1_000_000_000)
    return remainder < 0 ? quotient - 1 : quotient
  }
}

extension Place {
  /// The place in the order of the map.
  var code: Int64 { PlaceCode.code(latitude: latitude, longitude: longitude) }
}

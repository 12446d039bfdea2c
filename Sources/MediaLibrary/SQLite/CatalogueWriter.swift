internal import FileSupport
internal import GRDB
internal import MediaModel

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Applies the changes of one batch.
struct CatalogueWriter {
  let db: Database
  let keepsLocations: Bool
  let store: any RenditionStore
  var lookup: PathLookup
  /// The last folder that was needed, because most files of a batch are in the same one.
  var folder: (path: PathBytes, id: Int64)?
  var words: [String: Int64] = [:]

  init(_ db: Database, keepsLocations: Bool, store: any RenditionStore) throws {
    (self.db, self.keepsLocations, self.store) = (db, keepsLocations, store)
    lookup = try PathLookup(db)
  }

  mutating func make(_ change: CatalogueChange) throws {
    switch change {
    case .discovered(let stamp): try discover(stamp)
    case .done(let stamp, let result): try finish(stamp, result)
    case .failed(let stamp, let failure, let info, let engine, let recipe):
      try fail(stamp, failure, info: info, engine: engine, recipe: recipe)
    case .moved(let id, let stamp): try move(id, to: stamp)
    case .linked(let id, let stamp):
      if let there = try lookup.file(at: stamp.path), there.id != id, there.stamp.inode != stamp.inode {
        try displace(there.id)
      }
      try link(id, to: stamp)
    case .recognized(let stamp, let digest, let from): try recognize(stamp, digest, from: from)
    case .mismatch(let path, let mismatch):
      guard let known = try lookup.file(at: path), known.state == .done else { return }
      try run("UPDATE file SET mismatch = ? WHERE id = ?", [try FactsCoding.encode(mismatch), known.id.rawValue])
    case .returned(let id):
      try run(WriterQueries.return, [id.rawValue])
    case .vanished(let id):
      try run(WriterQueries.vanish, [id.rawValue])
    case .folderVanished(let path):
      let (from, to) = path.below
      try run(WriterQueries.vanishInFolder, [path.data, from.data, to.data])
      // Reported once: until it has files again, the folder cannot vanish.
      try run(
        """
        UPDATE folder SET vanished = 1, fingerprint = NULL WHERE vanished = 0 AND id IN (
          SELECT id FROM folder WHERE path = ? UNION ALL SELECT id FROM folder WHERE path > ? AND path < ?)
        """, [path.data, from.data, to.data])
    // The end of the transaction sets the states (``ModerationChanges``).
    case .quarantined(let id, let reason): try run(WriterQueries.flag, [id.rawValue, reason])
    case .released(let id): try run(WriterQueries.unflag, [id.rawValue])
    case .folderDone(let path, let fingerprint):
      let id = try folderID(path)
      try run(WriterQueries.folderDone, [Int64(bitPattern: fingerprint), id])
    }
  }

  // MARK: Changes

  private mutating func discover(_ stamp: FileStamp) throws {
    let known = try lookup.file(at: stamp.path)
    // An unchanged file keeps its data.
    if let known, known.stamp.sameContent(as: stamp), known.state != .vanished { return }
    let id = try upsert(stamp, known)
    try run(WriterQueries.discover, [stamp.modified.secondsDown, id])
    try eraseLocationOfFile(id)
  }

  private mutating func finish(_ stamp: FileStamp, _ result: FileResult) throws {
    guard let known = try lookup.file(at: stamp.path) else { return try insert(stamp, result) }
    let id = try upsert(stamp, known)
    let content = try content(
      of: id, sameAsBefore: known.stamp.sameContent(as: stamp), digest: result.digest, info: result.info)
    let isWhole = try keep(result, of: content)
    try setFacts(of: id, stamp, result.info, content: content)
    try run(WriterQueries.finish, [try word(result.engine), isWhole ? try word(result.recipe) : nil, id])
  }

  private mutating func fail(
    _ stamp: FileStamp, _ failure: MediaFailure, info: MediaInfo?, engine: String, recipe: String
  ) throws {
    let known = try lookup.file(at: stamp.path)
    let isSame = known?.stamp.sameContent(as: stamp) == true
    let id = try upsert(stamp, known)
    if let info {
      let content = try content(of: id, sameAsBefore: isSame, digest: nil, info: info)
      try setFacts(of: id, stamp, info, content: content)
    } else if !isSame {
      try run(
        "UPDATE file SET content = NULL, kind = NULL, time = ?, time_source = 'file', mismatch = NULL WHERE id = ?",
        [stamp.modified.secondsDown, id])
      try eraseLocationOfFile(id)
    }
    let attempts = isSame && known?.failure != nil ? (known?.attempts ?? 0) + 1 : 1
    try run(
      WriterQueries.fail,
      [
        failure.code.rawValue, failure.message, failure.detail, attempts, try word(engine), try word(recipe), id,
      ])
  }

  private mutating func move(_ id: FileID, to stamp: FileStamp) throws {
    if let there = try lookup.file(at: stamp.path), there.id != id { try displace(there.id) }
    // Erased since the scan compared it: the file is a new one.
    guard let old = try knownIfThere(id) else { return try discover(stamp) }
    try run(
      WriterQueries.move,
      try stampArguments(stamp)
        + [Self.sameExtension(old.stamp.path, stamp.path), stamp.modified.secondsDown, id.rawValue])
  }

  private mutating func recognize(_ stamp: FileStamp, _ digest: ContentDigest, from: FileID?) throws {
    let data = Data(digest.bytes)
    let statement = try db.cachedStatement(
      sql: """
        SELECT EXISTS (SELECT 1 FROM file CROSS JOIN content ON content.id = file.content
          WHERE file.id = ? AND content.digest = ?)
        """)
    func has(_ id: FileID) throws -> Bool { try Bool.fetchOne(statement, arguments: [id.rawValue, data]) ?? false }
    // Its own row first: the same bytes were written again.
    let here = try lookup.file(at: stamp.path)?.id
    for id in [here, from].compactMap({ $0 }) where try has(id) { return try move(id, to: stamp) }
    for sql in [FileQueries.knownByDigest, FileQueries.lostByDigest] {
      if let row = try Row.fetchOne(try db.cachedStatement(sql: sql), arguments: [data]) {
        return try link(FileRows.known(row).id, to: stamp)
      }
    }
    try discover(stamp)
  }

  private mutating func link(_ id: FileID, to stamp: FileStamp) throws {
    guard let source = try knownIfThere(id) else { return try discover(stamp) }
    let known = try lookup.file(at: stamp.path)
    guard known?.id != id else { return try move(id, to: stamp) }
    let new = try upsert(stamp, known)
    try run(
      WriterQueries.link,
      [stamp.modified.secondsDown, Self.sameExtension(source.stamp.path, stamp.path), id.rawValue, new])
    try run(WriterQueries.copyFlag, [id.rawValue, new])
    try eraseLocationOfFile(new)
    try run(
      """
      UPDATE file SET (latitude, longitude, altitude, location_source, location) = (SELECT latitude, longitude, altitude,
        location_source, location FROM file WHERE id = ?1 AND location_source = 'file')
      WHERE id = ?2 AND location_source IS NULL
      """, [id.rawValue, new])
  }
}

extension SQLiteCatalogue {
  func apply(_ changes: [CatalogueChange]) throws(LibraryError) {
    guard !changes.isEmpty else { return }
    // A folder has as many rows as files.
    let areSmall = !changes.contains { if case .folderVanished = $0 { true } else { false } }
    // What a scan finds it finds again; what a person or an app decides has to be on the disk.
    let areDecisions = changes.contains { change in
      switch change {
      case .quarantined, .released: true
      default: false
      }
    }
    try write(areSmall ? .memory : .file, areDecisions ? .onDisk : .batch) { db in
      var writer = try CatalogueWriter(db, keepsLocations: keepsLocations, store: store)
      for change in changes { try writer.make(change) }
    }
  }
}

extension Int64 {
  /// Nanoseconds as seconds, rounded down.
  var secondsDown: Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: 1_000_000_000)
    return remainder < 0 ? quotient - 1 : quotient
  }
}

extension Location {
  /// The location's code in the order of the map.
  var code: Int64 { LocationCode.code(latitude: latitude, longitude: longitude) }
}

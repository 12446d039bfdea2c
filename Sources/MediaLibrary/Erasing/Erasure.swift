public import AttachmentPolicy
internal import FileSupport
internal import GRDB

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The SQL statements of an erasure. The ids to erase are in a temporary table during the transaction, so that any number of them is possible.
struct Erasure {
  let db: Database
  /// The rows that one statement deletes.
  let pageSize: Int
  let progress: (@Sendable (ErasureRequest.Progress) -> Void)?

  init(
    _ db: Database, pageSize: Int = ErasureRequest.standardPageSize,
    progress: (@Sendable (ErasureRequest.Progress) -> Void)? = nil
  ) {
    (self.db, self.pageSize, self.progress) = (db, pageSize, progress)
  }

  /// Whether there are notes of erasures that are not finished.
  static func isPending(_ db: Database) throws -> Bool {
    try Bool.fetchOne(
      db, sql: "SELECT EXISTS (SELECT 1 FROM erasure) OR EXISTS (SELECT 1 FROM garbage)") ?? false
  }

  func collect(_ request: ErasureRequest) throws {
    try begin()
    switch request.scope {
    case .file(let id):
      try collect([id])
    case .files(let ids): try collect(ids)
    case .collection(let name, let owner):
      try db.execute(
        sql: """
          INSERT INTO gone SELECT file.id FROM owner CROSS JOIN collection ON collection.owner = owner.id
          CROSS JOIN file INDEXED BY file_belonging ON file.owner = owner.id AND file.collection = collection.id
          WHERE owner.name = ? AND collection.name = ?
          """, arguments: [owner, name])
    case .owner(let name):
      try db.execute(
        sql: """
          INSERT INTO gone SELECT file.id FROM owner CROSS JOIN file INDEXED BY file_belonging ON file.owner = owner.id
          WHERE owner.name = ?
          """, arguments: [name])
      // A repair restored these files after their rows were lost, so the catalogue has no owner for them; their folder names the owner.
      try collectMoments(of: name)
      guard let (from, to) = request.ownerOriginals?.below else { break }
      try db.execute(
        sql: """
          INSERT OR IGNORE INTO gone SELECT file.id FROM folder CROSS JOIN file INDEXED BY file_path ON file.folder = folder.id
          WHERE folder.path > ? AND folder.path < ? AND file.owner IS NULL
          """, arguments: [from.data, to.data])
    case .vanished:
      try db.execute(
        sql: """
          INSERT INTO gone SELECT id FROM file INDEXED BY file_state
          WHERE state <> \(CatalogueFile.State.done.sql) AND state = \(CatalogueFile.State.vanished.sql)
            AND NOT EXISTS (SELECT 1 FROM file_flag WHERE file_flag.file = file.id AND file_flag.flag = \(SQLiteCatalogue.FileFlag.protected.sql))
          """)
    case .moments(let ids, let owner):
      try collect(ids, of: owner)
      try collectFiles(in: request.originals)
    case .trip(let id, let owner, let withMoments):
      try collect(id, of: owner, withMoments: withMoments)
      try collectFiles(in: request.originals)
    }
    try collectMomentsOfFiles()
  }

  private func collect(_ ids: [FileID]) throws {
    let statement = try db.cachedStatement(sql: "INSERT OR IGNORE INTO gone SELECT id FROM file WHERE id = ?")
    for id in ids { try statement.execute(arguments: [id.rawValue]) }
  }

  func noteOriginals(in folder: PathBytes) throws {
    let (from, to) = folder.below
    // A row whose path another file has now has a NUL in its name: the file at the path is not its own.
    try db.execute(
      sql: """
        INSERT INTO erasure (original) SELECT CAST(folder.path || x'2F' || file.name AS BLOB)
        FROM gone CROSS JOIN file ON file.id = gone.id CROSS JOIN folder ON folder.id = file.folder
        WHERE folder.path > ? AND folder.path < ? AND instr(file.name, x'00') = 0
        """, arguments: [from.data, to.data])
  }

  /// Notes that the rest of an owner's store is to be erased: files of a process that died before it recorded them.
  func note(folder: PathBytes) throws {
    try db.execute(sql: "INSERT INTO erasure (original) VALUES (?)", arguments: [folder.data])
  }

  /// Whether an attachment was made from a file to erase: by its id in the library, its path, or its content, if no other file has that content.
  func isGone(_ attachment: ErasureRequest.Attachment) throws -> Bool {
    if let asset = attachment.asset {
      if let id = FileID(asset), try exists("SELECT 1 FROM gone WHERE id = ?", [id.rawValue]) { return true }
      let path = PathBytes(asset.rawValue)
      let sql = """
        SELECT 1 FROM folder CROSS JOIN file INDEXED BY file_path ON file.folder = folder.id CROSS JOIN gone ON gone.id = file.id
        WHERE folder.path = ? AND file.name = ?
        """
      if try exists(sql, [path.folder.data, Data(path.name)]) { return true }
    }
    guard let digest = attachment.digest else { return false }
    let sql = """
      SELECT 1 FROM content WHERE digest = ? AND EXISTS (SELECT 1 FROM file WHERE file.content = content.id)
        AND NOT EXISTS (SELECT 1 FROM file WHERE file.content = content.id AND file.id NOT IN (SELECT id FROM gone))
      """
    return try exists(sql, [Data(digest.bytes)])
  }

  private func exists(_ sql: String, _ arguments: [(any DatabaseValueConvertible)?]) throws -> Bool {
    try Bool.fetchOne(db, sql: "SELECT EXISTS (\(sql))", arguments: StatementArguments(arguments)) ?? false
  }

  func note(draft: String, item: String) throws {
    try db.execute(sql: "INSERT INTO erasure (draft, item) VALUES (?, ?)", arguments: [draft, item])
  }

  /// Notes that the drafts of an owner are to be removed. As a draft's key, which it is not, so that earlier versions of mediatool strike it.
  func note(draftsOf owner: String) throws {
    try note(draft: try Self.key(ofDraftsOf: owner), item: "")
  }

  /// Removes that note: the drafts were removed.
  func strike(draftsOf owner: String) throws {
    try db.execute(
      sql: "DELETE FROM erasure WHERE draft = ? AND item = ''", arguments: [try Self.key(ofDraftsOf: owner)])
  }

  private static func key(ofDraftsOf owner: String) throws -> String {
    String(decoding: try JSONEncoder().encode(OwnerOfDrafts(owner: owner)), as: UTF8.self)
  }

  private struct OwnerOfDrafts: Codable { var owner: String }

  /// - Parameter wiping: Whether to note that the database must be wiped.
  func deleteRows(_ scope: ErasureRequest.Scope, wiping: Bool) throws -> ErasureRequest.ErasedRows {
    let (locations, notes) = (try locationsOnMaps(), try notesToDelete())
    let (moments, trips) = try deleteMoments()
    try eraseReasons(scope)
    let verdicts = try verdictsOfLastFiles()
    let files = try delete(.files, from: "file", in: "gone")
    var (collections, reports) = (0, 0)
    switch scope {
    case .file, .files, .vanished, .moments, .trip: break
    case .collection(let name, let owner):
      let sql = "DELETE FROM collection WHERE owner = (SELECT id FROM owner WHERE name = ?) AND name = ?"
      try db.execute(sql: sql, arguments: [owner, name])
      collections = db.changesCount
    case .owner(let name):
      let sql = "DELETE FROM collection WHERE owner = (SELECT id FROM owner WHERE name = ?)"
      try db.execute(sql: sql, arguments: [name])
      collections = db.changesCount
      try deleteCells(of: name)
      try db.execute(sql: "DELETE FROM owner WHERE name = ?", arguments: [name])
      // What this person reported as a reader.
      for table in ["report", "moment_report", "trip_report"] {
        try db.execute(sql: "DELETE FROM \(table) WHERE reader = ?", arguments: [name])
        reports += db.changesCount
      }
    }
    // One lookup per folder instead of a walk over all files.
    try db.execute(
      sql: """
        DELETE FROM folder WHERE NOT EXISTS (SELECT 1 FROM file INDEXED BY file_path WHERE file.folder = folder.id)
        """)
    try eraseRoots()
    try begin()
    // A note without a path stays until the erased data is unreadable.
    var rows = ErasureRequest.ErasedRows(
      files: files, collections: collections, moments: moments, trips: trips, reports: reports)
    (rows.verdicts, rows.locations, rows.notes) = (verdicts, locations, notes)
    if wiping, rows.count > 0 { try db.execute(sql: "INSERT INTO erasure DEFAULT VALUES") }
    return rows
  }

  /// Removes the folders of past scans in which no file is known any more: their paths may say what was erased.
  private func eraseRoots() throws {
    try db.execute(
      sql: """
        DELETE FROM scan_root WHERE NOT EXISTS (SELECT 1 FROM folder WHERE folder.path = scan_root.path)
          AND NOT EXISTS (SELECT 1 FROM folder
            WHERE folder.path >= CAST(rtrim(scan_root.path, '/') || '/' AS BLOB) AND folder.path < CAST(rtrim(scan_root.path, '/') || '0' AS BLOB))
        """)
  }

  func notes(_ count: Int, after last: Int64 = 0) throws -> [ErasureRequest.Note] {
    let sql = """
      SELECT id, original, draft, item FROM erasure WHERE id > ? AND (original IS NOT NULL OR draft IS NOT NULL)
      ORDER BY id LIMIT ?
      """
    return try Row.fetchAll(db, sql: sql, arguments: [last, count]).map { row in
      if let path = FileRows.bytes(row, 1) {
        return ErasureRequest.Note(id: row[0], remains: .original(PathBytes(path)))
      }
      let draft: String = row[2] ?? ""
      if let drafts = try? JSONDecoder().decode(OwnerOfDrafts.self, from: Data(draft.utf8)) {
        return ErasureRequest.Note(id: row[0], remains: .drafts(owner: drafts.owner))
      }
      return ErasureRequest.Note(id: row[0], remains: .attachment(draft: draft, item: MediaAttachment.ID(row[3] ?? "")))
    }
  }

  /// Whether the database must be wiped.
  func isToBeWiped() throws -> Bool {
    try exists("SELECT 1 FROM erasure WHERE original IS NULL AND draft IS NULL", [])
  }

  func strike(_ notes: [ErasureRequest.Note]) throws {
    for note in notes { try db.execute(sql: "DELETE FROM erasure WHERE id = ?", arguments: [note.id]) }
  }
}

extension SQLiteCatalogue {
  func erase(_ request: ErasureRequest) throws(LibraryError) -> ErasureRequest.ErasedRows {
    try write { db in
      let erasure = Erasure(db, pageSize: request.pageSize, progress: request.progress)
      try erasure.collect(request)
      try erasure.noteOriginals(in: request.originals)
      if request.sweepsOwnerOriginals, let folder = request.ownerOriginals { try erasure.note(folder: folder) }
      if case .owner(let name) = request.scope, request.hasOwnerDrafts {
        try erasure.note(draftsOf: name)
        if request.wiping { try erasure.noteTruncation() }
      }
      for one in request.attachments where try erasure.isGone(one) {
        try erasure.note(draft: one.draft, item: one.item.rawValue)
      }
      return try erasure.deleteRows(request.scope, wiping: request.wiping)
    }
  }

  /// Whether the catalogue has anything of an owner, also as a reader who reported something.
  func hasAny(of owner: String) throws(LibraryError) -> Bool {
    let sql = """
      SELECT EXISTS (SELECT 1 FROM owner WHERE name = ?1) OR EXISTS (SELECT 1 FROM report WHERE reader = ?1)
        OR EXISTS (SELECT 1 FROM moment_report WHERE reader = ?1)
        OR EXISTS (SELECT 1 FROM trip_report WHERE reader = ?1)
      """
    return try read { db in try Bool.fetchOne(db, sql: sql, arguments: [owner]) ?? false }
  }

  func isErasing() throws(LibraryError) -> Bool { try read { db in try Erasure.isPending(db) } }

  func erasureNotes(limit: Int) throws(LibraryError) -> [ErasureRequest.Note] {
    try read { db in try Erasure(db).notes(Self.limit(limit)) }
  }

  /// Removes the note of an owner's drafts.
  func strike(draftsOf owner: String) throws(LibraryError) {
    try write { db in try Erasure(db).strike(draftsOf: owner) }
  }

  func strike(_ notes: [ErasureRequest.Note]) throws(LibraryError) { try write { db in try Erasure(db).strike(notes) } }

  func isToBeWiped() throws(LibraryError) -> Bool { try read { db in try Erasure(db).isToBeWiped() } }

  func removeUnusedRenditions(
    limit: Int, _ remove: (ContentDigest) throws(LibraryError) -> Void
  ) throws(LibraryError) -> Int {
    try write { db in
      let addresses = try Data.fetchAll(
        db, sql: "SELECT address FROM garbage LIMIT ?", arguments: [Self.limit(limit)])
      for data in addresses {
        let isUsed = try Bool.fetchOne(
          db, sql: "SELECT EXISTS (SELECT 1 FROM rendition WHERE address = ?)", arguments: [data])
        if isUsed != true, let address = ContentDigest(bytes: data) { try remove(address) }
        try db.execute(sql: "DELETE FROM garbage WHERE address = ?", arguments: [data])
      }
      return addresses.count
    }
  }

  /// Calls a body with the next renditions that no file uses, and keeps their notes. No file can get one of them meanwhile.
  /// - Returns: The last of them; nil if there are none.
  func eachUnusedRendition(
    after last: Data, limit: Int, _ body: (ContentDigest) throws(LibraryError) -> Void
  ) throws(LibraryError) -> Data? {
    try write { db -> Data? in
      let sql = """
        SELECT address FROM garbage WHERE address > ?
          AND NOT EXISTS (SELECT 1 FROM rendition WHERE rendition.address = garbage.address) ORDER BY address LIMIT ?
        """
      let addresses = try Data.fetchAll(db, sql: sql, arguments: [last, Self.limit(limit)])
      for data in addresses {
        if let address = ContentDigest(bytes: data) { try body(address) }
      }
      return addresses.last
    }
  }
}

extension FileID {
  /// The id of a library file in trays and drafts.
  public var asset: AssetID { AssetID("library \(rawValue)") }

  /// The library file with this asset id; nil if it is not one of a library.
  public init?(_ asset: AssetID) {
    let parts = asset.rawValue.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0] == "library", let number = Int64(parts[1]) else { return nil }
    self.init(rawValue: number)
  }
}

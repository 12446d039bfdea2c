internal import GRDB

/// Copies into a new catalogue what can be read of a damaged one, table by table, past damaged pages, and takes the files of these pages from a snapshot.
///
/// `main` is the new catalogue, `old` the damaged one, `saved` the snapshot. A file of the snapshot is taken only if its row in the damaged catalogue
/// cannot be read: a file that was erased since does not come back. If the index of paths can be read, it names the files of the damaged pages.
struct RecoveredRows {
  /// The result, for the report.
  struct Report {
    /// Number of files that were taken from the snapshot.
    var fromSnapshot = 0
    /// Number of files of the damaged catalogue that are lost; nil if it is not known.
    var lost: Int?
    /// Whether a part of any table could not be read.
    var hasGaps = false
  }

  let db: Database
  /// Whether a snapshot is attached.
  let hasSnapshot: Bool

  /// Tables with rows that exist nowhere else, in an order in which references can be checked; with the key by which each is read.
  private static let tables = [
    ("word", "id"), ("folder", "id"), ("owner", "id"), ("collection", "id"), ("content", "id"),
    ("rendition", "content"),
    ("file", "id"), ("scan", "id"), ("scan_root", "scan"), ("erasure", "id"),
  ]
  private static let withoutRowID: Set = ["rendition", "scan_root"]

  /// Copies the rows. The indexes and derived data of the new catalogue are not complete afterwards.
  func copy() throws -> Report {
    var report = Report()
    var gaps: [String: [ClosedRange<Int64>]] = [:]
    for (table, key) in Self.tables {
      gaps[table] = try copy(table, by: key)
      if gaps[table]?.isEmpty == false { report.hasGaps = true }
    }
    for (table, column) in [("word", "text"), ("folder", "path"), ("owner", "name")] {
      for gap in gaps[table] ?? [] { try fillNames(of: table, column, gap) }
    }
    for gap in gaps["collection"] ?? [] { try fillCollections(gap) }
    if hasSnapshot { for gap in gaps["content"] ?? [] { try fillContents(gap) } }
    try removeBrokenReferences()
    for gap in gaps["rendition"] ?? [] { try fillRenditions(gap) }
    let isListed = try listFiles()
    if hasSnapshot {
      for gap in gaps["file"] ?? [] { report.fromSnapshot += try fillFiles(gap, listed: isListed) }
    }
    try removeBrokenReferences()
    if gaps["file"]?.isEmpty == true {
      report.lost = try Int.fetchOne(
        db, sql: "SELECT count(*) FROM old.file NOT INDEXED WHERE id NOT IN (SELECT id FROM main.file)")
    } else if isListed {
      report.lost = try Int.fetchOne(
        db, sql: "SELECT count(*) FROM temp.listed WHERE id NOT IN (SELECT id FROM main.file)")
    }
    return report
  }

  /// Copies the rows of a table that can be read.
  /// - Returns: The ranges of keys that could not be read; a missing table is one range.
  private func copy(_ table: String, by key: String) throws -> [ClosedRange<Int64>] {
    let columns = try columns(of: table, in: "old")
    guard !columns.isEmpty else { return [1...Int64.max] }
    let list = columns.joined(separator: ", ")
    let source = "old.\(table)\(Self.withoutRowID.contains(table) ? "" : " NOT INDEXED")"
    return try DamagedTable.read { after, limit, _ in
      let last = try Int64.fetchOne(
        try db.cachedStatement(
          sql: "SELECT max(k) FROM (SELECT \(key) AS k FROM \(source) WHERE \(key) > ? ORDER BY \(key) LIMIT ?)"),
        arguments: [after, limit])
      guard let last, last > after else { return last }
      let insert = try db.cachedStatement(
        sql: """
          INSERT OR IGNORE INTO main.\(table) (\(list)) SELECT \(list) FROM \(source) WHERE \(key) > ? AND \(key) <= ?
          """)
      try insert.execute(arguments: [after, last])
      return last
    }
  }

  /// The columns of a table that exist in the new catalogue too.
  private func columns(of table: String, in schema: String) throws -> [String] {
    try String.fetchAll(
      db,
      sql: """
        SELECT name FROM pragma_table_info(?1, 'main')
        WHERE name IN (SELECT name FROM pragma_table_info(?1, ?2))
        """, arguments: [table, schema])
  }

  /// Runs a statement on the damaged catalogue or the snapshot: what it cannot read is not recovered.
  @discardableResult private func attempt(_ sql: String, _ arguments: StatementArguments = []) throws -> Bool {
    do {
      try db.execute(sql: sql, arguments: arguments)
      return true
    } catch let error as DatabaseError where error.isDamage || error.resultCode == .SQLITE_ERROR {
      // SQLITE_ERROR: the table or the index is missing.
      return false
    }
  }

  /// Short texts, folders and owners: the index of their names has both columns that matter.
  private func fillNames(of table: String, _ column: String, _ gap: ClosedRange<Int64>) throws {
    let range: StatementArguments = [gap.lowerBound, gap.upperBound]
    try attempt(
      """
      INSERT OR IGNORE INTO main.\(table) (id, \(column))
      SELECT id, \(column) FROM old.\(table) INDEXED BY sqlite_autoindex_\(table)_1 WHERE id BETWEEN ? AND ?
      """, range)
    guard hasSnapshot else { return }
    try attempt(
      """
      INSERT OR IGNORE INTO main.\(table) (id, \(column)) SELECT id, \(column) FROM saved.\(table) WHERE id BETWEEN ? AND ?
      """, range)
  }

  /// Collections: the index has owner and name, the snapshot the rest of the same collection.
  private func fillCollections(_ gap: ClosedRange<Int64>) throws {
    let range: StatementArguments = [gap.lowerBound, gap.upperBound]
    let isIndexed = try attempt(
      """
      INSERT OR IGNORE INTO main.collection (id, owner, name, open, started)
      SELECT id, owner, name, 0, 0 FROM old.collection INDEXED BY sqlite_autoindex_collection_1 WHERE id BETWEEN ? AND ?
      """, range)
    guard hasSnapshot else { return }
    if isIndexed {
      try attempt(
        """
        UPDATE main.collection SET (title, open, started) =
          (SELECT saved.title, saved.open, saved.started FROM saved.collection AS saved WHERE saved.id = main.collection.id)
        WHERE id BETWEEN ? AND ? AND EXISTS (
          SELECT 1 FROM saved.collection AS saved JOIN saved.owner AS owner ON owner.id = saved.owner
          JOIN main.owner AS other ON other.name = owner.name
          WHERE saved.id = main.collection.id AND other.id = main.collection.owner AND saved.name = main.collection.name)
        """, range)
    } else {
      try attempt(
        """
        INSERT OR IGNORE INTO main.collection (id, owner, name, title, open, started)
        SELECT saved.id, other.id, saved.name, saved.title, saved.open, saved.started FROM saved.collection AS saved
        JOIN saved.owner AS owner ON owner.id = saved.owner JOIN main.owner AS other ON other.name = owner.name
        WHERE saved.id BETWEEN ? AND ?
        """, range)
    }
  }

  /// Contents: the index has the digests, and facts of the same digest are the same.
  private func fillContents(_ gap: ClosedRange<Int64>) throws {
    try attempt(
      """
      INSERT OR IGNORE INTO main.content (id, digest, bytes, facts, thumbhash, blurhash, color)
      SELECT old.id, old.digest, saved.bytes, saved.facts, saved.thumbhash, saved.blurhash, saved.color
      FROM old.content AS old INDEXED BY sqlite_autoindex_content_1 JOIN saved.content AS saved ON saved.digest = old.digest
      WHERE old.id BETWEEN ? AND ? AND old.digest IS NOT NULL
      """, [gap.lowerBound, gap.upperBound])
    // Without a digest: if the file with this content is unchanged since the snapshot.
    try attempt(
      """
      INSERT OR IGNORE INTO main.content (id, digest, bytes, facts, thumbhash, blurhash, color)
      SELECT id, digest, bytes, facts, thumbhash, blurhash, color FROM saved.content AS content
      WHERE id BETWEEN ? AND ? AND EXISTS (
        SELECT 1 FROM saved.file AS file JOIN main.file AS other ON other.id = file.id AND other.content = file.content
          AND other.size = file.size AND other.modified = file.modified AND other.engine IS file.engine
        WHERE file.content = content.id)
      """, [gap.lowerBound, gap.upperBound])
  }

  /// Renditions of contents whose rows cannot be read. The next scan makes sure that they are complete.
  private func fillRenditions(_ gap: ClosedRange<Int64>) throws {
    let range: StatementArguments = [gap.lowerBound, gap.upperBound]
    if hasSnapshot {
      try attempt(
        """
        INSERT OR IGNORE INTO main.rendition (content, name, address, type, width, height, frames, bytes, source)
        SELECT content.id, saved.name, saved.address, saved.type, saved.width, saved.height, saved.frames, saved.bytes, saved.source
        FROM main.content AS content JOIN saved.content AS other ON other.digest = content.digest
        JOIN saved.rendition AS saved ON saved.content = other.id WHERE content.id BETWEEN ? AND ?
        """, range)
    }
    try db.execute(sql: "UPDATE main.file SET recipe = NULL WHERE content BETWEEN ? AND ?", arguments: range)
  }

  /// Lists the ids of the damaged catalogue's files from its index of paths.
  /// - Returns: Whether the list is complete.
  private func listFiles() throws -> Bool {
    try db.execute(sql: "CREATE TEMP TABLE listed (id INTEGER PRIMARY KEY)")
    return try attempt("INSERT OR IGNORE INTO temp.listed SELECT id FROM old.file INDEXED BY file_path")
  }

  /// Files of the snapshot, with what they refer to found by name, because an id may have another meaning since.
  /// - Returns: Number of files.
  private func fillFiles(_ gap: ClosedRange<Int64>, listed: Bool) throws -> Int {
    let columns = try columns(of: "file", in: "saved")
    let references = [
      "folder": Self.same("folder", "path"), "owner": Self.same("owner", "name"),
      "engine": Self.same("word", "text", "engine"),
      "recipe": "NULL",
      "content": """
      (SELECT there.id FROM saved.content AS here JOIN main.content AS there ON there.digest = here.digest WHERE here.id = saved.content)
      """,
      "collection": """
      (SELECT there.id FROM saved.collection AS here JOIN saved.owner AS owner ON owner.id = here.owner
        JOIN main.owner AS other ON other.name = owner.name
        JOIN main.collection AS there ON there.owner = other.id AND there.name = here.name WHERE here.id = saved.collection)
      """,
    ]
    let values = columns.map { references[$0] ?? "saved.\($0)" }
    let range: StatementArguments = [gap.lowerBound, gap.upperBound]
    let condition = "saved.id BETWEEN ? AND ?\(listed ? " AND saved.id IN (SELECT id FROM temp.listed)" : "")"
    try attempt(
      """
      INSERT OR IGNORE INTO main.content (digest, bytes, facts, thumbhash, blurhash, color)
      SELECT content.digest, content.bytes, content.facts, content.thumbhash, content.blurhash, content.color
      FROM saved.file AS saved JOIN saved.content AS content ON content.id = saved.content
      WHERE \(condition) AND content.digest IS NOT NULL
      """, range)
    try attempt(
      """
      INSERT OR IGNORE INTO main.rendition (content, name, address, type, width, height, frames, bytes, source)
      SELECT there.id, made.name, made.address, made.type, made.width, made.height, made.frames, made.bytes, made.source
      FROM saved.file AS saved JOIN saved.content AS here ON here.id = saved.content
      JOIN main.content AS there ON there.digest = here.digest JOIN saved.rendition AS made ON made.content = here.id
      WHERE \(condition)
      """, range)
    let before = db.totalChangesCount
    try attempt(
      """
      INSERT OR IGNORE INTO main.file (\(columns.joined(separator: ", ")))
      SELECT \(values.joined(separator: ", ")) FROM saved.file AS saved WHERE \(condition)
      """, range)
    let count = db.totalChangesCount - before
    // Facts without a digest may be those of another content: the next scan reads the file again.
    try db.execute(
      sql: """
        UPDATE main.file SET \(Self.readAgain) WHERE content IS NULL AND id BETWEEN ? AND ?
          AND state = \(FileState.done.sql)
        """, arguments: range)
    return count
  }

  /// SQL of the row with the same name as the one that a file of the snapshot refers to.
  private static func same(_ table: String, _ name: String, _ column: String? = nil) -> String {
    """
    (SELECT there.id FROM saved.\(table) AS here JOIN main.\(table) AS there ON there.\(name) = here.\(name)
      WHERE here.id = saved.\(column ?? table))
    """
  }

  /// The next scan reads the file. A vanished or quarantined file stays that, and is new when it comes back.
  private static let readAgain = """
    content = NULL, recipe = NULL, engine = NULL,
      state = iif(state IN (\(FileState.vanished.sql), \(FileState.quarantined.sql)), state, \(FileState.new.sql)),
      before = \(FileState.new.sql), failure = NULL, failure_message = NULL, failure_detail = NULL, attempts = 0
    """

  /// Removes references to rows that could not be recovered. A file without its folder has no path, and is lost.
  private func removeBrokenReferences() throws {
    try db.execute(
      sql: """
        DELETE FROM main.file WHERE folder NOT IN (SELECT id FROM main.folder);
        UPDATE main.file SET owner = NULL, collection = NULL
          WHERE owner IS NOT NULL AND owner NOT IN (SELECT id FROM main.owner);
        DELETE FROM main.collection WHERE owner NOT IN (SELECT id FROM main.owner);
        UPDATE main.file SET collection = NULL WHERE collection IS NOT NULL AND NOT EXISTS (
          SELECT 1 FROM main.collection AS other WHERE other.id = main.file.collection AND other.owner IS main.file.owner);
        UPDATE main.file SET engine = NULL WHERE engine NOT IN (SELECT id FROM main.word);
        UPDATE main.file SET recipe = NULL WHERE recipe NOT IN (SELECT id FROM main.word);
        UPDATE main.file SET \(Self.readAgain) WHERE content IS NOT NULL AND content NOT IN (SELECT id FROM main.content);
        DELETE FROM main.rendition WHERE content NOT IN (SELECT id FROM main.content);
        DELETE FROM main.scan_root WHERE scan NOT IN (SELECT id FROM main.scan);
        """)
  }
}

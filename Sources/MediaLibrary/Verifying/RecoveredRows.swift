internal import FileSupport
internal import GRDB

/// Copies into a new catalogue what can be read of a damaged one, table by table, past damaged pages, and takes the rows of these pages from snapshots.
///
/// `main` is the new catalogue, `old` the damaged one, `saved` the snapshot in use (``SnapshotRows``). A row of a snapshot is taken only if its row in the damaged
/// catalogue cannot be read: what was erased since does not come back. If an index of the table can be read, it names the rows of the damaged pages.
struct RecoveredRows {
  /// The result, for the report. Numbers that are not known are nil.
  struct Report {
    /// Number of files that were taken from snapshots.
    var fromSnapshot = 0
    /// The snapshots from which files were taken, the latest first.
    var snapshots: [PathBytes] = []
    /// Number of files, moments and trips from snapshots whose titles and captions may have changed since.
    var olderTexts = 0
    /// Number of moments and trips that were taken from snapshots or from indexes.
    var filledMoments = 0
    /// Number of files of the damaged catalogue that are lost.
    var lost: Int? = 0
    /// Number of its moments that are lost.
    var lostMoments: Int? = 0
    /// Number of its trips that are lost.
    var lostTrips: Int? = 0
    /// Whether moderation decisions on damaged pages are lost, as far as no snapshot has them.
    var mayLackDecisions = false
    /// Number of owners whose location-sharing setting cannot be read, and is ``Moment/LocationSharing/none`` now.
    var unknownSwitches = 0

    /// Whether it is known how many rows are lost.
    var isCounted: Bool { lost != nil && lostMoments != nil && lostTrips != nil }
  }

  let db: Database
  /// The snapshots in which ids mean the same files.
  let saved: SnapshotRows

  /// Tables with rows that exist nowhere else, with the key by which each is read.
  private static let tables = [
    ("word", "id"), ("folder", "id"), ("owner", "id"), ("collection", "id"), ("content", "id"),
    ("rendition", "content"), ("file", "id"), ("moment", "id"), ("trip", "id"), ("trip_moment", "trip"),
    ("file_use", "file"), ("file_flag", "file"), ("report", "file"), ("moment_report", "moment"),
    ("trip_report", "trip"), ("audit", "id"),
    ("blocked_image", "id"), ("scan", "id"), ("scan_root", "scan"), ("erasure", "id"),
  ]
  private static let withoutRowID: Set = [
    "rendition", "scan_root", "trip_moment", "file_use", "file_flag", "report", "moment_report",
    "trip_report",
  ]
  /// Tables whose rows can be missed by number, each with an index that has all of their ids.
  static let counted = [("file", "file_path"), ("moment", "moment_owner"), ("trip", "trip_started")]

  /// Copies the rows. The indexes and derived data of the new catalogue are not complete afterwards.
  func copy() throws -> Report {
    var report = Report()
    var gaps: [String: [ClosedRange<Int64>]] = [:]
    for (table, key) in Self.tables { gaps[table] = try copy(table, by: key) }
    try noteCopied()
    try listBelongings()
    for (table, column) in [("word", "text"), ("folder", "path"), ("owner", "name")] {
      try fillNames(of: table, column, gaps[table] ?? [])
    }
    report.unknownSwitches = try closeUnknownSwitches()
    try fillCollections(gaps["collection"] ?? [])
    try fillContents(gaps["content"] ?? [])
    try removeBrokenReferences()
    try fillRenditions(gaps["rendition"] ?? [])

    var listed: Set<String> = []
    for (table, index) in Self.counted where try list(table, from: index) { listed.insert(table) }
    report.snapshots = try fillFiles(gaps["file"] ?? [], listed: listed.contains("file"))
    try removeBrokenReferences()
    try fillMoments(gaps, listed)
    try removeBrokenReferencesOfMoments()
    let hasAllContents = try copyDecisionsOnContents()
    report.mayLackDecisions = try fillDecisions(gaps) || !hasAllContents
    try holdAgain()
    try endLostAcceptances()
    try dropLocationsFromSnapshot()
    report.olderTexts = try takeCurrentTexts()
    report.fromSnapshot = try filled("file")
    report.filledMoments = try filled("moment") + filled("trip")
    report.lost = try lost("file", gaps, listed)
    report.lostMoments = try lost("moment", gaps, listed)
    report.lostTrips = try lost("trip", gaps, listed)
    try convertCollections()
    return report
  }

  /// Copies the rows of a table that can be read.
  /// - Returns: The ranges of keys that could not be read; a missing table is one range.
  private func copy(_ table: String, by key: String) throws -> [ClosedRange<Int64>] {
    try read(table, by: key, from: Self.withoutRowID.contains(table) ? "" : "NOT INDEXED")
  }

  /// Copies the rows of a table that can be read in the order of a key.
  /// - Parameters:
  ///   - index: `NOT INDEXED`, or an index that has all columns of the table.
  ///   - condition: What the rows have to meet; empty for all.
  @discardableResult
  func read(
    _ table: String, by key: String, from index: String, where condition: String = "", _ arguments: [Int64] = []
  ) throws -> [ClosedRange<Int64>] {
    let columns = try columns(of: table, in: "old")
    guard !columns.isEmpty else { return [1...Int64.max] }
    let list = columns.joined(separator: ", ")
    let (source, rows) = ("old.\(table) \(index)", condition.isEmpty ? "" : "AND \(condition)")
    return try DamagedTable.read { after, limit, _ in
      let last = try Int64.fetchOne(
        try db.cachedStatement(
          sql: """
            SELECT max(k) FROM (SELECT \(key) AS k FROM \(source) WHERE \(key) > ? \(rows) ORDER BY \(key) LIMIT ?)
            """),
        arguments: StatementArguments([after] + arguments + [Int64(limit)]))
      guard let last, last > after else { return last }
      let insert = try db.cachedStatement(
        sql: """
          INSERT OR IGNORE INTO main.\(table) (\(list))
          SELECT \(list) FROM \(source) WHERE \(key) > ? AND \(key) <= ? \(rows)
          """)
      try insert.execute(arguments: StatementArguments([after, last] + arguments))
      return last
    }
  }

  /// The columns of a table that exist in the new catalogue too.
  func columns(of table: String, in schema: String) throws -> [String] {
    try String.fetchAll(
      db,
      sql: """
        SELECT name FROM pragma_table_info(?1, 'main')
        WHERE name IN (SELECT name FROM pragma_table_info(?1, ?2))
        """, arguments: [table, schema])
  }

  /// Runs a statement on the damaged catalogue: what it cannot read is not recovered.
  @discardableResult func attempt(_ sql: String, _ arguments: StatementArguments = []) throws -> Bool {
    do {
      try db.execute(sql: sql, arguments: arguments)
      return true
    } catch let error as DatabaseError where error.isDamage || error.resultCode == .SQLITE_ERROR {
      // SQLITE_ERROR: the table or the index is missing.
      return false
    }
  }

  /// Lists the ids of the damaged catalogue's rows from an index.
  /// - Returns: Whether the list is complete.
  private func list(_ table: String, from index: String) throws -> Bool {
    try db.execute(sql: "CREATE TEMP TABLE listed_\(table) (id INTEGER PRIMARY KEY)")
    return try attempt("INSERT OR IGNORE INTO temp.listed_\(table) SELECT id FROM old.\(table) INDEXED BY \(index)")
  }

  /// The number of rows of the new catalogue that are not rows of the damaged one.
  private func filled(_ table: String) throws -> Int {
    let sql = "SELECT count(*) FROM main.\(table) WHERE id NOT IN (SELECT id FROM temp.copied_\(table))"
    return try Int.fetchOne(db, sql: sql) ?? 0
  }

  /// The number of rows of the damaged catalogue that the new one does not have.
  private func lost(_ table: String, _ gaps: [String: [ClosedRange<Int64>]], _ listed: Set<String>) throws -> Int? {
    if table != "file", try isWithoutMoments() { return 0 }
    let rows: String
    if gaps[table]?.isEmpty == true {
      rows = "old.\(table) NOT INDEXED"
    } else if listed.contains(table) {
      rows = "temp.listed_\(table)"
    } else {
      return nil
    }
    return try Int.fetchOne(db, sql: "SELECT count(*) FROM \(rows) WHERE id NOT IN (SELECT id FROM main.\(table))")
  }
}

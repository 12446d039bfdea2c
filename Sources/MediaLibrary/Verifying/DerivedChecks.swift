internal import GRDB

/// Compares the derived data of a catalogue with its rows, and rebuilds it from them.
struct DerivedChecks {
  private static let done = CatalogueFile.State.done.sql
  private let db: Database

  init(_ db: Database) { self.db = db }

  /// One sentence for each table that differs.
  func findings() throws -> [String] {
    var findings: [String] = []
    for (name, sql) in Self.differences + ModerationChecks.differences + MomentChecks.differences
    where try Bool.fetchOne(db, sql: "SELECT EXISTS (\(sql))") == true {
      findings.append(name)
    }
    if try !cellsAreRight() { findings.append("the cells of the location grid differ from the files in them") }
    if try !MomentChecks.cellsAreRight(db) {
      findings.append("the cells of the map of moments differ from the moments in them")
    }
    return findings
  }

  /// The findings of the database itself: pages, indexes, references.
  func integrity() throws -> [String] {
    var findings = try String.fetchAll(db, sql: "PRAGMA integrity_check(100)").filter { $0 != "ok" }
    let broken = try Row.fetchCursor(db, sql: "PRAGMA foreign_key_check")
    while let row = try broken.next(), findings.count < 100 {
      findings.append("a row of \(row[0] as String? ?? "") references a row that does not exist")
    }
    return findings
  }

  /// Rebuilds the derived data.
  func rebuild() throws {
    // First, because it sets states of files.
    try ModerationChecks.rebuild(db)
    try db.execute(
      sql: """
        DELETE FROM tally;
        INSERT INTO tally \(Self.tally);
        UPDATE content SET files = (SELECT count(*) FROM file WHERE file.content = content.id);
        DELETE FROM content WHERE files = 0;
        UPDATE collection SET files = (SELECT count(*) FROM file WHERE file.collection = collection.id AND file.state = \(Self.done));
        DELETE FROM file_text;
        DELETE FROM text_change;
        UPDATE folder SET fingerprint = NULL;
        DELETE FROM location_cell;
        DELETE FROM location_change;
        INSERT INTO location_change SELECT 0, location, 1 FROM file WHERE state = \(Self.done) AND location IS NOT NULL;
        INSERT INTO location_change SELECT owner, location, 1 FROM file
          WHERE state = \(Self.done) AND location IS NOT NULL AND owner IS NOT NULL;
        """)
    try SearchWords(db).fill()
    try MomentChecks.rebuild(db)
  }

  /// The rows that ``tally`` must have.
  private static let tally: String = {
    let key = CatalogueSchema.tallied("file")
    let bytes = CatalogueSchema.countedBytes("file.size")
    func counts(_ owner: String, _ condition: String) -> String {
      """
      SELECT \(owner) AS owner, \(key.state) AS state, \(key.kind) AS kind, \(key.failure) AS failure, count(*), sum(\(bytes))
      FROM file \(condition) GROUP BY 1, 2, 3, 4
      """
    }
    return counts("0", "") + " UNION ALL " + counts("file.owner", "WHERE file.owner IS NOT NULL")
  }()

  private static let differences = [
    (
      "the file counts differ from the rows of files",
      """
      SELECT * FROM tally WHERE files <> 0 EXCEPT SELECT * FROM (\(tally))
      """
    ),
    (
      "the file counts lack some files",
      """
      SELECT * FROM (\(tally)) EXCEPT SELECT * FROM tally
      """
    ),
    (
      "the reference counts of file contents differ from the files",
      "SELECT 1 FROM content WHERE files <> (SELECT count(*) FROM file WHERE file.content = content.id) OR files = 0"
    ),
    (
      "the file counts of collections differ from the files",
      """
      SELECT 1 FROM collection
      WHERE files <> (SELECT count(*) FROM file WHERE file.collection = collection.id AND file.state = \(done))
      """
    ),
    (
      "the search index differs from the files",
      """
      SELECT 1 FROM file LEFT JOIN file_text ON file_text.rowid = \(SearchKey.sql("file.")) WHERE file.state = \(done)
        AND (file_text.rowid IS NULL OR file_text.name IS NOT CAST(file.name AS TEXT)
        OR file_text.title IS NOT file.title OR file_text.caption IS NOT file.caption
        OR file_text.owner IS NOT file.owner)
      """
    ),
    (
      "the search index has entries for files that do not exist",
      "SELECT 1 FROM file_text WHERE rowid NOT IN (SELECT \(SearchKey.sql("")) FROM file WHERE state = \(done))"
    ),
    ("changes to the search index are pending", "SELECT 1 FROM text_change"),
    ("changes to the location grid are pending", "SELECT 1 FROM location_change"),
  ]

  /// Walks the locations in order, once per level, so that memory holds only the current cell.
  private func cellsAreRight() throws -> Bool {
    for level in LocationGrid.levels {
      for (columns, condition, order) in [
        ("0, location", "", "location"), ("owner, location", "AND owner IS NOT NULL", "owner, location"),
      ] {
        let locations = try Row.fetchCursor(
          db,
          sql: """
            SELECT \(columns) FROM file WHERE state = \(Self.done) AND location IS NOT NULL \(condition) ORDER BY \(order)
            """
        )
        let cells = try Row.fetchCursor(
          db,
          sql: """
            SELECT scope, cell, \(LocationSum.columns) FROM location_cell WHERE level = ? AND scope \(condition.isEmpty ? "=" : ">") 0
            ORDER BY scope, cell
            """, arguments: [level])
        guard try Self.agree(locations, cells, level: level) else { return false }
      }
    }
    return true
  }

  static func agree(_ locations: RowCursor, _ cells: RowCursor, level: Int) throws -> Bool {
    var current: (scope: Int64, cell: LocationCell)?
    var sum = LocationSum()
    func isRight() throws -> Bool {
      guard let current, sum.files >= LocationCells.threshold else { return true }
      guard let row = try cells.next() else { return false }
      return row[0] == current.scope && row[1] == current.cell.code && LocationSum(row, from: 2) == sum
    }
    while let row = try locations.next() {
      let (scope, location): (Int64, Int64) = (row[0], row[1])
      let cell = LocationCell(level: level, holding: location)
      if current.map({ $0.scope != scope || $0.cell != cell }) ?? true {
        guard try isRight() else { return false }
        (current, sum) = ((scope, cell), LocationSum())
      }
      sum.add(location)
    }
    return try isRight() && cells.next() == nil
  }
}

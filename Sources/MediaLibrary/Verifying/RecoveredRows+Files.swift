internal import FileSupport
internal import GRDB

/// Files of damaged pages, and references of files.
extension RecoveredRows {
  /// Lists the owners of files, moments and trips, and the collections of files, from their indexes; nothing of an index that cannot be read.
  func listBelongings() throws {
    for (table, index) in [("file", "file_belonging"), ("moment", "moment_owner"), ("trip", "trip_started")] {
      try db.execute(
        sql: """
          CREATE TEMP TABLE belonging_of_\(table) (id INTEGER PRIMARY KEY, owner INTEGER, collection INTEGER)
          """)
      try attempt(
        """
        INSERT OR IGNORE INTO temp.belonging_of_\(table) (id, owner, collection)
        SELECT id, owner, \(table == "file" ? "collection" : "NULL") FROM old.\(table) INDEXED BY \(index)
        WHERE owner IS NOT NULL
        """)
    }
  }

  /// Files of snapshots, with what they refer to found by name, because an id may have another meaning since.
  /// - Returns: The snapshots that had any of them, the latest first.
  func fillFiles(_ gaps: [ClosedRange<Int64>], listed: Bool) throws -> [PathBytes] {
    var used: [PathBytes] = []
    let halvings = SnapshotRows.SplitBudget()
    try startSeekingContents()
    try saved.fill(gaps, db) { gap, snapshot in
      if try fillFiles(gap, listed: listed, halvings), used.last != snapshot { used.append(snapshot) }
    }
    try fillSoughtContents(gaps)
    return used
  }

  /// Takes files without their contents, which may be on a damaged page of the same snapshot (``fillSoughtContents(_:)``).
  ///
  /// - Parameter halvings: For the folders of files, in all gaps. Otherwise each readable part of a damaged range would search its own again.
  /// - Returns: Whether the snapshot has any of them.
  private func fillFiles(_ gap: ClosedRange<Int64>, listed: Bool, _ halvings: SnapshotRows.SplitBudget) throws -> Bool {
    let columns = try columns(of: "file", in: "saved")
    let references = [
      "folder": Self.same("folder", "path"),
      "engine": Self.same("word", "text", "engine"),
      "recipe": "NULL",
      "content": "NULL",
      // Not as the snapshot has them: the file may have been given to somebody else since.
      "owner": "(SELECT owner FROM temp.belonging_of_file AS now WHERE now.id = saved.id)",
      "collection": "(SELECT collection FROM temp.belonging_of_file AS now WHERE now.id = saved.id)",
    ]
    let values = columns.map { references[$0] ?? "saved.\($0)" }
    let range: StatementArguments = [gap.lowerBound, gap.upperBound]
    // Not the list first, whose ids are on all pages.
    let condition = "saved.id BETWEEN ? AND ?\(listed ? " AND +saved.id IN (SELECT id FROM temp.listed_file)" : "")"
    // Fails at once for a damaged page, also of what the files cannot be taken without.
    let sql = """
      SELECT sum(length(name)), count((SELECT here.path FROM saved.folder AS here WHERE here.id = saved.folder)),
        count((SELECT here.text FROM saved.word AS here WHERE here.id = saved.engine))
      FROM saved.file AS saved WHERE \(condition)
      """
    guard try Int.fetchOne(db, sql: sql, arguments: range) != nil else { return false }
    // With an id that is free here: that of the snapshot may be another folder's. A file whose folder cannot be read is lost.
    _ = try SnapshotRows.unread(in: gap, sharing: halvings) { part in
      try db.execute(
        sql: """
          INSERT OR IGNORE INTO main.folder (path)
          SELECT folder.path FROM saved.file AS saved JOIN saved.folder AS folder ON folder.id = saved.folder WHERE \(condition)
          """, arguments: [part.lowerBound, part.upperBound])
    }
    let before = db.totalChangesCount
    try db.execute(
      sql: """
        INSERT OR IGNORE INTO main.file (\(columns.joined(separator: ", ")))
        SELECT \(values.joined(separator: ", ")) FROM saved.file AS saved WHERE \(condition)
        """, arguments: range)
    let isUsed = db.totalChangesCount > before
    try seekContents(by: condition, range)
    return isUsed
  }

  /// SQL of the row with the same name as the one that a file of the snapshot refers to.
  static func same(_ table: String, _ name: String, _ column: String? = nil) -> String {
    """
    (SELECT there.id FROM saved.\(table) AS here JOIN main.\(table) AS there ON there.\(name) = here.\(name)
      WHERE here.id = saved.\(column ?? table))
    """
  }

  /// The next scan reads the file. A vanished or quarantined file stays that, and is new when it comes back.
  static let readAgain = """
    content = NULL, recipe = NULL, engine = NULL,
      state = iif(state IN (\(CatalogueFile.State.vanished.sql), \(CatalogueFile.State.quarantined.sql)), state, \(CatalogueFile.State.new.sql)),
      before = \(CatalogueFile.State.new.sql), failure = NULL, failure_message = NULL, failure_detail = NULL, attempts = 0
    """

  /// Removes references to rows that could not be recovered. A file without its folder has no path, and is lost.
  func removeBrokenReferences() throws {
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

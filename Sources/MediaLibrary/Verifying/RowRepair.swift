internal import FileSupport
internal import GRDB

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Repairs rows that cannot be decoded. What people gave the file (title, caption, owner, location) stays as it is.
extension SQLiteCatalogue {
  /// Takes the facts of a file from a snapshot, if one has them, and else lets the next scan read the file again: until then it is new. The damaged value stays
  /// until the scan replaces it. Renditions that cannot be decoded go, for the next scan to make again; their bytes stay, as orphans.
  /// - Parameter snapshots: Catalogues in the copy, the latest first.
  /// - Returns: Whether the row can be decoded now.
  func repairRow(of file: FileID, from snapshots: [Snapshot]) throws(LibraryError) -> Bool {
    let facts = try savedFacts(of: file, in: snapshots)
    return try write { db in
      try Self.dropDamagedRenditions(of: file, db)
      try db.execute(sql: Self.textsAgain, arguments: [file.rawValue])
      if try RowChecks(db).problem(of: file) == nil { return true }
      if let facts {
        try db.inSavepoint {
          let sql = "UPDATE content SET facts = ? WHERE id = (SELECT content FROM file WHERE id = ?)"
          try db.execute(sql: sql, arguments: [facts, file.rawValue])
          return try RowChecks(db).problem(of: file) == nil ? .commit : .rollback
        }
        if try RowChecks(db).problem(of: file) == nil { return true }
      }
      try db.execute(sql: Self.readAgain, arguments: [file.rawValue])
      if let text = try String.fetchOne(
        db, sql: "SELECT CAST(mismatch AS TEXT) FROM file WHERE id = ?", arguments: [file.rawValue]),
        (try? FileRows.mismatch(text)) == nil
      {
        try db.execute(sql: "UPDATE file SET mismatch = NULL WHERE id = ?", arguments: [file.rawValue])
      }
      return try RowChecks(db).problem(of: file) == nil
    }
  }

  /// The facts that a snapshot has of the same bytes: of the same digest, or of the same path with the same size and last write.
  private func savedFacts(of file: FileID, in snapshots: [Snapshot]) throws(LibraryError) -> Data? {
    guard !snapshots.isEmpty else { return nil }
    let key = try read { db in
      try Row.fetchOne(
        db,
        sql: """
          SELECT folder.path, file.name, file.size, file.modified, content.digest FROM file
          CROSS JOIN folder ON folder.id = file.folder LEFT JOIN content ON content.id = file.content WHERE file.id = ?
          """, arguments: [file.rawValue]
      ).map { row -> StatementArguments in
        StatementArguments((0..<5).map { row[$0] as DatabaseValue })
      }
    }
    guard let key else { return nil }
    let sql = """
      SELECT content.facts FROM content WHERE digest = ?5
      UNION ALL SELECT content.facts FROM folder CROSS JOIN file ON file.folder = folder.id
      CROSS JOIN content ON content.id = file.content
      WHERE folder.path = ?1 AND file.name = ?2 AND file.size = ?3 AND file.modified = ?4 LIMIT 2
      """
    for snapshot in snapshots {
      // A snapshot that cannot be read has nothing to give.
      guard
        let saved = try? CatalogueProbe(path: snapshot.path).read({ db in
          try Data.fetchAll(db, sql: sql, arguments: key)
        })
      else { continue }
      if let facts = saved.first(where: FactsCoding.isDecodable) { return facts }
    }
    return nil
  }

  private static func dropDamagedRenditions(of file: FileID, _ db: Database) throws {
    let (condition, arguments) = try RowChecks.isDamagedRendition(db)
    let sql = "content = (SELECT content FROM file WHERE id = ?) AND \(condition)"
    let addresses = try Row.fetchAll(
      db, sql: "SELECT address FROM rendition WHERE \(sql)", arguments: [file.rawValue] + arguments)
    guard !addresses.isEmpty else { return }
    try db.execute(sql: "DELETE FROM rendition WHERE \(sql)", arguments: [file.rawValue] + arguments)
    // It was not erased: its bytes are an orphan and no garbage.
    for row in addresses {
      let address: DatabaseValue = row[0]
      try db.execute(sql: "DELETE FROM garbage WHERE address = ?", arguments: [address])
    }
    try db.execute(
      sql: "UPDATE file SET recipe = NULL WHERE content = (SELECT content FROM file WHERE id = ?)",
      arguments: [file.rawValue])
    try db.execute(
      sql:
        "UPDATE folder SET fingerprint = NULL WHERE id IN (SELECT folder FROM file WHERE content = (SELECT content FROM file WHERE id = ?))",
      arguments: [file.rawValue])
  }

  /// Texts that people wrote, stored as bytes: the bytes are read as text.
  private static let textsAgain = """
    UPDATE file SET title = iif(typeof(title) = 'blob', CAST(title AS TEXT), title),
      caption = iif(typeof(caption) = 'blob', CAST(caption AS TEXT), caption),
      failure = iif(typeof(failure) = 'blob', CAST(failure AS TEXT), failure),
      failure_message = iif(typeof(failure_message) = 'blob', CAST(failure_message AS TEXT), failure_message),
      failure_detail = iif(typeof(failure_detail) = 'blob', CAST(failure_detail AS TEXT), failure_detail)
    WHERE id = ? AND 'blob' IN (typeof(title), typeof(caption), typeof(failure), typeof(failure_message), typeof(failure_detail))
    """

  /// A vanished or quarantined file stays that, and is new when it comes back.
  private static let readAgain = """
    UPDATE file SET state = iif(state IN (\(CatalogueFile.State.vanished.sql), \(CatalogueFile.State.quarantined.sql)), state, \(CatalogueFile.State.new.sql)),
      before = \(CatalogueFile.State.new.sql), kind = iif(kind BETWEEN 0 AND 7, kind, NULL), failure = NULL, failure_message = NULL,
      failure_detail = NULL, attempts = 0 WHERE id = ?
    """

  /// Makes missing and changed parts of the schema again, and what is derived from the rows, which they may have failed to keep.
  /// - Returns: Whether the schema is as expected now; false where a table of rows is missing, which only a rebuild makes again.
  func repairSchema() throws(LibraryError) -> Bool {
    guard access == .writing else {
      throw LibraryError.onlyReading(path.folder)
    }
    return try mapping {
      do {
        return try using { pool in
          try pool.writeWithoutTransaction { db in
            var isWhole = try CatalogueShape(db).differences().isEmpty
            if isWhole { return true }
            try db.inTransaction(.immediate) {
              try CatalogueShape(db).repair()
              isWhole = try CatalogueShape(db).differences().isEmpty
              if isWhole {
                try DerivedChecks(db).rebuild()
                try PendingChanges.apply(db)
              }
              return .commit
            }
            return isWhole
          }
        }
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
        // Rows came in that the missing index would have refused.
        return false
      }
    }
  }
}

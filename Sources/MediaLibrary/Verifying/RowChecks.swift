internal import GRDB
internal import MediaModel

/// Decodes every row of the catalogue, a page at a time.
struct RowChecks {
  /// A file whose row, facts or renditions cannot be decoded.
  struct Finding {
    let file: FileID
    let detail: String
  }

  private let db: Database

  init(_ db: Database) { self.db = db }

  /// The damaged rows of the next files, and the last file that was read; nil after the last one.
  func page(after: FileID?, limit: Int = 1_000) throws -> (findings: [Finding], last: FileID?) {
    let rows = try Row.fetchCursor(
      try db.cachedStatement(sql: Self.files), arguments: [after?.rawValue ?? .min, limit])
    var findings: [Finding] = []
    var last: FileID?
    while let row = try rows.next() {
      let id = FileID(rawValue: row[0])
      last = id
      // A copy, because only that has the types of the values.
      if let problem = problem(in: row.copy()) { findings.append(Finding(file: id, detail: problem)) }
    }
    return (findings, last)
  }

  /// What is wrong with the row of a file; nil when it is whole, or there is no such file.
  func problem(of file: FileID) throws -> String? {
    try Row.fetchOne(db, sql: FileQueries.byID, arguments: [file.rawValue]).flatMap(problem)
  }

  /// Renditions that cannot be decoded, each with one of the files that have it.
  func damagedRenditions() throws -> [Finding] {
    let (condition, arguments) = try Self.isDamagedRendition(db)
    let sql = """
      SELECT name, (SELECT min(file.id) FROM file WHERE file.content = rendition.content) FROM rendition WHERE \(condition)
      """
    return try Row.fetchAll(db, sql: sql, arguments: arguments).compactMap { row in
      (row[1] as Int64?).map {
        let name: DatabaseValue = row[0]
        return Finding(file: FileID(rawValue: $0), detail: "file \($0): the rendition \(name) cannot be decoded")
      }
    }
  }

  /// The condition for a rendition that cannot be decoded: its address is no digest, or nobody knows its source.
  static func isDamagedRendition(_ db: Database) throws -> (sql: String, arguments: StatementArguments) {
    let sources = try String.fetchAll(db, sql: "SELECT DISTINCT CAST(source AS TEXT) FROM rendition")
      .filter { Rendition.Source(rawValue: $0) == nil }
    let marks = databaseQuestionMarks(count: sources.count)
    return (
      "(typeof(address) <> 'blob' OR length(address) <> 32 OR source IN (\(marks)))", StatementArguments(sources)
    )
  }

  /// Without an index named: a catalogue may lack it.
  private static let files = """
    SELECT \(FileRows.columns) FROM file \(FileRows.joins) WHERE file.id > ? ORDER BY file.id LIMIT ?
    """

  private func problem(in row: Row) -> String? {
    do {
      let file = try FileRows.file(row)
      let path = file.stamp.path
      guard let before = CatalogueFile.State(number: try row.decode(atIndex: 9)) else {
        return "\(path): the column `before` has no known state"
      }
      if let kind = try row.decode(Int64?.self, atIndex: 14), MediaKind(number: kind) == nil {
        return "\(path): the kind \(kind) is unknown"
      }
      if let digest = try FileRows.data(row, 21), ContentDigest(bytes: digest) == nil {
        return "\(path): the digest is invalid"
      }
      // Of a file that waits for a scan the facts are those of an earlier content, or were damaged themselves.
      guard [file.state, before].contains(where: { $0 == .done || $0 == .failed }) else { return nil }
      if file.state == .done, file.facts.isEmpty { return "\(path): the facts are missing" }
      do throws(LibraryError) { _ = try file.info() } catch { return error.detail ?? error.message }
      return nil
    } catch {
      return "file \(row[0] as Int64): \(error)"
    }
  }
}

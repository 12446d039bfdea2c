/// Statements that summarise files: duplicates and counts.
enum SummaryQueries {
  private static let done = CatalogueFile.State.done.sql
  private static let quarantined = CatalogueFile.State.quarantined.sql

  /// File contents that more than one file of a scope has, quarantined ones not counted. For an owner all file contents are grouped and sorted, in an index of
  /// that owner's files. For other scopes shared file contents are read from the largest on, and their files counted. Stored and grouped counts hold
  /// as long as nothing is quarantined; else the files of each content are counted.
  ///
  /// Arguments: those of the filter, twice, and a third time with an owner; a position; those of the filter again; a limit.
  static func duplicates(_ scope: RowScope) -> String {
    let filter = scope.filter
    func files(_ what: String) -> String {
      """
      (SELECT \(what) FROM file INDEXED BY file_content
        WHERE file.content = content.id AND file.content IS NOT NULL AND file.state <> \(quarantined)\(filter.sql))
      """
    }
    func visible(_ what: String, _ stored: String) -> String {
      """
      iif(EXISTS (SELECT 1 FROM file INDEXED BY file_state WHERE file.state <> \(done) AND file.state = \(quarantined)),
        \(files(what)), \(stored))
      """
    }
    if scope.owner != nil {
      let count = visible("count(*)", "shared.files")
      return """
        SELECT content.digest, content.bytes, \(count), content.id, \(visible("min(file.id)", "shared.example")) FROM (
          SELECT file.content, count(*) AS files, min(file.id) AS example FROM file INDEXED BY file_owner_content
          WHERE file.owner IS NOT NULL AND file.content IS NOT NULL\(filter.sql)
          GROUP BY file.content HAVING count(*) > 1) AS shared
        CROSS JOIN content ON content.id = shared.content
        WHERE (content.bytes, content.id) < (?, ?) AND \(count) > 1 ORDER BY content.bytes DESC, content.id DESC LIMIT ?
        """
    }
    let count = filter.sql.isEmpty ? visible("count(*)", "content.files") : files("count(*)")
    return """
      SELECT digest, bytes, \(count), id, \(files("min(file.id)")) FROM content INDEXED BY content_shared
      WHERE content.files > 1 AND (bytes, id) < (?, ?) AND \(count) > 1 ORDER BY bytes DESC, id DESC LIMIT ?
      """
  }

  /// Stored counts.
  static let counts = """
    SELECT state, kind, failure, files, bytes FROM tally WHERE owner = ? AND files > 0 ORDER BY state, kind, failure
    """

  /// Counts of a scope without stored counts: reads its ranges, and all files that are not done.
  ///
  /// Arguments: those of each range and two times; then those of the filter.
  static func counts(_ scope: RowScope) -> String {
    let key = CatalogueSchema.tallied("file")
    let columns = """
      \(key.state) AS state, \(key.kind) AS kind, \(key.failure) AS failure, \(CatalogueSchema.countedBytes("file.size")) AS bytes
      """
    let parts =
      scope.ranges.map { range in
        let conditions = (range.conditions + ["file.time >= ?", "file.time < ?"]).joined(separator: " AND ")
        return "SELECT \(columns) FROM file INDEXED BY \(range.index) WHERE \(conditions)"
      } + ["SELECT \(columns) FROM file INDEXED BY file_state WHERE file.state <> \(done)\(scope.filter.sql)"]
    return """
      SELECT state, kind, failure, count(*), sum(bytes) FROM (\(parts.joined(separator: " UNION ALL ")))
      GROUP BY state, kind, failure ORDER BY state, kind, failure
      """
  }
}

/// Statements that find files. Each names its index, so that statistics cannot change the plan that a test has verified.
enum FileQueries {
  private static let done = CatalogueFile.State.done.sql
  private static let vanished = CatalogueFile.State.vanished.sql
  private static let quarantined = CatalogueFile.State.quarantined.sql
  static let folderID = "SELECT id FROM folder WHERE path = ?"
  static let folder = "SELECT path, fingerprint FROM folder WHERE path = ?"
  static let foldersAfter = """
    SELECT path, fingerprint FROM folder INDEXED BY folder_there
    WHERE vanished = 0 AND path > ? AND path < ? ORDER BY path LIMIT ?
    """
  /// With vanished folders: they have rows of files.
  static let allFoldersAfter = "SELECT path FROM folder WHERE path > ? AND path < ? ORDER BY path LIMIT ?"

  private static func known(by index: String) -> String {
    "SELECT \(FileRows.knownColumns) FROM file INDEXED BY \(index) \(FileRows.knownJoins)"
  }
  static let knownByPath = known(by: "file_path") + " WHERE file.folder = ? AND file.name = ?"
  static let knownByInode = known(by: "file_inode") + " WHERE file.inode = ?"
  /// Without files that lost their path to another file, which have no name in the folder.
  static let knownInFolder =
    known(by: "file_path") + """
       WHERE file.folder = ? AND file.name > ? AND instr(file.name, x'00') = 0 ORDER BY file.name LIMIT ?
      """
  static let knownByDigest = """
    SELECT \(FileRows.knownColumns) FROM content CROSS JOIN file INDEXED BY file_content ON file.content = content.id
    \(FileRows.knownJoins) WHERE content.digest = ? AND file.state = \(done) LIMIT 1
    """
  /// A vanished file with this content: the other file may be this one at another path.
  static let lostByDigest = """
    SELECT \(FileRows.knownColumns) FROM content CROSS JOIN file INDEXED BY file_lost ON file.content = content.id
    \(FileRows.knownJoins) WHERE content.digest = ? AND file.state = \(vanished) AND file.content IS NOT NULL AND file.before = \(done) LIMIT 1
    """
  static let knownByID = "SELECT \(FileRows.knownColumns) FROM file \(FileRows.knownJoins) WHERE file.id = ?"

  // MARK: Whole files

  private static func files(by index: String) -> String {
    "SELECT \(FileRows.columns) FROM file INDEXED BY \(index) \(FileRows.joins)"
  }
  static let byPath = files(by: "file_path") + " WHERE file.folder = ? AND file.name = ?"
  static let byID = "SELECT \(FileRows.columns) FROM file \(FileRows.joins) WHERE file.id = ?"
  static func byState(_ filter: RowScope.Filter) -> String {
    files(by: "file_state") + """
       WHERE file.state <> \(done) AND file.state = ? AND file.id > ?\(filter.sql) ORDER BY file.id LIMIT ?
      """
  }
  static func failed(_ filter: RowScope.Filter) -> String {
    files(by: "file_failed") + """
       WHERE file.state = \(CatalogueFile.State.failed.sql) AND (file.failure, file.id) > (?, ?)\(filter.sql)
      ORDER BY file.failure, file.id LIMIT ?
      """
  }
  static func failedOfCode(_ filter: RowScope.Filter) -> String {
    files(by: "file_failed") + """
       WHERE file.state = \(CatalogueFile.State.failed.sql) AND file.failure = ? AND file.id > ?\(filter.sql)
      ORDER BY file.id LIMIT ?
      """
  }
  /// The files of a folder after a name, in the order of names.
  static func inFolder(_ filter: RowScope.Filter) -> String {
    files(by: "file_path") + """
       WHERE file.folder = ? AND file.name > ? AND file.state <> \(quarantined)\(filter.sql)
      ORDER BY file.name LIMIT ?
      """
  }
  static func sharing(_ filter: RowScope.Filter) -> String {
    files(by: "file_content") + """
       WHERE file.content = (SELECT content FROM file WHERE id = ?) AND file.id > ? AND file.state <> \(quarantined)\(filter.sql)
      ORDER BY file.id LIMIT ?
      """
  }
  /// Matches of the text index in the order of their keys, filtered by the scope.
  static func search(_ filter: RowScope.Filter) -> String {
    """
    SELECT \(FileRows.columns), file_text.rowid FROM file_text
    CROSS JOIN file ON file.id = (file_text.rowid & \(SearchKey.mask)) \(FileRows.joins)
    WHERE file_text MATCH ? AND file_text.rowid >= ? AND file_text.rowid < ? AND file.state = \(done)\(filter.sql)
    ORDER BY file_text.rowid DESC LIMIT ?
    """
  }
  static let collectionsByName = """
    SELECT collection.name, owner.name, title, open, started, files, collection.id FROM owner CROSS JOIN collection
    ON collection.owner = owner.id WHERE owner.name = ? AND collection.name > ? ORDER BY collection.name LIMIT ?
    """
  static let collectionsByStart = """
    SELECT collection.name, owner.name, title, open, started, files, collection.id FROM owner CROSS JOIN collection
    INDEXED BY collection_started ON collection.owner = owner.id
    WHERE owner.name = ? AND (started, collection.id) < (?, ?) ORDER BY started DESC, collection.id DESC LIMIT ?
    """
  static let renditions = """
    SELECT name, address, type, width, height, frames, bytes, source FROM rendition
    WHERE content = (SELECT content FROM file WHERE id = ?) ORDER BY name
    """

  /// The newest files of a scope. Arguments: those of each range, followed by its times; then a limit.
  ///
  /// Always from a time to another time or to a position in the listing, so that it is an index range. Several ranges are merged while they are
  /// read.
  static func newest(_ scope: RowScope, after: Bool) -> String {
    let until = after ? "(file.time, file.name, file.id) < (?, ?, ?)" : "file.time < ?"
    let ranges = scope.ranges.map { range in
      files(by: range.index) + " WHERE \((range.conditions + ["file.time >= ?", until]).joined(separator: " AND "))"
    }
    // By column numbers, because the merged result has no table names.
    let order = ranges.count == 1 ? "file.time DESC, file.name DESC, file.id DESC" : "16 DESC, 3 DESC, 1 DESC"
    return ranges.joined(separator: " UNION ALL ") + " ORDER BY \(order) LIMIT ?"
  }
}

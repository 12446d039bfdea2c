/// The statements that find files. Each says by which index, so that what a test proves of it cannot change with the statistics.
enum FileQueries {
  static let folderID = "SELECT id FROM folder WHERE path = ?"
  static let folder = "SELECT path, fingerprint FROM folder WHERE path = ?"
  static let foldersAfter = """
    SELECT path, fingerprint FROM folder INDEXED BY folder_there
    WHERE vanished = 0 AND path > ? AND path < ? ORDER BY path LIMIT ?
    """
  /// Vanished ones too: they have rows of files.
  static let allFoldersAfter = "SELECT path FROM folder WHERE path > ? AND path < ? ORDER BY path LIMIT ?"

  private static func known(by index: String) -> String {
    "SELECT \(FileRows.knownColumns) FROM file INDEXED BY \(index) \(FileRows.knownJoins)"
  }
  static let knownByPath = known(by: "file_path") + " WHERE file.folder = ? AND file.name = ?"
  static let knownByInode = known(by: "file_inode") + " WHERE file.inode = ?"
  /// Without those that lost their path to another file: their names are none of the folder's.
  static let knownInFolder =
    known(by: "file_path") + """
       WHERE file.folder = ? AND file.name > ? AND instr(file.name, x'00') = 0 ORDER BY file.name LIMIT ?
      """
  static let knownByDigest = """
    SELECT \(FileRows.knownColumns) FROM content CROSS JOIN file INDEXED BY file_content ON file.content = content.id
    \(FileRows.knownJoins) WHERE content.digest = ? AND file.state = 1 LIMIT 1
    """
  /// One that has vanished: another file of its content may be itself, elsewhere.
  static let lostByDigest = """
    SELECT \(FileRows.knownColumns) FROM content CROSS JOIN file INDEXED BY file_lost ON file.content = content.id
    \(FileRows.knownJoins) WHERE content.digest = ? AND file.state = 3 AND file.content IS NOT NULL AND file.before = 1 LIMIT 1
    """
  static let knownByID = "SELECT \(FileRows.knownColumns) FROM file \(FileRows.knownJoins) WHERE file.id = ?"

  // MARK: Whole files

  private static func files(by index: String) -> String {
    "SELECT \(FileRows.columns) FROM file INDEXED BY \(index) \(FileRows.joins)"
  }
  static let byPath = files(by: "file_path") + " WHERE file.folder = ? AND file.name = ?"
  static let byID = "SELECT \(FileRows.columns) FROM file \(FileRows.joins) WHERE file.id = ?"
  static let byState =
    files(by: "file_state") + """
       WHERE file.state <> 1 AND file.state = ? AND file.id > ? ORDER BY file.id LIMIT ?
      """
  static let failed =
    files(by: "file_failed") + """
       WHERE file.state = 2 AND (file.failure, file.id) > (?, ?) ORDER BY file.failure, file.id LIMIT ?
      """
  static let failedOfCode =
    files(by: "file_failed") + """
       WHERE file.state = 2 AND file.failure = ? AND file.id > ? ORDER BY file.id LIMIT ?
      """
  /// The rest of a folder, in the order of paths; and all of the folders behind it.
  static let inFolder =
    files(by: "file_path") + """
       WHERE file.folder = ? AND file.name > ? AND file.state <> 4 ORDER BY file.name LIMIT ?
      """
  static let sharing =
    files(by: "file_content") + """
       WHERE file.content = (SELECT content FROM file WHERE id = ?) AND file.id > ? ORDER BY file.id LIMIT ?
      """
  static let duplicates = """
    SELECT digest, bytes, files, id, (SELECT file.id FROM file WHERE file.content = content.id LIMIT 1)
    FROM content INDEXED BY content_shared WHERE files > 1 AND (bytes, id) < (?, ?) ORDER BY bytes DESC, id DESC LIMIT ?
    """
  static let search = """
    SELECT \(FileRows.columns), file_text.rowid FROM file_text
    CROSS JOIN file ON file.id = (file_text.rowid & \(SearchKey.mask)) \(FileRows.joins)
    WHERE file_text MATCH ? AND file_text.rowid < ? AND file.state = 1 ORDER BY file_text.rowid DESC LIMIT ?
    """
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

  /// The newest of a scope. Arguments: that of the scope if it has one, then times.
  /// Always from a time and until one, or after a place in the listing: so that it is a range.
  static func newest(_ scope: CatalogueScope, after: Bool) -> String {
    let index: String
    var conditions = ["file.state = 1"]
    switch scope {
    case .photosAndVideos: (index, conditions) = ("file_newest_visual", conditions + ["file.kind <= 1"])
    case .all: index = "file_newest"
    case .kind: (index, conditions) = ("file_kind", conditions + ["file.kind = ?"])
    case .owner: (index, conditions) = ("file_owner", conditions + ["file.owner IS NOT NULL", "file.owner = ?"])
    case .collection:
      (index, conditions) = (
        "file_collection", conditions + ["file.collection IS NOT NULL", "file.collection = ?"]
      )
    case .folder: (index, conditions) = ("file_folder", conditions + ["file.folder = ?"])
    }
    conditions.append("file.time >= ?")
    conditions.append(after ? "(file.time, file.name, file.id) < (?, ?, ?)" : "file.time < ?")
    return files(by: index) + """
       WHERE \(conditions.joined(separator: " AND ")) ORDER BY file.time DESC, file.name DESC, file.id DESC LIMIT ?
      """
  }
}

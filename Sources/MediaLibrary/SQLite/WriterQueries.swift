/// Statements of a batch that name states; built once, because they run for every file.
enum WriterQueries {
  private static let new = CatalogueFile.State.new.sql
  private static let done = CatalogueFile.State.done.sql
  private static let failed = CatalogueFile.State.failed.sql
  private static let vanished = CatalogueFile.State.vanished.sql
  private static let quarantined = CatalogueFile.State.quarantined.sql

  static let insertNew = """
    INSERT INTO file (folder, name, device, inode, size, modified, changed, state, before, time, time_source)
    VALUES (?, ?, ?, ?, ?, ?, ?, \(new), \(new), ?, 'file')
    """
  static let insertDone = """
    INSERT INTO file (folder, name, device, inode, size, modified, changed, state, before, content, kind, time, time_source, mismatch,
      latitude, longitude, altitude, location_source, location, engine, recipe)
    VALUES (?, ?, ?, ?, ?, ?, ?, \(done), \(done), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """
  static let discover = """
    UPDATE file SET state = \(new), before = \(new), content = NULL, kind = NULL, time = ?, time_source = 'file',
      mismatch = NULL, failure = NULL, failure_message = NULL, failure_detail = NULL, attempts = 0 WHERE id = ?
    """
  static let finish = """
    UPDATE file SET state = \(done), before = \(done), failure = NULL, failure_message = NULL, failure_detail = NULL,
      attempts = 0, engine = ?, recipe = ? WHERE id = ?
    """
  static let fail = """
    UPDATE file SET state = \(failed), before = \(failed), failure = ?, failure_message = ?, failure_detail = ?,
      attempts = ?, engine = ?, recipe = ? WHERE id = ?
    """
  static let move = """
    UPDATE file SET folder = ?, name = ?, device = ?, inode = ?, size = ?, modified = ?, changed = ?, state = \(stateBefore),
      mismatch = iif(?, mismatch, NULL), time = iif(time_source = 'file', ?, time) WHERE id = ?
    """
  /// Copies what the file itself states, and not what people set.
  static let link = """
    UPDATE file SET (state, before, content, kind, time, time_source, mismatch, failure, failure_message, failure_detail,
      attempts, engine, recipe) = (SELECT \(stateBefore), before, content, kind, iif(time_source = 'file', ?, time),
      time_source, iif(?, mismatch, NULL), failure, failure_message, failure_detail, attempts, engine, recipe FROM file
      WHERE id = ?) WHERE id = ?
    """
  /// A file whose path another one has taken; it may be found elsewhere. No name has a NUL, so this one is free.
  static let displace = """
    UPDATE file SET before = iif(state = \(vanished), before, \(stateBefore)), state = \(vanished),
      name = CAST(name || x'00' || id AS BLOB) WHERE id = ?
    """
  static let `return` = "UPDATE file SET state = before WHERE id = ? AND state = \(vanished)"
  static let vanish =
    "UPDATE file SET before = \(stateBefore), state = \(vanished) WHERE id = ? AND state <> \(vanished)"
  static let vanishInFolder = """
    UPDATE file SET before = \(stateBefore), state = \(vanished) WHERE state <> \(vanished) AND folder IN (
      SELECT id FROM folder WHERE path = ? UNION ALL SELECT id FROM folder WHERE path > ? AND path < ?)
    """
  /// Nobody is recorded: a change of a scan says no name.
  static let flag = """
    INSERT OR IGNORE INTO file_flag SELECT id, \(SQLiteCatalogue.FileFlag.quarantined.sql), ?2, '', 0 FROM file WHERE id = ?1
    """
  static let unflag = "DELETE FROM file_flag WHERE file = ? AND flag = \(SQLiteCatalogue.FileFlag.quarantined.sql)"
  /// What is linked to a quarantined file is quarantined, too.
  static let copyFlag = """
    INSERT OR IGNORE INTO file_flag SELECT ?2, flag, reason, actor, time FROM file_flag
    WHERE file = ?1 AND flag = \(SQLiteCatalogue.FileFlag.quarantined.sql)
    """
  static let folderDone = """
    UPDATE folder SET vanished = 0, fingerprint = iif(EXISTS (SELECT 1 FROM file INDEXED BY file_new
      WHERE file.folder = ?2 AND file.state = \(new)), NULL, ?1) WHERE id = ?2
    """

  /// The state before the file vanished. A quarantined file stays quarantined when it moves.
  private static let stateBefore = "iif(state = \(quarantined), \(quarantined), before)"
}

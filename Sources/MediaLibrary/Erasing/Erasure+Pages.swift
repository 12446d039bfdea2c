internal import GRDB

/// Deletes rows some at a time, in one transaction: no statement has more ids in memory than a page, however many there are, and its progress can be reported.
extension Erasure {
  /// Deletes the rows whose ids are in a table of ids.
  /// - Returns: Their number.
  func delete(_ step: ErasureRequest.Progress.Step, from table: String, in ids: String) throws -> Int {
    let total = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(ids)") ?? 0
    let pageEnd = try db.cachedStatement(
      sql: "SELECT max(id) FROM (SELECT id FROM \(ids) WHERE id > ? ORDER BY id LIMIT ?)")
    let delete = try db.cachedStatement(
      sql: "DELETE FROM \(table) WHERE id IN (SELECT id FROM \(ids) WHERE id > ? AND id <= ?)")
    var (deleted, last) = (0, Int64.min)
    while let end = try Int64.fetchOne(pageEnd, arguments: [last, pageSize]) {
      try delete.execute(arguments: [last, end])
      deleted += db.changesCount
      last = end
      progress?(ErasureRequest.Progress(step, deleted, of: total))
    }
    return deleted
  }

  /// Deletes the grid cells of an owner of whom no file and no moment is left, with the changes that triggers noted for them: nothing has to be subtracted.
  func deleteCells(of owner: String) throws {
    guard let id = try Int64.fetchOne(db, sql: "SELECT id FROM owner WHERE name = ?", arguments: [owner]) else {
      return
    }
    for (layer, scopes) in [(LocationLayer.files, [id]), (.moments, LocationLayer.scopes(ofMomentsOf: id))] {
      for table in [layer.changes, layer.cells] {
        for scope in scopes { try db.execute(sql: "DELETE FROM \(table) WHERE scope = ?", arguments: [scope]) }
      }
    }
  }
}

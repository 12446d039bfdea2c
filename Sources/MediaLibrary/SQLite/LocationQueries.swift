/// Statements that draw the map.
enum LocationQueries {
  /// The files of a range of the map. For all files and for an owner, also used at each change of the map.
  static let locations = locations(RowScope())
  static let locationsOfOwner = locations(RowScope(owner: 0))

  /// Arguments: those of the filter, then a range.
  static func locations(_ scope: RowScope) -> String {
    "SELECT id, location FROM \(placed(scope)) AND file.location >= ? AND file.location < ? ORDER BY file.location"
  }

  /// Files of a scope, also without a location; used if they are few. Arguments: those of each range and two times; then a limit.
  static func few(_ scope: RowScope) -> String {
    scope.ranges.map { range in
      let conditions = (range.conditions + ["file.time >= ?", "file.time < ?"]).joined(separator: " AND ")
      return "SELECT id, location FROM file INDEXED BY \(range.index) WHERE \(conditions)"
    }.joined(separator: " UNION ALL ") + " LIMIT ?"
  }

  /// Arguments: those of the filter, a position in the listing, its end, and a limit.
  static func members(_ scope: RowScope) -> String {
    """
    SELECT \(FileRows.columns), file.location FROM \(placed(scope, FileRows.joins))
      AND (file.location, file.time, file.id) > (?, ?, ?) AND file.location < ?
    ORDER BY file.location, file.time, file.id LIMIT ?
    """
  }

  private static func placed(_ scope: RowScope, _ joins: String = "") -> String {
    let index = scope.owner == nil ? "file_location" : "file_owner_location"
    let owned = scope.owner == nil ? "" : " AND file.owner IS NOT NULL"
    return """
      file INDEXED BY \(index) \(joins)
      WHERE file.state = \(CatalogueFile.State.done.sql) AND file.location IS NOT NULL\(owned)\(scope.filter.sql)
      """
  }
}

internal import GRDB

/// One of the two maps of a catalogue, each with rows for the grid cells that have many members: files, and moments.
struct LocationLayer: Sendable {
  /// The table of the cells.
  let cells: String
  /// The table of the locations that were added or removed, until ``LocationCells`` has updated the cells.
  let changes: String
  /// Reads the ids and locations of a scope in a range of the map, in the order of the map.
  let members: @Sendable (_ scope: Int64, _ range: Range<Int64>, _ db: Database) throws -> RowCursor

  /// All files (scope 0), and those of each owner.
  static let files = LocationLayer(cells: "location_cell", changes: "location_change") { scope, range, db in
    let sql = scope == 0 ? LocationQueries.locations : LocationQueries.locationsOfOwner
    let arguments: StatementArguments = [range.lowerBound, range.upperBound]
    return try Row.fetchCursor(
      try db.cachedStatement(sql: sql), arguments: scope == 0 ? arguments : [scope] + arguments)
  }

  /// The moments of each owner: those that the owner sees (twice the owner's number), and those that friends see (plus 1).
  static let moments = LocationLayer(cells: "moment_cell", changes: "moment_location_change") { scope, range, db in
    let statement = try db.cachedStatement(sql: MomentQueries.locations)
    statement.setUncheckedArguments([scope >> 1, range.lowerBound, range.upperBound, (scope & 1) + 1])
    return try Row.fetchCursor(statement)
  }

  /// The cells of a level in a range of them. Arguments: scope, level, range.
  var cellsInRange: String {
    """
    SELECT cell, \(LocationSum.columns) FROM \(cells) WHERE scope = ? AND level = ? AND cell >= ? AND cell < ?
    ORDER BY cell
    """
  }

  /// One cell. Arguments: scope, level, cell.
  var cell: String { "SELECT \(LocationSum.columns) FROM \(cells) WHERE scope = ? AND level = ? AND cell = ?" }
}

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

  /// The moments of each owner: those that the owner sees, those that friends see, and those of the latter that are clean.
  static let moments = LocationLayer(cells: "moment_cell", changes: "moment_location_change") { scope, range, db in
    let isClean = scope < 0
    let statement = try db.cachedStatement(sql: isClean ? MomentQueries.cleanLocations : MomentQueries.locations)
    let (owner, reach) = isClean ? (-scope, Moment.Scope.Audience.friends.reach) : (scope >> 1, (scope & 1) + 1)
    statement.setUncheckedArguments([owner, range.lowerBound, range.upperBound, reach])
    return try Row.fetchCursor(statement)
  }

  /// The scope of the moments of an owner: twice the owner's number, plus 1 for what friends see, or the number as a negative one for what they see if they see
  /// only what is clean.
  static func scope(ofMomentsOf owner: Int64, for audience: Moment.Scope.Audience, isClean: Bool) -> Int64 {
    audience == .owner ? owner * 2 : isClean ? -owner : owner * 2 + 1
  }

  /// All scopes of the moments of an owner.
  static func scopes(ofMomentsOf owner: Int64) -> [Int64] { [owner * 2, owner * 2 + 1, -owner] }

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

internal import GRDB

/// Keeps the squares of the map with many files in them, at each level, so that a map of a million files is drawn from some thousand rows.
///
/// A square has a row exactly while ``threshold`` files or more lie in it; what lies in others is counted file by file. So a square without a
/// row has none with one inside it, and a change has to be followed down only as far as there are rows.
struct PlaceSquares {
  /// From so many files on a square has a row.
  static let threshold = 8

  private let db: Database

  init(_ db: Database) { self.db = db }

  /// Takes in what the triggers noted.
  func update() throws {
    let changes = try Row.fetchAll(
      try db.cachedStatement(
        sql: """
          SELECT scope, place, sum(sign) FROM place_change GROUP BY scope, place HAVING sum(sign) <> 0
          ORDER BY scope, place
          """)
    ).map { Change(scope: $0[0], place: $0[1], sign: $0[2]) }
    guard try !changes.isEmpty || Int.fetchOne(db, sql: "SELECT 1 FROM place_change LIMIT 1") != nil else { return }
    try db.execute(sql: "DELETE FROM place_change")
    try descend(changes[...], level: PlaceGrid.levels.lowerBound)
  }

  private struct Change {
    let scope: Int64
    let place: Int64
    let sign: Int64
  }

  /// Changes in the order of places; as deep as there are levels.
  private func descend(_ changes: ArraySlice<Change>, level: Int) throws {
    var rest = changes
    while let first = rest.first {
      let cell = PlaceCell(level: level, holding: first.place)
      let end = rest.firstIndex { $0.scope != first.scope || $0.place >= cell.places.upperBound } ?? rest.endIndex
      let group = rest[..<end]
      rest = rest[end...]
      if try update(cell, scope: first.scope, by: group), level < PlaceGrid.levels.upperBound {
        try descend(group, level: level + 1)
      }
    }
  }

  /// - Returns: Whether squares inside may have rows, now or before.
  private func update(_ cell: PlaceCell, scope: Int64, by changes: ArraySlice<Change>) throws -> Bool {
    let key: StatementArguments = [scope, cell.level, cell.code]
    let row = try Row.fetchOne(
      try db.cachedStatement(sql: "SELECT files, x, y FROM place_cell WHERE scope = ? AND level = ? AND cell = ?"),
      arguments: key)
    var sum: Sum
    if let row {
      sum = Sum(files: row[0], x: row[1], y: row[2])
      for change in changes { sum.add(change.place, times: change.sign) }
    } else {
      guard changes.contains(where: { $0.sign > 0 }) else { return false }
      sum = try count(cell, scope: scope)
    }
    guard sum.files >= Self.threshold else {
      if row != nil {
        try db.cachedStatement(sql: "DELETE FROM place_cell WHERE scope = ? AND level = ? AND cell = ?")
          .execute(arguments: key)
      }
      return row != nil
    }
    try db.cachedStatement(sql: "INSERT OR REPLACE INTO place_cell VALUES (?, ?, ?, ?, ?, ?)")
      .execute(arguments: key + [sum.files, sum.x, sum.y])
    return true
  }

  /// How many files lie in a square without a row: few, but for those that were added just now.
  private func count(_ cell: PlaceCell, scope: Int64) throws -> Sum {
    let statement = try db.cachedStatement(sql: scope == 0 ? PlaceQueries.places : PlaceQueries.placesOfOwner)
    let range: StatementArguments = [cell.places.lowerBound, cell.places.upperBound]
    let rows = try Row.fetchCursor(statement, arguments: scope == 0 ? range : [scope] + range)
    var sum = Sum()
    while let row = try rows.next() { sum.add(row[1], times: 1) }
    return sum
  }

  /// So many files, and their positions added up.
  struct Sum {
    var files: Int64 = 0
    var x: Int64 = 0
    var y: Int64 = 0

    mutating func add(_ place: Int64, times: Int64) {
      let (x, y) = PlaceCode.coordinates(place)
      files += times
      self.x += Int64(x) * times
      self.y += Int64(y) * times
    }
  }
}

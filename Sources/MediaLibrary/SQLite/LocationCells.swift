internal import GRDB

/// Maintains a row for each grid cell with many files, at every level, so that a map of a million files is drawn from some thousand rows.
///
/// A cell has a row while it has ``threshold`` or more files; the files of other cells are counted one by one. So a cell without a row contains
/// no cell with one, and a change has to be followed only as deep as there are rows.
struct LocationCells {
  /// Minimum number of files of a cell with a row.
  static let threshold = 8

  private let db: Database
  private let layer: LocationLayer

  init(_ db: Database, _ layer: LocationLayer = .files) { (self.db, self.layer) = (db, layer) }

  /// Applies the changes that triggers noted.
  func update() throws {
    let rows = try Row.fetchCursor(
      try db.cachedStatement(
        sql: """
          SELECT scope, location, sum(sign) FROM \(layer.changes) GROUP BY scope, location HAVING sum(sign) <> 0
          ORDER BY scope, location
          """))
    // 24 bytes each: a transaction may have many.
    var changes: [Change] = []
    while let row = try rows.next() { changes.append(Change(scope: row[0], location: row[1], sign: row[2])) }
    guard try !changes.isEmpty || Int.fetchOne(db, sql: "SELECT 1 FROM \(layer.changes) LIMIT 1") != nil else { return }
    try db.execute(sql: "DELETE FROM \(layer.changes)")
    try descend(changes[...], level: LocationGrid.levels.lowerBound)
  }

  private struct Change {
    let scope: Int64
    let location: Int64
    let sign: Int64
  }

  /// Applies changes in the order of locations; recurses as deep as there are levels.
  private func descend(_ changes: ArraySlice<Change>, level: Int) throws {
    guard level <= LocationGrid.levels.upperBound else { return }
    var rest = changes
    while let first = rest.first {
      let cell = LocationCell(level: level, holding: first.location)
      let end = rest.firstIndex { $0.scope != first.scope || $0.location >= cell.locations.upperBound } ?? rest.endIndex
      try update(cell, scope: first.scope, by: rest[..<end])
      rest = rest[end...]
    }
  }

  /// Updates a cell after those inside it.
  private func update(_ cell: LocationCell, scope: Int64, by changes: ArraySlice<Change>) throws {
    let known = try row(cell, scope: scope)
    var sum: LocationSum
    var mayShrink = false
    if let known {
      sum = known
      for change in changes {
        if change.sign > 0 {
          sum.add(change.location, times: change.sign)
        } else if sum.remove(change.location, times: -change.sign) {
          mayShrink = true
        }
      }
    } else {
      guard changes.contains(where: { $0.sign > 0 }) else { return }
      sum = try count(cell, scope: scope)
      if sum.files < Self.threshold { return }
    }
    try descend(changes, level: cell.level + 1)
    let key: StatementArguments = [scope, cell.level, cell.code]
    guard sum.files >= Self.threshold else {
      return try db.cachedStatement(sql: "DELETE FROM \(layer.cells) WHERE scope = ? AND level = ? AND cell = ?")
        .execute(arguments: key)
    }
    if mayShrink { sum = sum.within(try rectangle(cell, scope: scope)) }
    try db.cachedStatement(sql: "INSERT OR REPLACE INTO \(layer.cells) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
      .execute(arguments: key + [sum.files, sum.x, sum.y, sum.west, sum.east, sum.north, sum.south])
  }

  private func row(_ cell: LocationCell, scope: Int64) throws -> LocationSum? {
    try Row.fetchOne(
      try db.cachedStatement(sql: layer.cell), arguments: [scope, cell.level, cell.code]
    ).map { LocationSum($0, from: 0) }
  }

  /// The rectangle around the files of a cell, from the four cells inside it, so that not all files are read.
  private func rectangle(_ cell: LocationCell, scope: Int64) throws -> LocationSum {
    guard cell.level < LocationGrid.levels.upperBound else { return try count(cell, scope: scope) }
    var sum = LocationSum()
    for quarter in 0..<Int64(4) {
      let inside = LocationCell(level: cell.level + 1, code: cell.code * 4 + quarter)
      sum.hold(try row(inside, scope: scope) ?? count(inside, scope: scope))
    }
    return sum
  }

  /// The files of a cell without a row, which are few, apart from those just added; or of a cell of the smallest size.
  private func count(_ cell: LocationCell, scope: Int64) throws -> LocationSum {
    let rows = try layer.members(scope, cell.locations, db)
    var sum = LocationSum()
    while let row = try rows.next() { sum.add(row[1]) }
    return sum
  }
}

extension LocationSum {
  /// The columns of a cell's row about its files, in the order in which they are read.
  static let columns = "files, x, y, west, east, north, south"

  init(_ row: Row, from column: Int) {
    (files, x, y) = (row[column], row[column + 1], row[column + 2])
    (west, east) = (row[column + 3], row[column + 4])
    (north, south) = (row[column + 5], row[column + 6])
  }
}

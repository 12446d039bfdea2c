internal import GRDB

/// The map.
extension SQLiteCatalogue {
  func places(in bounds: GeoBounds, zoom: Int, owner: String?) throws(LibraryError) -> PlaceMap {
    let (level, ranges) = PlaceGrid.ranges(of: bounds, zoom: zoom)
    var map = PlaceMap(zoom: level - PlaceGrid.levels.lowerBound, clusters: [])
    map.clusters = try read { db in
      guard let scope = try Self.scope(of: owner, db) else { return [] }
      var drawing = try MapDrawing(db, level: level, scope: scope)
      for range in ranges { try drawing.draw(range) }
      return drawing.clusters
    }
    return map
  }

  func members(
    of cluster: PlaceCluster.ID, owner: String?, after: CatalogueCursor?, limit: Int
  ) throws(LibraryError) -> CataloguePage {
    guard let cell = cluster.cell else { throw LibraryError(.invalidRequest, "There is no such cluster.") }
    let limit = Self.limit(limit)
    let start = try after.map { (cursor) throws(LibraryError) in try CursorWord(cursor, "p", numbers: 2) }
    return try read { db in
      guard let scope = try Self.scope(of: owner, db) else { return CataloguePage(files: []) }
      // Ids begin at 1, so that nothing at the first place is left out.
      let range: StatementArguments = [
        max(start?.numbers[0] ?? 0, cell.places.lowerBound), start?.numbers[1] ?? 0, cell.places.upperBound, limit + 1,
      ]
      let rows = try Row.fetchCursor(
        db, sql: scope == 0 ? PlaceQueries.members : PlaceQueries.membersOfOwner,
        arguments: scope == 0 ? range : [scope] + range)
      return try Self.page(rows, limit: limit) { row in CursorWord("p", [row[33], row[0]]) }
    }
  }

  /// The number under which the squares of an owner stand: 0 for all, nil for one who has nothing.
  private static func scope(of owner: String?, _ db: Database) throws -> Int64? {
    guard let owner else { return 0 }
    return try Int64.fetchOne(db, sql: "SELECT id FROM owner WHERE name = ?", arguments: [owner])
  }
}

/// Puts together the clusters of ranges of the map: squares with many files from their rows, what lies between them file by file.
private struct MapDrawing {
  private let level: Int
  private let scope: Int64
  private let shift: Int64
  private let squares: Statement
  private let places: Statement
  private(set) var clusters: [PlaceCluster] = []

  init(_ db: Database, level: Int, scope: Int64) throws {
    (self.level, self.scope) = (level, scope)
    shift = Int64(2 * (PlaceCode.bits - level))
    squares = try db.cachedStatement(sql: PlaceQueries.squares)
    places = try db.cachedStatement(sql: scope == 0 ? PlaceQueries.places : PlaceQueries.placesOfOwner)
  }

  mutating func draw(_ range: Range<Int64>) throws {
    var from = range.lowerBound
    squares.setUncheckedArguments([scope, level, range.lowerBound >> shift, range.upperBound >> shift])
    let rows = try Row.fetchCursor(squares)
    while let row = try rows.next() {
      let cell = PlaceCell(level: level, code: row[0])
      try drawFiles(from..<cell.places.lowerBound)
      clusters.append(PlaceGrid.cluster(cell, count: row[1], x: row[2], y: row[3], single: nil))
      from = cell.places.upperBound
    }
    try drawFiles(from..<range.upperBound)
  }

  private mutating func drawFiles(_ range: Range<Int64>) throws {
    guard !range.isEmpty else { return }
    let bounds: StatementArguments = [range.lowerBound, range.upperBound]
    places.setUncheckedArguments(scope == 0 ? bounds : [scope] + bounds)
    let rows = try Row.fetchCursor(places)
    var cell: PlaceCell?
    var sum = PlaceSquares.Sum()
    var single = FileID(rawValue: 0)
    func finish() {
      guard let cell else { return }
      clusters.append(
        PlaceGrid.cluster(cell, count: Int(sum.files), x: sum.x, y: sum.y, single: single))
    }
    while let row = try rows.next() {
      let place: Int64 = row[1]
      let holding = PlaceCell(level: level, holding: place)
      if holding != cell {
        finish()
        (cell, sum, single) = (holding, PlaceSquares.Sum(), FileID(rawValue: row[0]))
      }
      sum.add(place, times: 1)
    }
    finish()
  }
}

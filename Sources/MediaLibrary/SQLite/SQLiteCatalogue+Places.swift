internal import GRDB

/// The map.
extension SQLiteCatalogue {
  func places(
    in bounds: GeoBounds, zoom: Int, owner: String?, times: Range<Int>?
  ) throws(LibraryError) -> PlaceMap {
    try places(in: bounds, zoom: zoom, owner: owner, times: times, sorting: 10_000)
  }

  /// - Parameter few: Up to so many files of some times are sorted by place here, rather than all files in the bounds gone through for them.
  func places(
    in bounds: GeoBounds, zoom: Int, owner: String?, times: Range<Int>?, sorting few: Int
  ) throws(LibraryError) -> PlaceMap {
    let (level, ranges) = PlaceGrid.ranges(of: bounds, zoom: zoom)
    var map = PlaceMap(zoom: level - PlaceGrid.levels.lowerBound, clusters: [])
    map.clusters = try read { db in
      guard let scope = try Self.scope(of: owner, db) else { return [] }
      var drawing = MapDrawing(db, level: level, scope: scope)
      if let times {
        try drawing.draw(ranges, in: times, sorting: few)
      } else {
        for range in ranges { try drawing.draw(range) }
      }
      return drawing.clusters
    }
    return map
  }

  func members(
    of cluster: PlaceCluster.ID, owner: String?, times: Range<Int>?, after: CatalogueCursor?, limit: Int
  ) throws(LibraryError) -> CataloguePage {
    guard let cell = cluster.cell else { throw LibraryError(.invalidRequest, "There is no such cluster.") }
    let limit = Self.limit(limit)
    let start = try after.map { (cursor) throws(LibraryError) in try CursorWord(cursor, "p", numbers: 3) }
    return try read { db in
      guard let scope = try Self.scope(of: owner, db) else { return CataloguePage(files: []) }
      // Of a cursor nothing is believed: it may not begin before the cluster does.
      let isInside = (start?.numbers[0] ?? .min) >= cell.places.lowerBound
      let begin = isInside ? start?.numbers ?? [] : [cell.places.lowerBound, .min, 0]
      let range: StatementArguments = [
        begin[0], begin[1], begin[2], cell.places.upperBound, times?.lowerBound ?? .min, times?.upperBound ?? .max,
        limit + 1,
      ]
      let rows = try Row.fetchCursor(
        try db.cachedStatement(sql: scope == 0 ? PlaceQueries.members : PlaceQueries.membersOfOwner),
        arguments: scope == 0 ? range : [scope] + range)
      return try Self.page(rows, limit: limit) { row in CursorWord("p", [row[33], row[15], row[0]]) }
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
  private let db: Database
  private let level: Int
  private let scope: Int64
  private let shift: Int64
  private(set) var clusters: [PlaceCluster] = []
  /// The square that files are being counted of.
  private var open: (cell: PlaceCell, sum: PlaceSum, single: FileID)?

  init(_ db: Database, level: Int, scope: Int64) {
    (self.db, self.level, self.scope) = (db, level, scope)
    shift = Int64(2 * (PlaceCode.bits - level))
  }

  private func arguments(_ rest: StatementArguments) -> StatementArguments { scope == 0 ? rest : [scope] + rest }

  /// All files of a range.
  mutating func draw(_ range: Range<Int64>) throws {
    var from = range.lowerBound
    let squares = try db.cachedStatement(sql: PlaceQueries.squares)
    squares.setUncheckedArguments([scope, level, range.lowerBound >> shift, range.upperBound >> shift])
    let rows = try Row.fetchCursor(squares)
    while let row = try rows.next() {
      let cell = PlaceCell(level: level, code: row[0])
      try drawFiles(from..<cell.places.lowerBound)
      clusters.append(PlaceGrid.cluster(cell, PlaceSum(row, from: 1), single: nil))
      from = cell.places.upperBound
    }
    try drawFiles(from..<range.upperBound)
  }

  private mutating func drawFiles(_ range: Range<Int64>) throws {
    guard !range.isEmpty else { return }
    let places = try db.cachedStatement(sql: scope == 0 ? PlaceQueries.places : PlaceQueries.placesOfOwner)
    places.setUncheckedArguments(arguments([range.lowerBound, range.upperBound]))
    let rows = try Row.fetchCursor(places)
    while let row = try rows.next() { add(row[1], FileID(rawValue: row[0])) }
    finish()
  }

  /// The files of some times in ranges: by their times where these are few, else by their places.
  mutating func draw(_ ranges: [Range<Int64>], in times: Range<Int>, sorting few: Int) throws {
    let ofTimes = try db.cachedStatement(sql: scope == 0 ? PlaceQueries.times : PlaceQueries.timesOfOwner)
    var found: [(place: Int64, id: Int64)] = []
    var count = 0
    let rows = try Row.fetchCursor(
      ofTimes, arguments: arguments([times.lowerBound, times.upperBound, few + 1]))
    while let row = try rows.next() {
      count += 1
      if let place = row[1] as Int64?, ranges.hold(place) { found.append((place, row[0])) }
    }
    if count <= few {
      for (place, id) in found.sorted(by: <) { add(place, FileID(rawValue: id)) }
      return finish()
    }
    let ofPlaces = try db.cachedStatement(
      sql: scope == 0 ? PlaceQueries.placesInTimes : PlaceQueries.placesOfOwnerInTimes)
    for range in ranges {
      let rows = try Row.fetchCursor(
        ofPlaces,
        arguments: arguments([range.lowerBound, range.upperBound, times.lowerBound, times.upperBound]))
      while let row = try rows.next() { add(row[1], FileID(rawValue: row[0])) }
    }
    finish()
  }

  /// One more file, in the order of places.
  private mutating func add(_ place: Int64, _ id: FileID) {
    let cell = PlaceCell(level: level, holding: place)
    if open?.cell != cell {
      finish()
      open = (cell, PlaceSum(), id)
    }
    open?.sum.add(place)
  }

  private mutating func finish() {
    if let open { clusters.append(PlaceGrid.cluster(open.cell, open.sum, single: open.single)) }
    open = nil
  }
}

extension [Range<Int64>] {
  /// Whether one of these, which are in order, holds a number.
  fileprivate func hold(_ number: Int64) -> Bool {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].upperBound <= number { low = middle + 1 } else { high = middle }
    }
    return low < count && self[low].contains(number)
  }
}

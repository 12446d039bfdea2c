internal import GRDB

/// The map.
extension SQLiteCatalogue {
  func locations(
    in bounds: GeoBounds, zoom: Int, owner: String?, times: Range<Int>?
  ) throws(LibraryError) -> LocationMap {
    try locations(in: bounds, zoom: zoom, owner: owner, times: times, sorting: 10_000)
  }

  /// - Parameter few: Up to so many files of some times are sorted by place here, rather than all files in the bounds gone through for them.
  func locations(
    in bounds: GeoBounds, zoom: Int, owner: String?, times: Range<Int>?, sorting few: Int
  ) throws(LibraryError) -> LocationMap {
    let (level, ranges) = LocationGrid.ranges(of: bounds, zoom: zoom)
    var map = LocationMap(zoom: level - LocationGrid.levels.lowerBound, clusters: [])
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
    of cluster: LocationCluster.ID, owner: String?, times: Range<Int>?, after: CatalogueCursor?, limit: Int
  ) throws(LibraryError) -> CataloguePage {
    guard let cell = cluster.cell else {
      throw LibraryError(.invalidRequest, "The library has no cluster with this id.", detail: cluster.rawValue)
    }
    let limit = Self.limit(limit)
    let start = try after.map { (cursor) throws(LibraryError) in try CursorWord(cursor, "p", numbers: 3) }
    return try read { db in
      guard let scope = try Self.scope(of: owner, db) else { return CataloguePage(files: []) }
      // Of a cursor nothing is believed: it may not begin before the cluster does.
      let isInside = (start?.numbers[0] ?? .min) >= cell.locations.lowerBound
      let begin = isInside ? start?.numbers ?? [] : [cell.locations.lowerBound, .min, 0]
      let range: StatementArguments = [
        begin[0], begin[1], begin[2], cell.locations.upperBound, times?.lowerBound ?? .min, times?.upperBound ?? .max,
        limit + 1,
      ]
      let rows = try Row.fetchCursor(
        try db.cachedStatement(sql: scope == 0 ? LocationQueries.members : LocationQueries.membersOfOwner),
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
  private(set) var clusters: [LocationCluster] = []
  /// The square that files are being counted of.
  private var open: (cell: LocationCell, sum: LocationSum, single: FileID)?

  init(_ db: Database, level: Int, scope: Int64) {
    (self.db, self.level, self.scope) = (db, level, scope)
    shift = Int64(2 * (LocationCode.bits - level))
  }

  private func arguments(_ rest: StatementArguments) -> StatementArguments { scope == 0 ? rest : [scope] + rest }

  /// All files of a range.
  mutating func draw(_ range: Range<Int64>) throws {
    var from = range.lowerBound
    let cells = try db.cachedStatement(sql: LocationQueries.cells)
    cells.setUncheckedArguments([scope, level, range.lowerBound >> shift, range.upperBound >> shift])
    let rows = try Row.fetchCursor(cells)
    while let row = try rows.next() {
      let cell = LocationCell(level: level, code: row[0])
      try drawFiles(from..<cell.locations.lowerBound)
      clusters.append(LocationGrid.cluster(cell, LocationSum(row, from: 1), single: nil))
      from = cell.locations.upperBound
    }
    try drawFiles(from..<range.upperBound)
  }

  private mutating func drawFiles(_ range: Range<Int64>) throws {
    guard !range.isEmpty else { return }
    let locations = try db.cachedStatement(
      sql: scope == 0 ? LocationQueries.locations : LocationQueries.locationsOfOwner)
    locations.setUncheckedArguments(arguments([range.lowerBound, range.upperBound]))
    let rows = try Row.fetchCursor(locations)
    while let row = try rows.next() { add(row[1], FileID(rawValue: row[0])) }
    finish()
  }

  /// The files of some times in ranges: by their times where these are few, else by their places.
  mutating func draw(_ ranges: [Range<Int64>], in times: Range<Int>, sorting few: Int) throws {
    let ofTimes = try db.cachedStatement(sql: scope == 0 ? LocationQueries.times : LocationQueries.timesOfOwner)
    var found: [(location: Int64, id: Int64)] = []
    var count = 0
    let rows = try Row.fetchCursor(
      ofTimes, arguments: arguments([times.lowerBound, times.upperBound, few + 1]))
    while let row = try rows.next() {
      count += 1
      if let location = row[1] as Int64?, ranges.hold(location) { found.append((location, row[0])) }
    }
    if count <= few {
      for (location, id) in found.sorted(by: <) { add(location, FileID(rawValue: id)) }
      return finish()
    }
    let ofLocations = try db.cachedStatement(
      sql: scope == 0 ? LocationQueries.locationsInTimes : LocationQueries.locationsOfOwnerInTimes)
    for range in ranges {
      let rows = try Row.fetchCursor(
        ofLocations,
        arguments: arguments([range.lowerBound, range.upperBound, times.lowerBound, times.upperBound]))
      while let row = try rows.next() { add(row[1], FileID(rawValue: row[0])) }
    }
    finish()
  }

  /// One more file, in the order of places.
  private mutating func add(_ location: Int64, _ id: FileID) {
    let cell = LocationCell(level: level, holding: location)
    if open?.cell != cell {
      finish()
      open = (cell, LocationSum(), id)
    }
    open?.sum.add(location)
  }

  private mutating func finish() {
    if let open { clusters.append(LocationGrid.cluster(open.cell, open.sum, single: open.single)) }
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

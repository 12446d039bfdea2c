internal import GRDB

/// The map.
extension SQLiteCatalogue {
  func locations(
    in bounds: LocationMap.Bounds, zoom: Int, of scope: CatalogueScope
  ) throws(LibraryError) -> LocationMap {
    try locations(in: bounds, zoom: zoom, of: scope, sorting: 10_000)
  }

  /// - Parameter few: Maximum number of files of a scope that are sorted by location here, instead of reading all files in the bounds.
  func locations(
    in bounds: LocationMap.Bounds, zoom: Int, of scope: CatalogueScope, sorting few: Int
  ) throws(LibraryError) -> LocationMap {
    let (level, ranges) = LocationGrid.ranges(of: bounds, zoom: zoom)
    var map = LocationMap(zoom: level - LocationGrid.levels.lowerBound, clusters: [])
    map.clusters = try read { db in
      guard let scope = try RowScope(scope, db) else { return [] }
      var drawing = MapDrawing(db, level: level, scope: scope)
      if scope.isOfOwnerAlone {
        for range in ranges { try drawing.draw(range) }
      } else {
        try drawing.draw(ranges, sorting: few)
      }
      return drawing.clusters
    }
    return map
  }

  func members(
    of cluster: LocationMap.Cluster.ID, in scope: CatalogueScope, after: CatalogueFile.Cursor?, limit: Int
  ) throws(LibraryError) -> CatalogueFile.Page {
    let cell = try cluster.knownCell
    let limit = Self.limit(limit)
    let start = try after.map { (cursor) throws(LibraryError) in try CursorWord(cursor, "p", numbers: 3) }
    return try read { db in
      guard let scope = try RowScope(scope, db) else { return CatalogueFile.Page(files: []) }
      // A cursor is untrusted: it must not begin before the cluster does.
      let isInside = (start?.numbers[0] ?? .min) >= cell.locations.lowerBound
      let begin = isInside ? start?.numbers ?? [] : [cell.locations.lowerBound, .min, 0]
      let rows = try Row.fetchCursor(
        try db.cachedStatement(sql: LocationQueries.members(scope)),
        arguments: StatementArguments(scope.filter.arguments) + [
          begin[0], begin[1], begin[2], cell.locations.upperBound, limit + 1,
        ])
      return try Self.page(rows, limit: limit) { row in CursorWord("p", [row[34], row[15], row[0]]) }
    }
  }
}

extension LocationMap.Cluster.ID {
  /// The cell, for the members of a cluster.
  var knownCell: LocationCell {
    get throws(LibraryError) {
      if let cell { return cell }
      throw LibraryError(
        .invalidRequest, "The library has no cluster with this id; list the locations again.", detail: rawValue)
    }
  }
}

/// Assembles the clusters of ranges of the map: cells with many files from their rows, and the files between them one by one.
private struct MapDrawing {
  private let db: Database
  private let level: Int
  private let scope: RowScope
  private let locations: String
  private let filter: StatementArguments
  private let shift: Int64
  private(set) var clusters: [LocationMap.Cluster] = []
  /// The cell whose files are being counted.
  private var open: (cell: LocationCell, sum: LocationSum, single: FileID)?

  init(_ db: Database, level: Int, scope: RowScope) {
    (self.db, self.level, self.scope) = (db, level, scope)
    locations = LocationQueries.locations(scope)
    filter = StatementArguments(scope.filter.arguments)
    shift = Int64(2 * (LocationCode.bits - level))
  }

  /// Adds all files of a range.
  mutating func draw(_ range: Range<Int64>) throws {
    var from = range.lowerBound
    let cells = try db.cachedStatement(sql: LocationLayer.files.cellsInRange)
    cells.setUncheckedArguments([scope.owner ?? 0, level, range.lowerBound >> shift, range.upperBound >> shift])
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
    let locations = try db.cachedStatement(sql: locations)
    locations.setUncheckedArguments(filter + [range.lowerBound, range.upperBound])
    let rows = try Row.fetchCursor(locations)
    while let row = try rows.next() { add(row[1], FileID(rawValue: row[0])) }
    finish()
  }

  /// Adds the files of a scope without stored sums: from an index of the scope if they are few, otherwise by location.
  mutating func draw(_ ranges: [Range<Int64>], sorting few: Int) throws {
    var found: [(location: Int64, id: Int64)] = []
    var count = 0
    let rows = try Row.fetchCursor(
      try db.cachedStatement(sql: LocationQueries.few(scope)), arguments: scope.rangeArguments + [few + 1])
    while let row = try rows.next() {
      count += 1
      if let location = row[1] as Int64?, ranges.hold(location) { found.append((location, row[0])) }
    }
    guard count <= few else {
      for range in ranges { try drawFiles(range) }
      return
    }
    for (location, id) in found.sorted(by: <) { add(location, FileID(rawValue: id)) }
    finish()
  }

  /// Adds one file, in the order of locations.
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
  /// Whether one of these sorted ranges contains a number.
  func hold(_ number: Int64) -> Bool {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].upperBound <= number { low = middle + 1 } else { high = middle }
    }
    return low < count && self[low].contains(number)
  }
}

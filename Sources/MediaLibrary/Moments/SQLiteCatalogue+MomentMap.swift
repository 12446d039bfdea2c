internal import GRDB

/// The map of moments.
extension SQLiteCatalogue {
  /// - Parameter few: Maximum number of moments of an owner's times or changes that are sorted by location here, instead of reading all moments in the bounds.
  func locations(
    in bounds: LocationMap.Bounds, zoom: Int, of scope: Moment.Scope, sorting few: Int
  ) throws(LibraryError) -> LocationMap {
    let (level, ranges) = LocationGrid.ranges(of: bounds, zoom: zoom)
    var map = LocationMap(zoom: level - LocationGrid.levels.lowerBound, clusters: [])
    map.clusters = try read { db in
      let resolved = try MomentScope(scope, showsOnlyClean: showsOnlyClean, db)
      var drawing = MomentMapDrawing(db, level: level, scope: resolved, audience: scope.audience)
      // No location is shown to everyone.
      if scope.audience == .everyone { return [] }
      for owner in resolved.owners { try drawing.draw(ranges, of: owner, sorting: few) }
      return drawing.clusters
    }
    return map
  }
}

/// Sums the moments of several owners by grid cell: cells with many from their rows, and the moments between them one by one.
private struct MomentMapDrawing {
  private struct Sum {
    var sum = LocationSum()
    var single: Moment.ID?
  }

  private let db: Database
  private let level: Int
  private let scope: MomentScope
  private let audience: Moment.Scope.Audience
  private let shift: Int64
  private var sums: [Int64: Sum] = [:]

  init(_ db: Database, level: Int, scope: MomentScope, audience: Moment.Scope.Audience) {
    (self.db, self.level, self.scope, self.audience) = (db, level, scope, audience)
    shift = Int64(2 * (LocationCode.bits - level))
  }

  /// The clusters in the order of the map.
  var clusters: [LocationMap.Cluster] {
    sums.sorted { $0.key < $1.key }.map { code, sum in
      var cluster = LocationGrid.cluster(LocationCell(level: level, code: code), sum.sum, single: nil)
      if sum.sum.files == 1 { cluster.moment = sum.single }
      return cluster
    }
  }

  mutating func draw(_ ranges: [Range<Int64>], of owner: Int64, sorting few: Int) throws {
    if !scope.hasCells, try drawFew(ranges, of: owner, few) { return }
    // An owner whose moments are elsewhere costs one look, and not one per range.
    guard let first = ranges.first, let last = ranges.last, try hasAny(owner, first.lowerBound..<last.upperBound) else {
      return
    }
    for range in ranges {
      if scope.hasCells { try drawCells(range, of: owner) } else { try drawMoments(range, of: owner) }
    }
  }

  private func hasAny(_ owner: Int64, _ range: Range<Int64>) throws -> Bool {
    let statement = try db.cachedStatement(sql: MomentQueries.locations)
    statement.setUncheckedArguments([owner, range.lowerBound, range.upperBound, scope.reach])
    return try Row.fetchCursor(statement).next() != nil
  }

  private mutating func drawCells(_ range: Range<Int64>, of owner: Int64) throws {
    var from = range.lowerBound
    let cells = try db.cachedStatement(sql: LocationLayer.moments.cellsInRange)
    cells.setUncheckedArguments([
      LocationLayer.scope(ofMomentsOf: owner, for: audience, isClean: scope.isClean), level,
      range.lowerBound >> shift, range.upperBound >> shift,
    ])
    // Read first: the statement is used again between its rows.
    for row in try Row.fetchAll(cells) {
      let cell = LocationCell(level: level, code: row[0])
      try drawMoments(from..<cell.locations.lowerBound, of: owner)
      sums[cell.code, default: Sum()].sum.add(LocationSum(row, from: 1))
      from = cell.locations.upperBound
    }
    try drawMoments(from..<range.upperBound, of: owner)
  }

  private mutating func drawMoments(_ range: Range<Int64>, of owner: Int64) throws {
    guard !range.isEmpty else { return }
    let filter = scope.timed
    let statement = try db.cachedStatement(sql: MomentQueries.locations(filter))
    let arguments = [owner, range.lowerBound, range.upperBound, scope.reach] + filter.arguments
    statement.setUncheckedArguments(StatementArguments(arguments))
    let rows = try Row.fetchCursor(statement)
    while let row = try rows.next() { add(row[1], row[0]) }
  }

  /// Adds the moments of a scope from the index of changes or that of times, if they are few.
  /// - Returns: Whether they were.
  private mutating func drawFew(_ ranges: [Range<Int64>], of owner: Int64, _ few: Int) throws -> Bool {
    if let since = scope.changedSince {
      let filter = scope.timed
      let arguments = [owner, Int64(since), scope.reach] + filter.arguments
      if try drawFew(ranges, few, MomentQueries.recent(filter), arguments) { return true }
    }
    guard let times = scope.times else { return false }
    let range = [Int64(times.lowerBound), Int64(times.upperBound)]
    return try drawFew(
      ranges, few, MomentQueries.few(scope.filter), [owner] + range + [scope.reach] + scope.filter.arguments)
  }

  private mutating func drawFew(
    _ ranges: [Range<Int64>], _ few: Int, _ sql: String, _ arguments: [Int64]
  ) throws -> Bool {
    let statement = try db.cachedStatement(sql: sql)
    statement.setUncheckedArguments(StatementArguments(arguments + [Int64(few + 1)]))
    var found: [(location: Int64, id: Int64)] = []
    var count = 0
    let rows = try Row.fetchCursor(statement)
    while let row = try rows.next() {
      count += 1
      let reach: Int64 = row[2]
      if reach >= scope.reach, let location = row[1] as Int64?, ranges.hold(location) {
        found.append((location, row[0]))
      }
    }
    guard count <= few else { return false }
    for one in found { add(one.location, one.id) }
    return true
  }

  private mutating func add(_ location: Int64, _ id: Int64) {
    sums[location >> shift, default: Sum()].sum.add(location)
    sums[location >> shift]?.single = Moment.ID(rawValue: id)
  }
}

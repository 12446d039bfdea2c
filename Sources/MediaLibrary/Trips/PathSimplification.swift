/// Douglas–Peucker simplification of a line in the plane.
///
/// Each point has a significance: the largest tolerance at which it is kept. So one pass answers for every tolerance and for every number of points.
struct PathSimplification {
  /// A point of the plane.
  struct Position: Hashable {
    var x: Double
    var y: Double
  }

  /// The significance of each point; infinite for both ends.
  let significance: [Double]

  init(_ line: [Position]) {
    var significance = [Double](repeating: 0, count: line.count)
    guard let last = line.indices.last else {
      self.significance = []
      return
    }
    (significance[0], significance[last]) = (.infinity, .infinity)
    // A stack, because a line can be as deep as it has points.
    var ranges: [(first: Int, last: Int, limit: Double)] = [(0, last, .infinity)]
    while let range = ranges.popLast() {
      guard range.last - range.first > 1 else { continue }
      var (farthest, distance) = (range.first, -1.0)
      for index in range.first + 1..<range.last {
        let square = Self.squaredDistance(of: line[index], from: line[range.first], to: line[range.last])
        if square > distance { (farthest, distance) = (index, square) }
      }
      // A point is kept only if those that divide the line above it are.
      let value = min(distance.squareRoot(), range.limit)
      significance[farthest] = value
      ranges.append((range.first, farthest, value))
      ranges.append((farthest, range.last, value))
    }
    self.significance = significance
  }

  /// The square of the distance of a point from the segment between two others.
  static func squaredDistance(of point: Position, from: Position, to: Position) -> Double {
    let (dx, dy) = (to.x - from.x, to.y - from.y)
    let length = dx * dx + dy * dy
    var (x, y) = (from.x, from.y)
    if length > 0 {
      let part = ((point.x - from.x) * dx + (point.y - from.y) * dy) / length
      if part >= 1 { (x, y) = (to.x, to.y) } else if part > 0 { (x, y) = (from.x + part * dx, from.y + part * dy) }
    }
    return (point.x - x) * (point.x - x) + (point.y - y) * (point.y - y)
  }
}

extension Trip.Path {
  /// The sections with the points that are needed at a zoom level, at most `limit` of all.
  static func simplified(_ sections: [[Point]], zoom: Int?, limit: Int) -> [[Point]] {
    let total = sections.reduce(0) { $0 + $1.count }
    guard zoom != nil || total > limit else { return sections }
    let significances = sections.map { PathSimplification(positions(of: $0, zoom: zoom ?? 20)).significance }
    let tolerance = zoom == nil ? -1.0 : 1.0
    let isKept = significances.map { $0.map { $0 > tolerance } }
    if isKept.reduce(0, { $0 + $1.count { $0 } }) <= limit {
      return zip(sections, isKept).map { points, isKept in zip(points, isKept).filter(\.1).map(\.0) }
    }
    // The most significant ones; of equal ones the earlier.
    var all: [(value: Double, section: Int, index: Int)] = []
    for (section, values) in significances.enumerated() {
      for (index, value) in values.enumerated() where value > tolerance { all.append((value, section, index)) }
    }
    all.sort { ($0.value, $1.section, $1.index) > ($1.value, $0.section, $0.index) }
    var kept = sections.map { Set<Int>(minimumCapacity: $0.count) }
    for one in all.prefix(limit) { kept[one.section].insert(one.index) }
    return zip(sections, kept).map { points, kept in kept.sorted().map { points[$0] } }
  }

  /// Positions on the Web Mercator map of a zoom level in pixels, with longitudes continued across the antimeridian.
  static func positions(of points: [Point], zoom: Int) -> [PathSimplification.Position] {
    let scale = 256 * Double(1 << min(max(zoom, 0), 20)) / Double(LocationCode.side)
    return zip(points, continued(points.map(\.longitude))).map { point, longitude in
      let position = LocationCode.position(latitude: point.latitude, longitude: longitude)
      return PathSimplification.Position(x: position.x * scale, y: position.y * scale)
    }
  }

  /// Longitudes of which each is at most 180° from the one before: beyond ±180° after the antimeridian.
  static func continued(_ longitudes: [Double]) -> [Double] {
    var result: [Double] = []
    result.reserveCapacity(longitudes.count)
    var turns = 0.0
    for (index, longitude) in longitudes.enumerated() {
      if index > 0 {
        let step = longitude - longitudes[index - 1]
        if step > 180 { turns -= 360 } else if step < -180 { turns += 360 }
      }
      result.append(longitude + turns)
    }
    return result
  }
}

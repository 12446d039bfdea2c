/// The grid from which clusters are made.
enum LocationGrid {
  /// Side of a cell in pixels; the map of zoom 0 is 256 pixels wide, that is 4 cells.
  static let square = 64.0
  /// The largest icon that fits into a cell at every position of its centre.
  static let icon = 44.0
  /// Levels of the grid, as powers of two of the cells across the map: the zoom plus two.
  static let levels = 2...22
  /// Maximum number of cells of a query; a screen of 3840 × 2160 has 2,040.
  static let maximumSquares = 4_096

  /// The sorted ranges of location codes that cover the cells of a level in bounds. The level is reduced if there were too many cells.
  static func ranges(of bounds: LocationMap.Bounds, zoom: Int) -> (level: Int, ranges: [Range<Int64>]) {
    var parts = [(west: bounds.west, east: bounds.east)]
    if bounds.west > bounds.east { parts = [(bounds.west, 180), (-180, bounds.east)] }
    // Clamped first, because callers may ask for any zoom.
    var level = min(max(zoom, 0), levels.count - 1) + levels.lowerBound
    while true {
      let rectangles = parts.map { rectangle(bounds, west: $0.west, east: $0.east, level: level) }
      if rectangles.reduce(0, { $0 + $1.area }) <= maximumSquares || level == levels.lowerBound {
        var ranges: [Range<Int64>] = []
        collect(LocationCell(level: 0, code: 0), in: rectangles, level: level, into: &ranges)
        return (level, ranges)
      }
      level -= 1
    }
  }

  /// The cells of a level between two corners.
  struct Rectangle {
    let x: ClosedRange<Int64>
    let y: ClosedRange<Int64>
    var area: Int64 { Int64(x.count) * Int64(y.count) }
  }

  private static func rectangle(_ bounds: LocationMap.Bounds, west: Double, east: Double, level: Int) -> Rectangle {
    let shift = Int64(LocationCode.bits - level)
    let first = LocationCode.position(latitude: bounds.north, longitude: west)
    let last = LocationCode.position(latitude: bounds.south, longitude: east)
    func square(_ position: Double) -> Int64 { Int64(LocationCode.unit(position)) >> shift }
    let (x, y) = (square(first.x), square(first.y))
    return Rectangle(x: x...max(x, square(last.x)), y: y...max(y, square(last.y)))
  }

  /// Divides a cell into quarters until each is completely inside or outside; at most as deep as there are levels.
  private static func collect(
    _ cell: LocationCell, in rectangles: [Rectangle], level: Int, into ranges: inout [Range<Int64>]
  ) {
    let width = Int64(1) << Int64(level - cell.level)
    let (x, y) = (Int64(cell.x) * width, Int64(cell.y) * width)
    let (across, down) = (x...x + width - 1, y...y + width - 1)
    let touched = rectangles.filter { $0.x.overlaps(across) && $0.y.overlaps(down) }
    guard !touched.isEmpty else { return }
    let isInside = touched.contains {
      $0.x.contains(across.lowerBound) && $0.x.contains(across.upperBound) && $0.y.contains(down.lowerBound)
        && $0.y.contains(down.upperBound)
    }
    if isInside || cell.level == level {
      let locations = cell.locations
      if let last = ranges.last, last.upperBound == locations.lowerBound {
        ranges[ranges.count - 1] = last.lowerBound..<locations.upperBound
      } else {
        ranges.append(locations)
      }
      return
    }
    for quarter in 0..<Int64(4) {
      collect(
        LocationCell(level: cell.level + 1, code: cell.code * 4 + quarter), in: touched, level: level, into: &ranges)
    }
  }

  /// The cluster of a grid cell: files whose mean is its centre, and whose icon does not leave the cell.
  static func cluster(_ cell: LocationCell, _ sum: LocationSum, single: FileID?) -> LocationMap.Cluster {
    let size = Double(LocationCode.side >> Int64(cell.level))
    let count = Double(max(sum.files, 1))
    // Half a unit, because a position is the corner of its unit.
    let (middleX, middleY) = (Double(sum.x) / count + 0.5, Double(sum.y) / count + 0.5)
    let inset = size * icon / square / 2
    func held(_ middle: Double, _ corner: UInt32) -> Double {
      let start = Double(corner) * size
      return min(max(middle, start + inset), start + size - inset)
    }
    return LocationMap.Cluster(
      id: LocationMap.Cluster.ID(cell), count: Int(sum.files), bounds: LocationMap.Bounds(round: sum),
      centre: LocationMap.Point(x: middleX, y: middleY),
      anchor: LocationMap.Point(x: held(middleX, cell.x), y: held(middleY, cell.y)),
      single: sum.files == 1 ? single : nil)
  }
}

/// So many files on the map: their positions added up, and the rectangle round them. In units of ``LocationCode``.
struct LocationSum: Hashable {
  var files: Int64 = 0
  var x: Int64 = 0
  var y: Int64 = 0
  /// The least and the greatest coordinates; the wrong way round where there are none.
  var west = Int64.max
  var east = Int64.min
  var north = Int64.max
  var south = Int64.min

  init() {}

  /// Takes files at a place in.
  mutating func add(_ location: Int64, times: Int64 = 1) {
    let (x, y) = Self.position(location)
    count(x, y, times)
    (west, east) = (min(west, x), max(east, x))
    (north, south) = (min(north, y), max(south, y))
  }

  /// Takes files at a place away. The rectangle stays, for nothing here says who else stands at its edge.
  /// - Returns: Whether it may be smaller now.
  mutating func remove(_ location: Int64, times: Int64) -> Bool {
    let (x, y) = Self.position(location)
    count(x, y, -times)
    return x == west || x == east || y == north || y == south
  }

  /// Widens the rectangle to hold that of another.
  mutating func hold(_ other: LocationSum) {
    (west, east) = (min(west, other.west), max(east, other.east))
    (north, south) = (min(north, other.north), max(south, other.south))
  }

  /// The same files in another rectangle.
  func within(_ other: LocationSum) -> LocationSum {
    var sum = self
    (sum.west, sum.east, sum.north, sum.south) = (other.west, other.east, other.north, other.south)
    return sum
  }

  private mutating func count(_ x: Int64, _ y: Int64, _ times: Int64) {
    files += times
    self.x += x * times
    self.y += y * times
  }

  private static func position(_ location: Int64) -> (x: Int64, y: Int64) {
    let (x, y) = LocationCode.coordinates(location)
    return (Int64(x), Int64(y))
  }
}

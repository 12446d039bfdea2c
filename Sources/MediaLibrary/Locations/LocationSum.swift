/// Number of files on the map, with the sum of their positions and the rectangle around them, in units of ``LocationCode``.
struct LocationSum: Hashable {
  var files: Int64 = 0
  var x: Int64 = 0
  var y: Int64 = 0
  /// The least and greatest coordinates; the minimum exceeds the maximum if there are no files.
  var west = Int64.max
  var east = Int64.min
  var north = Int64.max
  var south = Int64.min

  init() {}

  /// Adds files at a location.
  mutating func add(_ location: Int64, times: Int64 = 1) {
    let (x, y) = Self.position(location)
    count(x, y, times)
    (west, east) = (min(west, x), max(east, x))
    (north, south) = (min(north, y), max(south, y))
  }

  /// Removes files at a location. The rectangle stays, because other files at its edge are not known here.
  /// - Returns: Whether the rectangle may be smaller now.
  mutating func remove(_ location: Int64, times: Int64) -> Bool {
    let (x, y) = Self.position(location)
    count(x, y, -times)
    return x == west || x == east || y == north || y == south
  }

  /// Extends the rectangle to contain another one.
  mutating func hold(_ other: LocationSum) {
    (west, east) = (min(west, other.west), max(east, other.east))
    (north, south) = (min(north, other.north), max(south, other.south))
  }

  /// Adds the files of another sum.
  mutating func add(_ other: LocationSum) {
    (files, x, y) = (files + other.files, x + other.x, y + other.y)
    hold(other)
  }

  /// The same files with another rectangle.
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

/// A part of the map between two parallels and two meridians.
public struct GeoBounds: Hashable, Codable, Sendable {
  /// Degrees north of the lower edge.
  public var south: Double
  /// Degrees east of the left edge.
  public var west: Double
  /// Degrees north of the upper edge.
  public var north: Double
  /// Degrees east of the right edge; less than ``west`` where the antimeridian lies between.
  public var east: Double

  /// Bounds; nil when a coordinate is out of range or no number, or the south lies north of the north.
  public init?(south: Double, west: Double, north: Double, east: Double) {
    guard (-90...90).contains(south), (-90...90).contains(north), south <= north, (-180...180).contains(west),
      (-180...180).contains(east)
    else { return nil }
    (self.south, self.west, self.north, self.east) = (south, west, north, east)
  }

  /// The whole world.
  public static let world = GeoBounds(whole: ())

  private init(whole: Void) { (south, west, north, east) = (-90, -180, 90, 180) }

  /// The rectangle round files.
  init(round sum: LocationSum) {
    // A position stands for the unit that begins there; and a hair more, a tenth of a millimetre, for rounding.
    let hair = 0.001
    west = max(LocationCode.longitude(x: Double(sum.west) - hair), -180)
    east = min(LocationCode.longitude(x: Double(sum.east) + 1 + hair), 180)
    // What lies nearer to a pole than the map goes stands on its edge.
    north = sum.north <= 0 ? 90 : LocationCode.latitude(y: Double(sum.north) - hair)
    south = sum.south >= LocationCode.side - 1 ? -90 : LocationCode.latitude(y: Double(sum.south) + 1 + hair)
  }

  /// Whether a place lies inside, edges included.
  public func contains(latitude: Double, longitude: Double) -> Bool {
    guard latitude >= south, latitude <= north else { return false }
    return west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east
  }
}

extension LocationMap {
  /// A part of the map between two parallels and two meridians.
  public struct Bounds: Hashable, Codable, Sendable {
    /// Latitude of the lower edge in degrees north.
    public var south: Double
    /// Longitude of the left edge in degrees east.
    public var west: Double
    /// Latitude of the upper edge in degrees north.
    public var north: Double
    /// Longitude of the right edge in degrees east; less than ``west`` if the antimeridian is between them.
    public var east: Double

    /// Bounds of four coordinates; nil if one is out of range or not a number, or if `south` is greater than `north`.
    public init?(south: Double, west: Double, north: Double, east: Double) {
      guard (-90...90).contains(south), (-90...90).contains(north), south <= north, (-180...180).contains(west),
        (-180...180).contains(east)
      else { return nil }
      (self.south, self.west, self.north, self.east) = (south, west, north, east)
    }

    /// The whole world.
    public static let world = Bounds(whole: ())

    private init(whole: Void) { (south, west, north, east) = (-90, -180, 90, 180) }

    /// The rectangle around files.
    init(round sum: LocationSum) {
      // A position is the corner of its unit. The margin, a tenth of a millimetre, is for rounding.
      let hair = 0.001
      west = max(LocationCode.longitude(x: Double(sum.west) - hair), -180)
      east = min(LocationCode.longitude(x: Double(sum.east) + 1 + hair), 180)
      // Locations beyond the map's last parallel are on its edge.
      north = sum.north <= 0 ? 90 : LocationCode.latitude(y: Double(sum.north) - hair)
      south = sum.south >= LocationCode.side - 1 ? -90 : LocationCode.latitude(y: Double(sum.south) + 1 + hair)
    }

    /// Whether a location is inside, edges included.
    public func contains(latitude: Double, longitude: Double) -> Bool {
      guard latitude >= south, latitude <= north else { return false }
      return west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east
    }
  }
}

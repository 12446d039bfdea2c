/// Files that stand near one another on the map at a zoom (R-MYM-14).
///
/// A cluster is what lies in one square of 64 pixels of a grid that is laid over the whole world; so no two overlap, and moving the map changes none.
public struct LocationCluster: Hashable, Sendable, Identifiable {
  /// Its square: the same for as long as anything is in it. A word that may travel.
  public struct ID: RawRepresentable, Hashable, Codable, Sendable {
    /// The word: the level of the grid, a dot, the number of the square.
    public let rawValue: String
    /// A square that was given out before.
    public init(rawValue: String) { self.rawValue = rawValue }

    init(_ cell: LocationCell) { rawValue = "\(cell.level).\(cell.code)" }

    /// The square; nil when the word names none.
    var cell: LocationCell? {
      let parts = rawValue.split(separator: ".", maxSplits: 1)
      guard parts.count == 2, let level = Int(parts[0]), LocationGrid.levels.contains(level),
        let code = Int64(parts[1]),
        code >= 0, code < 1 << Int64(2 * level)
      else { return nil }
      return LocationCell(level: level, code: code)
    }
  }

  /// Its square.
  public var id: ID
  /// How many files.
  public var count: Int
  /// The rectangle round all of them, to 15 cm: what a map shows that zooms to this cluster.
  public var bounds: GeoBounds
  /// The middle of them: the mean of their positions on the map.
  public var centre: GeoPoint
  /// Where an icon of up to 44 pixels stands so that it overlaps no other cluster's: ``centre``, but no nearer to an edge of the square than 22.
  public var anchor: GeoPoint
  /// The only member, of a cluster of one.
  public var single: FileID?
}

/// A point of the map.
public struct GeoPoint: Hashable, Codable, Sendable {
  /// Degrees north.
  public var latitude: Double
  /// Degrees east.
  public var longitude: Double

  init(x: Double, y: Double) {
    (latitude, longitude) = (LocationCode.latitude(y: y), LocationCode.longitude(x: x))
  }
}

/// The clusters of a part of the map.
public struct LocationMap: Sendable {
  /// The zoom that was used.
  public var zoom: Int
  /// The clusters, in an order that stays.
  public var clusters: [LocationCluster]
}

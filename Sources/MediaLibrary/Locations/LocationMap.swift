extension LocationMap {
  /// Files that are close together on the map at a zoom level (R-MYM-14).
  ///
  /// A cluster has the files of one cell of 64 pixels in a grid over the whole world. So clusters do not overlap, and moving the map changes none.
  public struct Cluster: Hashable, Sendable, Identifiable {
    /// The cell of a cluster: the same while the cell has files. An opaque string that may be sent to clients.
    public struct ID: RawRepresentable, Hashable, Codable, Sendable {
      /// The level of the grid, a dot, and the number of the cell.
      public let rawValue: String
      /// A cell with the string of an earlier one.
      public init(rawValue: String) { self.rawValue = rawValue }

      init(_ cell: LocationCell) { rawValue = "\(cell.level).\(cell.code)" }

      /// The cell; nil if the string is not valid.
      var cell: LocationCell? {
        let parts = rawValue.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let level = Int(parts[0]), LocationGrid.levels.contains(level),
          let code = Int64(parts[1]),
          code >= 0, code < 1 << Int64(2 * level)
        else { return nil }
        return LocationCell(level: level, code: code)
      }
    }

    /// The cell whose files the cluster has; asks for its members.
    public var id: ID
    /// Number of files.
    public var count: Int
    /// The rectangle around all files, accurate to 15 cm: what a map shows that zooms to this cluster.
    public var bounds: Bounds
    /// The mean of the files' positions on the map.
    public var centre: Point
    /// Position of an icon of up to 44 pixels that overlaps no other cluster's icon: ``centre``, but at least 22 pixels from each edge of the cell.
    public var anchor: Point
    /// The only file of a cluster of one.
    public var single: FileID?
    /// The only moment of a cluster of one, on a map of moments.
    public var moment: Moment.ID?
  }

  /// A location with its file, as a map displays it.
  public struct Point: Hashable, Codable, Sendable {
    /// Degrees north.
    public var latitude: Double
    /// Degrees east.
    public var longitude: Double

    init(x: Double, y: Double) {
      (latitude, longitude) = (LocationCode.latitude(y: y), LocationCode.longitude(x: x))
    }
  }
}

/// The clusters of a part of the map.
public struct LocationMap: Sendable {
  /// The zoom level that was used.
  public var zoom: Int
  /// The clusters, in a stable order.
  public var clusters: [Cluster]
}

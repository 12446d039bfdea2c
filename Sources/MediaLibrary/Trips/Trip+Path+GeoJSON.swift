extension Trip.Path {
  /// The path as GeoJSON (RFC 7946): a `FeatureCollection` with a feature for each section and each gap, in their order.
  ///
  /// A section is a `LineString`, a `MultiLineString` if it crosses the antimeridian (§3.1.9), or a `Point` if it has only one. Its properties are `moments`, the
  /// ids of its points, with `from` and `to` in seconds since 1970. A gap is a straight line with `gap`, `metres`, and `seconds` if they are known.
  public struct GeoJSON: Hashable, Encodable, Sendable {
    /// The sections and the gaps of the path, in its order (RFC 7946, section 3.3).
    public var features: [Feature]

    /// A section or a gap.
    public struct Feature: Hashable, Sendable {
      /// A line, or a point if the section has only one (RFC 7946, section 3.1).
      public var geometry: Geometry
      /// The ids of its moments; of a gap, those at both ends.
      public var moments: [Moment.ID]
      /// The time of the first moment.
      public var from: Int
      /// The time of the last moment.
      public var to: Int
      /// The gap; nil for a section.
      public var gap: Gap?
      /// How the ids are encoded.
      public var idForm = IDForm.number
    }

    /// How ids of moments are encoded.
    public enum IDForm: Hashable, Sendable {
      /// As a number, as `mediatool trip` prints them.
      case number
      /// As a string, as in the HTTP interface: JavaScript has exact integers only below 2⁵³.
      case text
    }

    /// Positions as longitude and latitude.
    public enum Geometry: Hashable, Sendable {
      /// A single point.
      case point([Double])
      /// A line through at least two positions.
      case line([[Double]])
      /// A line in parts, cut at the antimeridian.
      case lines([[[Double]]])
    }

    private enum Keys: CodingKey { case type, features }

    /// Encodes a `FeatureCollection` (RFC 7946).
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode("FeatureCollection", forKey: .type)
      try container.encode(features, forKey: .features)
    }
  }

  /// The path as GeoJSON, with ids as numbers.
  public var geoJSON: GeoJSON { geoJSON(ids: .number) }

  /// The path as GeoJSON.
  /// - Parameter ids: How the ids of its moments are encoded.
  public func geoJSON(ids: GeoJSON.IDForm) -> GeoJSON {
    var features: [GeoJSON.Feature] = []
    for (index, section) in sections.enumerated() {
      features.append(GeoJSON.Feature(section, gap: nil, ids))
      if index < gaps.count {
        features.append(GeoJSON.Feature([gaps[index].from, gaps[index].to], gap: gaps[index], ids))
      }
    }
    return GeoJSON(features: features)
  }

  /// A line in the parts into which the antimeridian cuts it, as longitude and latitude. No part has fewer than two positions.
  static func cut(_ points: [Point]) -> [[[Double]]] {
    var parts: [[[Double]]] = []
    var part: [[Double]] = []
    // The degrees by which the current part is moved.
    var turns = 0.0
    var last: (longitude: Double, latitude: Double)?
    for (longitude, point) in zip(continued(points.map(\.longitude)), points) {
      if let last {
        while longitude - turns > 180 || longitude - turns < -180 {
          let isEast = longitude - turns > 180
          let edge = turns + (isEast ? 180 : -180)
          let share = longitude == last.longitude ? 0 : (edge - last.longitude) / (longitude - last.longitude)
          let latitude = last.latitude + share * (point.latitude - last.latitude)
          // A point on the antimeridian is its own cut.
          if part.last != [isEast ? 180 : -180, latitude] { part.append([isEast ? 180 : -180, latitude]) }
          if part.count > 1 { parts.append(part) }
          part = [[isEast ? -180 : 180, latitude]]
          turns += isEast ? 360 : -360
        }
      }
      // As it was given: adding and subtracting whole turns would round it.
      let isOnEdge = abs(point.longitude) == 180
      part.append([isOnEdge ? (longitude > turns ? 180 : -180) : point.longitude, point.latitude])
      last = (longitude, point.latitude)
    }
    if part.count > 1 { parts.append(part) }
    return parts
  }
}

extension Trip.Path.GeoJSON.Feature: Encodable {
  init(_ points: [Trip.Path.Point], gap: Trip.Path.Gap?, _ idForm: Trip.Path.GeoJSON.IDForm) {
    let parts = Trip.Path.cut(points)
    geometry =
      switch parts.count {
      case 0: .point(points.first.map { [$0.longitude, $0.latitude] } ?? [])
      case 1: .line(parts[0])
      default: .lines(parts)
      }
    moments = points.map(\.moment)
    (from, to) = (points.first?.time ?? 0, points.last?.time ?? 0)
    (self.gap, self.idForm) = (gap, idForm)
  }

  private enum Keys: CodingKey { case type, geometry, properties }
  private enum GeometryKeys: CodingKey { case type, coordinates }
  private enum PropertyKeys: CodingKey { case moments, from, to, gap, metres, seconds }

  /// Encodes a `Feature` (RFC 7946).
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode("Feature", forKey: .type)
    var shape = container.nestedContainer(keyedBy: GeometryKeys.self, forKey: .geometry)
    switch geometry {
    case .point(let position):
      try shape.encode("Point", forKey: .type)
      try shape.encode(position, forKey: .coordinates)
    case .line(let positions):
      try shape.encode("LineString", forKey: .type)
      try shape.encode(positions, forKey: .coordinates)
    case .lines(let parts):
      try shape.encode("MultiLineString", forKey: .type)
      try shape.encode(parts, forKey: .coordinates)
    }
    var properties = container.nestedContainer(keyedBy: PropertyKeys.self, forKey: .properties)
    switch idForm {
    case .number: try properties.encode(moments, forKey: .moments)
    case .text: try properties.encode(moments.map { "\($0.rawValue)" }, forKey: .moments)
    }
    try properties.encode(from, forKey: .from)
    try properties.encode(to, forKey: .to)
    guard let gap else { return }
    try properties.encode(true, forKey: .gap)
    try properties.encode(gap.metres.rounded(), forKey: .metres)
    try properties.encodeIfPresent(gap.seconds, forKey: .seconds)
  }
}

public import MediaLibrary

extension MediaService {
  /// A trip as a reader sees it.
  public struct TripAnswer: Encodable, Sendable {
    /// The id.
    public var id: String
    /// The name of its owner.
    public var owner: String
    /// The title.
    public var title: String
    /// The description.
    public var description: String?
    /// When it starts, in seconds since 1970.
    public var started: Int
    /// When it ends; nil while it is open.
    public var ended: Int?
    /// Who may see it.
    public var visibility: Moment.Visibility
    /// Number of its moments that the reader sees.
    public var moments: Int
    /// The version that a change names; it counts changes of the moments and their order, too.
    public var version: Int

    init(_ trip: Trip) {
      (id, owner, title) = ("\(trip.id.rawValue)", trip.owner, trip.title)
      (description, started, ended) = (trip.description, trip.started, trip.ended)
      (visibility, moments, version) = (trip.visibility, trip.moments, trip.version)
    }
  }

  /// A page of trips.
  public struct TripList: Encodable, Sendable {
    /// The trips, in the order of the listing.
    public var trips: [TripAnswer]
    /// The cursor of the next page; nil on the last.
    public var next: String?
  }

  /// The path of a trip as GeoJSON (RFC 7946), as ``TripPath/GeoJSON``; ids are texts, as everywhere in the interface.
  public struct TripPathAnswer: Encodable, Sendable {
    /// The sections and gaps, in their order.
    public var features: [Feature]

    /// A section or a gap.
    public struct Feature: Encodable, Sendable {
      let feature: TripPath.GeoJSON.Feature

      private enum Keys: CodingKey { case type, geometry, properties }
      private enum GeometryKeys: CodingKey { case type, coordinates }
      private enum PropertyKeys: CodingKey { case moments, from, to, gap, metres, seconds }

      /// Encodes the `Feature`.
      public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode("Feature", forKey: .type)
        var shape = container.nestedContainer(keyedBy: GeometryKeys.self, forKey: .geometry)
        switch feature.geometry {
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
        try properties.encode(feature.moments.map { "\($0.rawValue)" }, forKey: .moments)
        try properties.encode(feature.from, forKey: .from)
        try properties.encode(feature.to, forKey: .to)
        guard let gap = feature.gap else { return }
        try properties.encode(true, forKey: .gap)
        try properties.encode(gap.metres.rounded(), forKey: .metres)
        try properties.encodeIfPresent(gap.seconds, forKey: .seconds)
      }
    }

    private enum Keys: CodingKey { case type, features }

    init(_ path: TripPath) { features = path.geoJSON.features.map(Feature.init) }

    /// Encodes the `FeatureCollection`.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode("FeatureCollection", forKey: .type)
      try container.encode(features, forKey: .features)
    }
  }
}

extension Trip {
  /// The path of a trip on the map: its moments with a location in the order in which they were, as sections between gaps, simplified for a zoom level.
  ///
  /// Moments whose UTC offset is known are ordered by instant. One without an offset could have been up to a day earlier or later, so it follows the moment
  /// that it follows in the trip. Pure: no catalogue, no clock.
  public struct Path: Hashable, Sendable {
    /// A moment on the path.
    public struct Point: Hashable, Sendable {
      /// Which moment it is.
      public var moment: Moment.ID
      /// Degrees north.
      public var latitude: Double
      /// Degrees east.
      public var longitude: Double
      /// Seconds since 1970; local time without ``utcOffset``.
      public var time: Int
      /// Seconds east of UTC; nil if that is not known.
      public var utcOffset: Int?

      /// A moment at a location.
      public init(moment: Moment.ID, latitude: Double, longitude: Double, time: Int, utcOffset: Int?) {
        (self.moment, self.latitude, self.longitude) = (moment, latitude, longitude)
        (self.time, self.utcOffset) = (time, utcOffset)
      }
    }

    /// What counts as a gap, and how much detail is kept.
    public struct Rules: Hashable, Sendable {
      /// Two neighbours more than so many hours apart have a gap between them, if both offsets are known. Default 24.
      public var gapHours = 24.0
      /// Two neighbours more than so many kilometres apart have a gap between them. Default 300.
      public var gapKilometres = 300.0
      /// The zoom level of the map, 0…20, at which no removed point is more than one pixel from the path. Default nil: no point is removed.
      public var zoom: Int?
      /// Maximum number of points, at least 2. If there are more, those that matter least are removed, and then the shortest gaps are closed. Default 2,000.
      public var maxPoints = 2_000

      /// The default rules.
      public init() {}
    }

    /// A part of the trip without a path.
    public struct Gap: Hashable, Sendable {
      /// The last point before it.
      public var from: Point
      /// The first point after it.
      public var to: Point
      /// Seconds between them; nil if an offset is not known.
      public var seconds: Int?
      /// Metres between them along the great circle.
      public var metres: Double
    }

    /// The sections of the path in their order, each with at least one point. There is a gap between two sections.
    public var sections: [[Point]]
    /// The gaps, one fewer than sections.
    public var gaps: [Gap]
    /// Number of moments with a location, before points were removed.
    public var count: Int

    /// The path of the moments of a trip.
    /// - Parameter members: In the order of the trip.
    public init(_ members: [Point], rules: Rules = Rules()) {
      // Other numbers are no places; cutting at the antimeridian would go round the Earth for each 360° of them.
      let points = Self.ordered(
        members.filter { (-90...90).contains($0.latitude) && (-180...180).contains($0.longitude) })
      count = points.count
      var breaks: [(index: Int, gap: Gap)] = []
      for index in points.indices.dropFirst() {
        let gap = Gap(points[index - 1], points[index])
        let isLong = Double(gap.seconds?.magnitude ?? 0) > rules.gapHours * 3_600
        if isLong || gap.metres > rules.gapKilometres * 1_000 { breaks.append((index, gap)) }
      }
      // Each section keeps its ends, so there is room for so many gaps.
      let limit = max(rules.maxPoints, 2)
      let room = max(limit / 2 - 1, 0)
      if breaks.count > room {
        let longest = breaks.sorted { ($0.gap.metres, $1.index) > ($1.gap.metres, $0.index) }.prefix(room)
        breaks = longest.sorted { $0.index < $1.index }
      }
      let ends = breaks.map(\.index) + [points.count]
      var sections: [[Point]] = []
      var start = 0
      for end in ends where end > start {
        sections.append(Array(points[start..<end]))
        start = end
      }
      self.sections = Self.simplified(sections, zoom: rules.zoom, limit: limit)
      gaps = breaks.map(\.gap)
    }

    /// The order of the moments in time: those with an offset by instant, each followed by those without one that follow it in the trip.
    static func ordered(_ members: [Point]) -> [Point] {
      var first: [Point] = []
      var groups: [(instant: Int, number: Int, points: [Point])] = []
      for point in members {
        if point.utcOffset != nil {
          groups.append((point.time, groups.count, [point]))
        } else if groups.isEmpty {
          first.append(point)
        } else {
          groups[groups.count - 1].points.append(point)
        }
      }
      groups.sort { ($0.instant, $0.number) < ($1.instant, $1.number) }
      return first + groups.flatMap(\.points)
    }
  }
}

extension Trip.Path.Gap {
  /// What is between two neighbours.
  init(_ from: Trip.Path.Point, _ to: Trip.Path.Point) {
    (self.from, self.to) = (from, to)
    if from.utcOffset != nil, to.utcOffset != nil {
      let (seconds, isTooLarge) = to.time.subtractingReportingOverflow(from.time)
      self.seconds = isTooLarge ? .max : seconds
    }
    metres = GreatCircle.metres(
      from: (from.latitude, from.longitude), to: (to.latitude, to.longitude))
  }
}

internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

@Suite("The path of a trip") struct TripPathTests {
  private static func point(
    _ id: Int64, _ latitude: Double, _ longitude: Double, at time: Int = 0, offset: Int? = 0
  ) -> Trip.Path.Point {
    Trip.Path.Point(
      moment: Moment.ID(rawValue: id), latitude: latitude, longitude: longitude, time: time, utcOffset: offset)
  }

  /// A random walk with steps of up to `step` degrees, one point a minute.
  private static func walk(_ count: Int, step: Double, _ random: inout SeededGenerator) -> [Trip.Path.Point] {
    var (latitude, longitude) = (Double(random.below(120)) - 60, Double(random.below(360)) - 180)
    return (0..<count).map { index in
      latitude = min(max(latitude + (Double(random.below(2_001)) / 1_000 - 1) * step, -84), 84)
      longitude += (Double(random.below(2_001)) / 1_000 - 1) * step
      if longitude > 180 { longitude -= 360 } else if longitude < -180 { longitude += 360 }
      return point(Int64(index), latitude, longitude, at: index * 60)
    }
  }

  @Test("Moments with an offset are ordered by instant; one without follows the moment that it follows in the trip")
  func order() {
    let members = [
      Self.point(1, 0, 0, at: 500), Self.point(2, 0, 1, at: 7_000, offset: nil), Self.point(3, 0, 2, at: 100),
      Self.point(4, 0, 3, at: 100), Self.point(5, 0, 4, at: 1, offset: nil),
    ]
    // 10:00 in Tokyo is before 03:00 in Paris: both are instants.
    #expect(Trip.Path.ordered(members).map(\.moment.rawValue) == [3, 4, 5, 1, 2])
    let first = Self.point(9, 0, 0, at: 9_999, offset: nil)
    #expect(Trip.Path.ordered([first] + members).map(\.moment.rawValue) == [9, 3, 4, 5, 1, 2])
  }

  @Test("A path has a gap where neighbours are more hours or kilometres apart than the rules allow") func gaps() throws
  {
    let hour = 3_600
    let members = [
      Self.point(1, 0, 0), Self.point(2, 0, 1, at: hour), Self.point(3, 0, 2, at: 30 * hour),
      Self.point(4, 0, 5, at: 31 * hour), Self.point(5, 0, 5.1, at: 90 * hour, offset: nil),
    ]
    let path = Trip.Path(members)
    #expect(path.sections.map { $0.map(\.moment.rawValue) } == [[1, 2], [3], [4, 5]])
    #expect(path.gaps.map(\.seconds) == [29 * hour, hour])
    // 3° of the equator: 333.6 km.
    let metres = try #require(path.gaps.last?.metres)
    #expect(abs(metres - 333_585) < 10)
    var rules = Trip.Path.Rules()
    (rules.gapHours, rules.gapKilometres) = (29, 334)
    #expect(Trip.Path(members, rules: rules).sections.count == 1)
  }

  @Test(
    "Every removed point is within a pixel of the simplified line, and both ends stay",
    arguments: 0..<30 as Range<UInt64>)
  func tolerance(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let members = Self.walk(300, step: 0.02, &random)
    var counts: [Int] = []
    for zoom in [4, 8, 12] {
      var rules = Trip.Path.Rules()
      rules.zoom = zoom
      let path = Trip.Path(members, rules: rules)
      #expect(path.sections.count == 1)
      let kept = path.sections[0].map { Int($0.moment.rawValue) }
      counts.append(kept.count)
      #expect(kept.first == 0)
      #expect(kept.last == 299)
      let positions = Trip.Path.positions(of: members, zoom: zoom)
      for (from, to) in zip(kept, kept.dropFirst()) {
        for index in from...to {
          let square = PathSimplification.squaredDistance(
            of: positions[index], from: positions[from], to: positions[to])
          #expect(square <= 1.000_001, "seed \(seed), zoom \(zoom), point \(index)")
        }
      }
    }
    #expect(counts == counts.sorted(), "more detail at a greater zoom: \(counts)")
  }

  @Test(
    "A path has at most the number of points allowed, also if it has more gaps than that",
    arguments: 0..<10 as Range<UInt64>)
  func limit(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for (step, limit) in [(0.02, 40), (30, 40), (30, 7), (0.02, 2), (30, 3)] {
      var rules = Trip.Path.Rules()
      rules.maxPoints = limit
      let members = Self.walk(200, step: step, &random)
      let path = Trip.Path(members, rules: rules)
      #expect(path.sections.reduce(0) { $0 + $1.count } <= limit)
      #expect(path.gaps.count == path.sections.count - 1)
      #expect(path.sections.first?.first?.moment.rawValue == 0)
      #expect(path.sections.last?.last?.moment.rawValue == 199)
      #expect(path.count == 200)
    }
  }

  @Test(
    "A line is cut at the antimeridian, and no part of it crosses it (RFC 7946 §3.1.9)",
    arguments: 0..<30 as Range<UInt64>)
  func antimeridian(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var members = Self.walk(60, step: 20, &random)
    // Points on the line itself, from both sides.
    members[10].longitude = 180
    members[30].longitude = -180
    let parts = Trip.Path.cut(members)
    for part in parts {
      #expect(part.count > 1)
      for position in part { #expect(abs(position[0]) <= 180) }
      for (one, next) in zip(part, part.dropFirst()) { #expect(abs(one[0] - next[0]) <= 180) }
    }
    // Put together again, the parts are the line with points where it is cut.
    for (one, next) in zip(parts, parts.dropFirst()) {
      #expect(one.last?[0].magnitude == 180)
      #expect(one.last?[0] == next.first.map { -$0[0] })
      #expect(one.last?[1] == next.first?[1])
    }
    let cut = parts.joined().map { [abs($0[0]) == 180 ? 180 : $0[0], $0[1]] }
    for member in members {
      #expect(cut.contains([abs(member.longitude) == 180 ? 180 : member.longitude, member.latitude]))
    }
  }

  @Test("A section is a line, a cut line or a point in GeoJSON, and a gap is marked") func geoJSON() throws {
    let members = [
      Self.point(1, 10, 179), Self.point(2, 20, -179, at: 60), Self.point(3, 20, 100, at: 120),
      Self.point(4, 20, 101, at: 180),
    ]
    let data = try JSONEncoder().encode(Trip.Path(members).geoJSON)
    let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(object["type"] as? String == "FeatureCollection")
    let features = try #require(object["features"] as? [[String: Any]])
    let geometries = try features.map { try #require($0["geometry"] as? [String: Any]) }
    #expect(
      geometries.map { $0["type"] as? String }
        == ["Point", "MultiLineString", "Point", "MultiLineString", "LineString"])
    let gaps = features.filter { ($0["properties"] as? [String: Any])?["gap"] as? Bool == true }
    #expect(gaps.count == Trip.Path(members).gaps.count)
    var rules = Trip.Path.Rules()
    rules.gapKilometres = 100_000
    let whole = Trip.Path(members, rules: rules).geoJSON
    guard case .lines(let parts) = try #require(whole.features.first).geometry else {
      Issue.record("not cut: \(whole)")
      return
    }
    #expect(
      parts == [
        [[179, 10], [180, 15]], [[-180, 15], [-179, 20], [-180, 20]], [[180, 20], [100, 20], [101, 20]],
      ])
  }

  @Test("An empty trip has an empty path, and one moment is a point") func few() throws {
    #expect(Trip.Path([]).sections.isEmpty)
    #expect(Trip.Path([]).geoJSON.features.isEmpty)
    let one = try #require(Trip.Path([Self.point(1, 3, 4)]).geoJSON.features.first)
    #expect(one.geometry == .point([4, 3]))
    // Locations that are no numbers have no place on a path.
    #expect(Trip.Path([Self.point(1, .nan, 4)]).count == 0)
    let far = [Self.point(1, 3, 1e300), Self.point(2, 91, 4), Self.point(3, 3, -181), Self.point(4, 3, 4)]
    #expect(Trip.Path(far).count == 1)
    #expect(Trip.Path(far).geoJSON.features.count == 1)
  }

  @Test("Simplified lines are those of GEOS, which shapely calls", arguments: [1, 2, 3] as [UInt64]) func reference(
    seed: UInt64
  ) throws {
    let python = Corpus.packageRoot.appendingPathComponent(".build/python/bin/python")
    guard FileManager.default.isExecutableFile(atPath: python.path),
      try Tool(executable: python).run(["-c", "import shapely"]).status == 0
    else {
      print("without GEOS: shapely is not installed (scripts/setup test)")
      return
    }
    var random = SeededGenerator(seed: seed)
    let members = Self.walk(2_000, step: 0.01, &random)
    let zoom = 9
    let positions = Trip.Path.positions(of: members, zoom: zoom)
    let script = """
      import json, sys, shapely
      line = shapely.LineString(json.load(sys.stdin))
      print(json.dumps(list(line.simplify(1.0, preserve_topology=False).coords)))
      """
    let input = try JSONEncoder().encode(positions.map { [$0.x, $0.y] })
    let result = try Tool(executable: python).run(["-c", script], input: [UInt8](input))
    #expect(result.status == 0, "\(result.errors)")
    let theirs = try JSONDecoder().decode([[Double]].self, from: Data(result.bytes))
    var rules = Trip.Path.Rules()
    (rules.zoom, rules.gapKilometres) = (zoom, 100_000)
    let kept = try #require(Trip.Path(members, rules: rules).sections.first)
    let ours = kept.map { positions[Int($0.moment.rawValue)] }.map { [$0.x, $0.y] }
    #expect(ours == theirs)
    #expect(ours.count > 20)
    #expect(ours.count < 1_900)
  }
}

internal import FileSupport
internal import Foundation
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

@Suite("Files on the map") struct LocationTests {
  /// Places as people's are: some anywhere, most near a few, many at one spot.
  private static func locations(_ count: Int, _ random: inout SeededGenerator) -> [(Double, Double)] {
    func anywhere() -> (Double, Double) {
      (Double(random.below(180_000)) / 1_000 - 90, Double(random.below(360_000)) / 1_000 - 180)
    }
    let homes = (0..<4).map { _ in anywhere() }
    return (0..<count).map { _ in
      switch random.below(4) {
      case 0: return anywhere()
      case 1: return homes[0]
      default:
        let home = homes[random.below(4)]
        return (
          min(90, max(-90, home.0 + Double(random.below(2_000)) / 100_000)),
          min(180, max(-180, home.1 + Double(random.below(2_000)) / 100_000))
        )
      }
    }
  }

  /// The square of a place at a zoom, worked out in another way: tiles of 64 pixels by the formula of the map's makers.
  private static func square(_ latitude: Double, _ longitude: Double, zoom: Int) -> String {
    let across = pow(2, Double(zoom + 2))
    let radians = min(max(latitude, -85.05112877980659), 85.05112877980659) * .pi / 180
    let x = (longitude + 180) / 360 * across
    let y = (1 - asinh(tan(radians)) / .pi) / 2 * across
    return "\(Int(min(max(x, 0), across - 1))),\(Int(min(max(y, 0), across - 1)))"
  }

  /// Whether bounds hold all places and are no wider than they need be, to a metre. Nothing is asked of edges at the poles, where the map ends.
  private static func isTight(_ bounds: LocationMap.Bounds, round locations: [(Double, Double)]) -> Bool {
    // Nearer to a pole than the map goes, all stands on its edge.
    let (latitudes, longitudes) = (locations.map { min(max($0.0, -85.0511287), 85.0511287) }, locations.map(\.1))
    func isNear(_ edge: Double, _ location: Double?) -> Bool { abs(edge - (location ?? 999)) < 1e-5 || abs(edge) == 90 }
    return locations.allSatisfy { bounds.contains(latitude: $0.0, longitude: $0.1) }
      && isNear(bounds.south, latitudes.min()) && isNear(bounds.north, latitudes.max())
      && isNear(bounds.west, longitudes.min()) && isNear(bounds.east, longitudes.max())
  }

  private static func square(_ cluster: LocationMap.Cluster) -> String {
    let cell = cluster.id.cell
    return "\(cell?.x ?? 0),\(cell?.y ?? 0)"
  }

  @Test(
    "R-MYM-14: every file in bounds is in one cluster, after any additions, removals and changes of owner",
    arguments: [1, 2, 3, 4] as [UInt64])
  func model(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let test = try TestLibrary()
    let locations = Self.locations(260, &random)
    var model: [Int: (location: (Double, Double), owner: String?)] = [:]
    for round in 0..<6 {
      var changes: [CatalogueChange] = []
      for index in locations.indices where random.below(3) == 0 {
        changes.append(
          TestLibrary.done("/r/\(index)", inode: UInt64(index), second: Int64(round), at: locations[index]))
        model[index] = (locations[index], model[index]?.owner)
      }
      try test.catalogue.apply(changes)
      for index in model.keys.sorted() where random.below(5) == 0 {
        let id = try test.id("/r/\(index)")
        switch random.below(4) {
        case 0:
          try test.catalogue.apply([.vanished(id)])
          model[index] = nil
        case 1:
          try test.library.erase(.file(id))
          model[index] = nil
        default:
          let owner = ["ann", "bob", nil][random.below(3)]
          try test.catalogue.assign([id], owner: owner, collection: .none)
          model[index]?.owner = owner
        }
      }
      for index in locations.indices where model[index] == nil {
        // A row that vanished keeps its owner.
        if let file = try test.catalogue.file(at: PathBytes("/r/\(index)")) {
          try test.catalogue.assign([file.id], owner: nil, collection: .none)
        }
      }
      for owner in [nil, "ann"] as [String?] {
        let there = model.values.filter { owner == nil || $0.owner == owner }.map(\.location)
        for zoom in [0, 3, 8, 14, 20] {
          let map = try test.catalogue.locations(in: .world, zoom: zoom, of: CatalogueScope(owner: owner))
          var expected: [String: Int] = [:]
          for location in there { expected[Self.square(location.0, location.1, zoom: map.zoom), default: 0] += 1 }
          let found = Dictionary(map.clusters.map { (Self.square($0), $0.count) }, uniquingKeysWith: { _, _ in -1 })
          #expect(found == expected, "seed \(seed), round \(round), zoom \(zoom), owner \(owner ?? "-")")
          for cluster in map.clusters {
            let members = there.filter { Self.square($0.0, $0.1, zoom: map.zoom) == Self.square(cluster) }
            #expect(Self.isTight(cluster.bounds, round: members), "seed \(seed), zoom \(zoom): \(cluster)")
          }
        }
      }
    }
    #expect(try test.library.verify().isIntact, "seed \(seed)")
  }

  @Test(
    "Bounds give the grid cells that they touch, also across the antimeridian and at the poles, at any zoom",
    arguments: [1, 2, 3] as [UInt64])
  func bounds(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let test = try TestLibrary()
    let locations = Self.locations(300, &random) + [(90, 0), (-90, 0), (0, 180), (0, -180), (89, 179.999)]
    try test.catalogue.apply(
      locations.enumerated().map { TestLibrary.done("/r/\($0)", inode: UInt64($0), at: $1) })
    for _ in 0..<150 {
      // Round a place, mostly; as large as a screen at the zoom, or anything.
      let middle = locations[random.below(locations.count)]
      let zoom = random.below(23) - 1
      let reach = 500 / pow(2, Double(random.below(4) == 0 ? random.below(20) : max(zoom, 0)))
      func wrapped(_ longitude: Double) -> Double {
        longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
      }
      let bounds = try #require(
        LocationMap.Bounds(
          south: max(-90, middle.0 - reach / 2), west: reach >= 180 ? -180 : wrapped(middle.1 - reach),
          north: min(90, middle.0 + reach / 2), east: reach >= 180 ? 180 : wrapped(middle.1 + reach)))
      let map = try test.catalogue.locations(in: bounds, zoom: zoom, of: .all)
      #expect(map.zoom <= min(max(zoom, 0), 20))
      var all: [String: Int] = [:]
      for location in locations { all[Self.square(location.0, location.1, zoom: map.zoom), default: 0] += 1 }
      var found: [String: Int] = [:]
      for cluster in map.clusters {
        #expect(found.updateValue(cluster.count, forKey: Self.square(cluster)) == nil, "twice")
        #expect(cluster.count == all[Self.square(cluster)], "a cluster is whole")
      }
      for location in locations where bounds.contains(latitude: location.0, longitude: location.1) {
        #expect(
          found[Self.square(location.0, location.1, zoom: map.zoom)] != nil, "\(location) in \(bounds) at \(map.zoom)")
      }
    }
  }

  @Test("D6.17: the clusters of a zoom level do not overlap, and neither do icons of 44 pixels on them")
  func noOverlap() throws {
    var random = SeededGenerator(seed: 9)
    let test = try TestLibrary()
    try test.catalogue.apply(
      Self.locations(400, &random).enumerated().map { TestLibrary.done("/r/\($0)", inode: UInt64($0), at: $1) })
    for zoom in 0...12 {
      let clusters = try test.catalogue.locations(in: .world, zoom: zoom, of: .all)
      let pixels = clusters.clusters.map { cluster in
        let position = LocationCode.position(latitude: cluster.anchor.latitude, longitude: cluster.anchor.longitude)
        let scale = 256 * pow(2, Double(clusters.zoom)) / Double(LocationCode.side)
        return (x: position.x * scale, y: position.y * scale)
      }
      for (index, one) in pixels.enumerated() {
        #expect(
          clusters.clusters[index].bounds.contains(
            latitude: clusters.clusters[index].centre.latitude, longitude: clusters.clusters[index].centre.longitude))
        for other in pixels[(index + 1)...] {
          #expect(max(abs(one.x - other.x), abs(one.y - other.y)) >= 44 - 1e-6, "zoom \(zoom)")
        }
      }
    }
  }

  @Test("R-MYM-15: the members of a cluster come in pages, in a stable order") func members() throws {
    let test = try TestLibrary()
    try test.catalogue.apply(
      (0..<30).map {
        TestLibrary.done("/r/\($0)", inode: UInt64($0), at: $0 < 20 ? (48.2, 16.37) : (48.2 + Double($0) / 1e5, 16.37))
      } + [TestLibrary.done("/r/far", inode: 99, at: (-30, 100))])
    let map = try test.catalogue.locations(in: .world, zoom: 4, of: .all)
    let cluster = try #require(map.clusters.first { $0.count == 30 })
    func members() throws -> [FileID] {
      try TestLibrary.all { try test.catalogue.members(of: cluster.id, in: .all, after: $0, limit: 4) }.map(\.id)
    }
    let first = try members()
    #expect(first.count == 30)
    #expect(Set(first).count == 30)
    try test.catalogue.apply([TestLibrary.done("/r/new", inode: 100, at: (48.2, 16.37))])
    #expect(try members().filter(Set(first).contains) == first)
    let single = try #require(map.clusters.first { $0.count == 1 })
    #expect(try single.single == test.id("/r/far"))
    #expect(cluster.single == nil)
    try test.catalogue.assign(Array(first.prefix(3)), owner: "ann", collection: .none)
    let hers = try test.catalogue.members(of: cluster.id, in: .owner("ann"), after: nil, limit: 9).files.map(\.id)
    #expect(Set(hers) == Set(first.prefix(3)))
    #expect(try test.catalogue.members(of: cluster.id, in: .owner("eve"), after: nil, limit: 9).files.isEmpty)
    for word in ["", "4", "4.", "4.-1", "99.1", "4.99999999", "x.y"] {
      #expect(throws: LibraryError.self) {
        try test.catalogue.members(of: LocationMap.Cluster.ID(rawValue: word), in: .all, after: nil, limit: 9)
      }
    }
  }

  @Test(
    "R-MYM-15: members are on a circle, then on a spiral; no two overlap, none covers the icon, and one more moves none"
  )
  func layout() {
    for side in [1.0, 44, 300] {
      let layout = LocationMap.Layout(side: side)
      #expect(layout.offsets(of: -1).isEmpty)
      #expect(layout.offsets(of: 5_000).count == 1_000)
      for count in [1, 2, 3, 7, 8, 9, 10, 17, 40, 1_000] {
        let offsets = layout.offsets(of: count)
        #expect(offsets.count == count)
        #expect(abs(offsets[0].x) < 1e-9, "the first at the top")
        #expect(offsets[0].y < 0, "the first at the top")
        for (index, one) in offsets.enumerated() {
          #expect((one.x * one.x + one.y * one.y).squareRoot() >= side)
          for other in offsets[(index + 1)...] {
            let (x, y) = (one.x - other.x, one.y - other.y)
            #expect((x * x + y * y).squareRoot() >= side, "\(count) of side \(side)")
          }
        }
        if count <= LocationMap.Layout.circle {
          let radii = Set(offsets.map { (($0.x * $0.x + $0.y * $0.y).squareRoot() * 1_000).rounded() })
          #expect(radii.count == 1, "a circle")
        } else {
          #expect(Array(layout.offsets(of: 1_000).prefix(count)) == offsets)
        }
      }
    }
  }

  @Test("A zoom out of range is clamped", arguments: [Int.min, -1, 21, Int.max])
  func anyZoom(zoom: Int) throws {
    let test = try TestLibrary()
    let bounds = try #require(LocationMap.Bounds(south: 1, west: 1, north: 1.001, east: 1.001))
    #expect(try test.catalogue.locations(in: bounds, zoom: zoom, of: .all).zoom == (zoom < 0 ? 0 : 20))
  }
}

internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

@Suite("Files on the map, by time") struct LocationTimeTests {
  private struct Photo {
    let path: String
    let latitude: Double
    let longitude: Double
    let taken: Int
    let owner: String?
  }

  @Test(
    "R-MYM-16: location, date and owner filter together, whichever index is used", arguments: [1, 2, 3] as [UInt64])
  func filtered(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let test = try TestLibrary()
    let photos = (0..<300).map { index in
      Photo(
        path: "/r/\(index)", latitude: Double(random.below(40)), longitude: Double(random.below(40)) - 20,
        taken: random.below(500), owner: [nil, "ann", "bob"][random.below(3)])
    }
    try test.catalogue.apply(
      photos.enumerated().map {
        TestLibrary.done($1.path, inode: UInt64($0 + 1), taken: $1.taken, at: ($1.latitude, $1.longitude))
      } + [TestLibrary.done("/r/nowhere", inode: 999, taken: 250)])
    for photo in photos { try test.catalogue.assign([test.id(photo.path)], owner: photo.owner, collection: .none) }
    for _ in 0..<40 {
      let start = random.below(500)
      let times = start..<(start + random.below(200))
      let south = Double(random.below(39))
      let bounds = try #require(
        random.below(4) == 0
          ? .world : LocationMap.Bounds(south: south, west: -20, north: south + 5, east: Double(random.below(20))))
      let owner = [nil, "ann", "nobody"][random.below(3)]
      let expected = photos.filter {
        times.contains($0.taken) && (owner == nil || $0.owner == owner)
          && bounds.contains(latitude: $0.latitude, longitude: $0.longitude)
      }
      for few in [0, 20, 10_000] {
        let map = try test.library.database.locations(
          in: bounds, zoom: 5, of: CatalogueScope(owner: owner, times: times), sorting: few)
        // Clusters are whole: those at the edge of the bounds hold what lies outside them too.
        var members: [CatalogueFile] = []
        for cluster in map.clusters {
          let files = try TestLibrary.all {
            try test.catalogue.members(
              of: cluster.id, in: CatalogueScope(owner: owner, times: times), after: $0, limit: 3)
          }
          #expect(files.count == cluster.count, "seed \(seed)")
          #expect(cluster.count != 1 || files.first?.id == cluster.single)
          members += files
        }
        #expect(Set(map.clusters.map(\.id)).count == map.clusters.count)
        #expect(members.allSatisfy { times.contains($0.time) && (owner == nil || $0.owner == owner) }, "seed \(seed)")
        #expect(Set(expected.map(\.path)).isSubset(of: members.map(\.path)), "seed \(seed)")
        let all = try test.catalogue.locations(in: bounds, zoom: 5, of: CatalogueScope(owner: owner)).clusters.map(\.id)
        #expect(Set(map.clusters.map(\.id)).isSubset(of: all), "seed \(seed)")
      }
    }
    #expect(try test.catalogue.locations(in: .world, zoom: 2, of: .all.during(600..<900)).clusters.isEmpty)
  }
}

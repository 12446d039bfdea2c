internal import FileSupport
internal import GRDB
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

@Suite("The setting for locations (R-MYM-27, R-MYM-28)") struct LocationSharingTests {
  @Test("Friends see locations only where the setting is friends: new moments, and earlier ones if asked for")
  func friends() throws {
    let world = try MomentWorld()
    #expect(try world.moments.locationSharing(of: "ada") == .private)
    func post() throws { try world.note("n", of: "ada", location: MomentWorld.place(1, 2), visibility: .friends) }
    func located(_ scope: Moment.Scope) throws -> [Bool] {
      let listed = try world.all(scope)
      let clusters = try world.moments.locations(in: .world, zoom: 5, of: scope).clusters
      // The map, its members and the listing agree.
      #expect(clusters.reduce(0) { $0 + $1.count } == listed.count { $0.location != nil })
      for cluster in clusters {
        let members = try MomentWorld.all { try world.moments.members(of: cluster.id, in: scope, after: $0, limit: 2) }
        #expect(members.count == cluster.count)
      }
      return listed.map { $0.location != nil }
    }
    for _ in 0..<9 { try post() }
    #expect(try located(.friends(["ada"])) == [Bool](repeating: false, count: 9))
    try world.moments.setLocationSharing(.friends, of: "ada")
    try post()
    #expect(try located(.friends(["ada"])) == [true] + [Bool](repeating: false, count: 9))
    try world.moments.setLocationSharing(.friends, of: "ada", applyingToExisting: true)
    #expect(try located(.friends(["ada"])) == [Bool](repeating: true, count: 10))
    #expect(try located(.owner("ada")) == [Bool](repeating: true, count: 10))
    try world.moments.setLocationSharing(.private, of: "ada", applyingToExisting: true)
    #expect(try located(.friends(["ada"])) == [Bool](repeating: false, count: 10))
    #expect(try located(.owner("ada")) == [Bool](repeating: true, count: 10))
    #expect(try world.library.verify().isIntact)
  }

  @Test("Without locations none is stored of what is added, also not by a scan or within facts") func none() throws {
    let world = try MomentWorld()
    try world.moments.setLocationSharing(.none, of: "ada")
    let file = try world.photo("a", at: (46.5, 7.9))
    let id = try world.moments.add([Moment.New(owner: "ada", file: file, posted: 1)])[0]
    #expect(try world.test.catalogue.file(file)?.location == nil)
    #expect(try world.test.catalogue.file(file)?.info()?.latitude == nil)
    #expect(try world.moments.moment(id, in: .owner("ada"))?.location == nil)
    try world.moments.change(id, of: "ada", version: nil, at: 1, [.location(MomentWorld.place(1, 2))])
    #expect(try world.moments.moment(id, in: .owner("ada"))?.location == nil)
    try world.test.catalogue.setLocation(of: file, MomentWorld.place(1, 2))
    try world.test.catalogue.apply([
      TestLibrary.done("/r/a.jpg", inode: 3, second: 2_000, taken: 6_000, at: (46.5, 7.9))
    ])
    #expect(try world.test.catalogue.file(file)?.location == nil)
    #expect(try world.test.catalogue.file(file)?.info()?.latitude == nil)
    #expect(try world.library.verify().isIntact)
  }

  @Test(
    "Turned off for what is there, locations are gone from rows, facts, maps and paths, and from the bytes of the catalogue"
  )
  func erased() throws {
    let world = try MomentWorld()
    let (latitude, longitude) = (46.123456789, 7.987654321)
    let file = try world.photo("a", at: (latitude, longitude))
    let trip = try world.moments.add(Trip.New(owner: "ada", title: "T", started: 1)).id
    let id = try world.moments.add([Moment.New(owner: "ada", file: file, posted: 1)])[0]
    try world.note("n", of: "ada", location: MomentWorld.place(latitude, longitude))
    let shared = try world.photo("b", at: (latitude, longitude))
    try world.moments.setLocationSharing(.none, of: "ada", applyingToExisting: true)
    #expect(try world.all(.owner("ada")).allSatisfy { $0.location == nil })
    #expect(try world.moments.moment(id, in: .owner("ada"))?.version == 2)
    #expect(try world.test.catalogue.file(file)?.location == nil)
    #expect(try world.test.catalogue.file(file)?.info()?.longitude == nil)
    #expect(try world.moments.locations(in: .world, zoom: 2, of: .owner("ada")).clusters.isEmpty)
    #expect(try world.test.catalogue.locations(in: .world, zoom: 2, of: .owner("ada")).clusters.isEmpty)
    #expect(try world.moments.path(of: trip, of: ["ada"])?.count == 0)
    #expect(try world.library.verify().isIntact)
    try world.library.erase(.file(shared))
    // Nobody has the location any more, so no byte of the catalogue does: neither as a number nor as JSON.
    let bits = withUnsafeBytes(of: latitude.bitPattern.bigEndian) { [UInt8]($0) }
    for needle in [bits, Array("46.123456".utf8)] {
      #expect(try world.test.folder.files(containing: needle) == [])
    }
  }

  @Test("A scan stores no location within the facts of a file whose owner wants none") func scannedFacts() throws {
    let world = try MomentWorld()
    let file = try world.photo("a", at: (46.5, 7.9))
    func located() throws -> Int? {
      try world.library.database.pool.read { db in
        try Int.fetchOne(db, sql: "SELECT count(*) FROM content WHERE instr(CAST(facts AS TEXT), 'latitude') > 0")
      }
    }
    #expect(try located() == 1)
    try world.moments.setLocationSharing(.none, of: "ada")
    try world.moments.add([Moment.New(owner: "ada", file: file, posted: 1)])
    #expect(try located() == 0)
    let stamp = try #require(try world.test.catalogue.file(file)?.stamp)
    try world.test.catalogue.apply([
      TestLibrary.done("/r/a.jpg", inode: stamp.inode, second: 2_000, taken: 6_000, at: (46.5, 7.9))
    ])
    #expect(try world.test.catalogue.file(file)?.time == 6_000)
    #expect(try located() == 0)
  }

  @Test("Facts that somebody else's file shares keep their location for that one alone") func sharedFacts() throws {
    let world = try MomentWorld()
    try world.test.catalogue.apply([
      TestLibrary.done("/r/a.jpg", inode: 1, at: (46, 7), digest: 5),
      TestLibrary.done("/r/b.jpg", inode: 2, at: (46, 7), digest: 5),
    ])
    let (one, other) = (try world.test.id("/r/a.jpg"), try world.test.id("/r/b.jpg"))
    try world.test.catalogue.assign([one], owner: "ada", collection: .none)
    try world.test.catalogue.assign([other], owner: "bob", collection: .none)
    try world.moments.setLocationSharing(.none, of: "ada", applyingToExisting: true)
    #expect(try world.test.catalogue.file(one)?.info()?.latitude == nil)
    #expect(try world.test.catalogue.file(other)?.info()?.latitude == 46)
  }

  @Test("A copy that is not open is named as not reached, by an erasure and by the setting") func unopenedCopy() throws
  {
    let world = try MomentWorld(copy: true)
    try world.note("n", of: "ada", location: MomentWorld.place(1, 2))
    try world.library.backUp()
    #expect(try world.moments.setLocationSharing(.none, of: "bob", applyingToExisting: true) == [])
    let location = world.library.location
    try world.library.close()
    let library = try Library.open(at: location, for: .writing)
    defer { try? library.close() }
    #expect(
      try library.moments.setLocationSharing(.none, of: "ada", applyingToExisting: true) == [ErasureRequest.Report.copy]
    )
    let report = try library.erase(.owner("ada"))
    #expect(report.notErased == [ErasureRequest.Report.copy])
    #expect(!report.isWiped)
  }
}

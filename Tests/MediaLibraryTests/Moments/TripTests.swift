internal import FileSupport
internal import GRDB
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

@Suite("Trips") struct TripTests {
  private func members(_ trip: Trip.ID, _ world: MomentWorld) throws -> [Moment.ID] {
    try MomentWorld.all { try world.moments.moments(of: trip, of: ["ada"], after: $0, limit: 2) }.map(\.id)
  }

  @Test("R-MYM-18: what is posted joins the open trip of its owner, until the trip ends; it can be resumed") func open()
    throws
  {
    let world = try MomentWorld()
    let trip = try world.moments.add(Trip.New(owner: "ada", title: "Summer", started: 100))
    let other = try world.moments.add(Trip.New(owner: "bob", title: "Winter", started: 200))
    func post(_ owner: String) throws -> Moment.ID {
      try world.moments.add([Moment.New(owner: owner, note: "n", posted: 500)])[0]
    }
    let first = try post("ada")
    try world.moments.change(trip.id, of: "ada", version: nil, [.ended(600)])
    _ = try post("ada")
    try world.moments.change(trip.id, of: "ada", version: nil, [.ended(nil)])
    let last = try post("ada")
    #expect(try members(trip.id, world) == [first, last])
    #expect(try world.moments.trip(other.id, of: ["bob"])?.moments == 0)
    #expect(try world.moments.trip(trip.id, of: ["bob"]) == nil)
  }

  @Test("A moment can be in several trips, at any position, and its order is that of the trip") func order() throws {
    let world = try MomentWorld()
    let ids = try (0..<6).map { try world.note("n\($0)", of: "ada", at: 1_000 - $0) }
    let trip = try world.moments.add(Trip.New(owner: "ada", title: "A", started: 1)).id
    let second = try world.moments.add(Trip.New(owner: "ada", title: "B", started: 2)).id
    try world.moments.add(Array(ids[0..<4]), to: trip, of: "ada", version: nil)
    try world.moments.add([ids[0]], to: second, of: "ada", version: nil)
    try world.moments.add([ids[5], ids[4]], to: trip, of: "ada", version: nil, before: ids[1])
    #expect(try members(trip, world) == [ids[0], ids[5], ids[4], ids[1], ids[2], ids[3]])
    try world.moments.arrange([ids[3], ids[0]], in: trip, of: "ada", version: nil)
    #expect(try members(trip, world) == [ids[3], ids[0], ids[5], ids[4], ids[1], ids[2]])
    try world.moments.remove([ids[5]], from: trip, of: "ada", version: nil)
    try world.moments.add([ids[3]], to: trip, of: "ada", version: nil)
    #expect(try members(trip, world) == [ids[0], ids[4], ids[1], ids[2], ids[3]])
    let sorted = try world.moments.arrangeByTime(trip, of: "ada", version: nil)
    #expect(try members(trip, world) == [ids[4], ids[3], ids[2], ids[1], ids[0]])
    #expect(sorted.moments == 5)
    #expect(try members(second, world) == [ids[0]])
    let stale = #expect(throws: LibraryError.self) {
      try world.moments.remove([ids[0]], from: trip, of: "ada", version: sorted.version - 1)
    }
    #expect(stale?.code == .versionConflict)
    #expect(stale?.currentVersion == sorted.version)
    #expect(throws: LibraryError.self) {
      try world.moments.add([try world.note("b", of: "bob")], to: trip, of: "ada", version: nil)
    }
    #expect(try members(trip, world).count == 5)
    #expect(try world.library.verify().isIntact)
  }

  @Test("Trips of several owners are listed by title or start in pages, those that the audience may see") func listed()
    throws
  {
    let world = try MomentWorld()
    for (number, title) in ["d", "a", "c", "b", "é", "Z"].enumerated() {
      var trip = Trip.New(owner: number % 2 == 0 ? "ada" : "bob", title: title, started: number * 10)
      trip.visibility = number < 4 ? .friends : .private
      try world.moments.add(trip)
    }
    func titles(_ audience: Moment.Scope.Audience, _ order: Trip.Order) throws -> [String] {
      var titles: [String] = []
      var cursor: CatalogueFile.Cursor?
      repeat {
        let page = try world.moments.trips(of: ["ada", "bob"], for: audience, by: order, after: cursor, limit: 2)
        titles += page.trips.map(\.title)
        cursor = page.next
      } while cursor != nil
      return titles
    }
    #expect(try titles(.owner, .started) == ["Z", "é", "b", "c", "a", "d"])
    #expect(try titles(.owner, .title) == ["Z", "a", "b", "c", "d", "é"])
    #expect(try titles(.friends, .started) == ["b", "c", "a", "d"])
  }

  @Test("A damaged trip costs no listing, is reported and repaired; a damaged location costs no path")
  func damaged() throws {
    let world = try MomentWorld()
    let ids = try (0..<3).map { try world.moments.add(Trip.New(owner: "ada", title: "t\($0)", started: $0)).id }
    let moments = try (0..<2).map { try world.note("n", of: "ada", at: $0, location: MomentWorld.place(1, 2)) }
    try world.moments.add(moments, to: ids[0], of: "ada", version: nil)
    try world.library.database.write { db in
      try db.execute(sql: "UPDATE trip SET visibility = 7 WHERE id = ?", arguments: [ids[1].rawValue])
      try db.execute(sql: "UPDATE trip SET title = x'31', started = 'x' WHERE id = ?", arguments: [ids[2].rawValue])
      try db.execute(sql: "UPDATE moment SET latitude = 'x' WHERE id = ?", arguments: [moments[0].rawValue])
    }
    for order in [Trip.Order.started, .title] {
      let page = try world.moments.trips(of: ["ada"], by: order, after: nil, limit: 9)
      #expect(page.trips.map(\.id) == [ids[0]])
      #expect(page.damaged == [ids[1], ids[2]], "\(order)")
      #expect(
        try world.moments.trips(of: ["ada"], for: .friends, by: order, after: nil, limit: 9).damaged == [],
        "who may see it is not known")
    }
    let path = try #require(try world.moments.path(of: ids[0], of: ["ada"]))
    #expect(path.sections.joined().map(\.moment) == [moments[1]])
    #expect(try world.library.verify().problems["catalogueDerived"] ?? 0 > 0)
    _ = try world.library.repair()
    #expect(try world.library.verify().isIntact)
    let repaired = try world.moments.trips(of: ["ada"], by: .title, after: nil, limit: 9)
    #expect(repaired.trips.map(\.title) == ["1", "t0", "t1"])
    #expect(repaired.damaged == [])
  }

  @Test("Verify finds a title that is no text, and a repair keeps its words") func titles() throws {
    let world = try MomentWorld()
    let trip = try world.moments.add(Trip.New(owner: "ada", title: "T", started: 1)).id
    let note = try world.note("n", of: "ada")
    for sql in [
      "UPDATE trip SET title = x'4c616b65'", "UPDATE trip SET description = x'4c616b65'",
      "UPDATE moment SET title = x'4c616b65'",
    ] {
      try world.library.database.write { db in try db.execute(sql: sql) }
      #expect(try !world.library.verify().isIntact, "\(sql)")
      _ = try world.library.repair()
      #expect(try world.library.verify().isIntact, "\(sql)")
    }
    #expect(try world.moments.trip(trip, of: ["ada"])?.title == "Lake")
    #expect(try world.moments.trip(trip, of: ["ada"])?.description == "Lake")
    #expect(try world.moments.moment(note, in: .owner("ada"))?.title == "Lake")
  }

  @Test("A reader's trip has the count and the path of the moments that this reader sees") func seen() throws {
    let world = try MomentWorld()
    var new = Trip.New(owner: "ada", title: "T", started: 1)
    new.visibility = .friends
    let trip = try world.moments.add(new).id
    let hidden = try world.note("p", of: "ada", at: 1, location: MomentWorld.place(0, 0))
    let shown = try world.note("f", of: "ada", at: 2, location: MomentWorld.place(0, 1), visibility: .friends)
    try world.moments.add([hidden, shown], to: trip, of: "ada", version: nil)
    #expect(try world.moments.trip(trip, of: ["ada"])?.moments == 2)
    #expect(try world.moments.trip(trip, of: ["ada"], for: .friends)?.moments == 1)
    #expect(try world.moments.path(of: trip, of: ["ada"])?.count == 2)
    // Locations are the owner's alone until the setting says otherwise.
    #expect(try world.moments.path(of: trip, of: ["ada"], for: .friends)?.count == 0)
    try world.moments.setLocationSharing(.friends, of: "ada", applyingToExisting: true)
    let path = try #require(try world.moments.path(of: trip, of: ["ada"], for: .friends))
    #expect(path.sections.joined().map(\.moment) == [shown])
    #expect(try world.moments.path(of: trip, of: ["ada"], for: .everyone) == nil)
    #expect(try world.moments.path(of: trip, of: ["bob"]) == nil)
  }
}

@Suite("Moments of files that no scanner has found clean") struct CleanMomentTests {
  @Test("Friends see them in no listing, trip, path or cluster until the content is found clean; their owner does")
  func friends() throws {
    let folder = try TemporaryFolder()
    var options = Library.Options()
    options.showsOnlyClean = true
    let library = try Library.open(at: TestLibrary.location(in: folder), for: .creating, options: options)
    defer { try? library.close() }
    let catalogue = library.database
    // As many as a stored sum of the map has.
    try catalogue.apply(
      (1...40).map { TestLibrary.done("/r/\($0).jpg", inode: UInt64($0), taken: $0, at: (46, 7), digest: $0) })
    try library.moments.setLocationSharing(.friends, of: "ada")
    var trip = Trip.New(owner: "ada", title: "Lake", started: 1)
    trip.visibility = .friends
    let id = try library.moments.add(trip).id
    for number in 1...40 {
      let file = try #require(try catalogue.file(at: PathBytes("/r/\(number).jpg"))).id
      var new = Moment.New(owner: "ada", file: file, posted: number)
      new.visibility = .friends
      try library.moments.add([new])
    }
    func numbers(_ scope: Moment.Scope) throws -> [Int] {
      let clusters = try library.moments.locations(in: .world, zoom: 5, of: scope).clusters
      let trip = try library.moments.trip(id, of: ["ada"], for: scope.audience)
      return [
        try library.moments.newest(scope, after: nil, limit: 99).moments.count,
        try library.moments.search("", in: scope, after: nil, limit: 99).moments.count,
        clusters.reduce(0) { $0 + $1.count }, trip?.moments ?? -1,
        try library.moments.moments(of: id, of: ["ada"], for: scope.audience, after: nil, limit: 99).moments.count,
        try library.moments.path(of: id, of: ["ada"], for: scope.audience)?.count ?? -1,
      ]
    }
    let all = try numbers(.owner("ada"))
    #expect(all.filter { $0 != 0 } == [40, 40, 40, 40, 40])
    #expect(try numbers(.friends(["ada"])).allSatisfy { $0 == 0 })
    let clean = try #require(TestLibrary.digest(7))
    try library.moderation.record(Moderation.Verdict(clean, .clean, at: 1))
    let other = try #require(TestLibrary.digest(8))
    try library.moderation.record(Moderation.Verdict(other, .unscannable, detail: "encrypted", at: 1))
    #expect(try numbers(.friends(["ada"])).filter { $0 != 0 } == [1, 1, 1, 1, 1])
    #expect(try numbers(.owner("ada")) == all)
  }
}

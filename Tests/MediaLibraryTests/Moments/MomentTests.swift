internal import FileSupport
internal import Foundation
internal import GRDB
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

@Suite("Moments") struct MomentTests {
  @Test("R-MYM-2: a moment has what its file has, unless it is given, and a scan changes it no more") func ofFile()
    throws
  {
    let world = try MomentWorld()
    let file = try world.photo("a", taken: 5_000, at: (46, 7))
    try world.test.catalogue.setText(of: file, title: "Lake", caption: "Morning")
    let id = try world.moments.add([Moment.New(owner: "ada", file: file, posted: 9_000)])[0]
    let moment = try #require(try world.moments.moment(id, in: .owner("ada")))
    #expect(moment.kind == .photo)
    #expect(moment.file == file)
    #expect(moment.title == "Lake")
    #expect(moment.caption == "Morning")
    #expect(moment.time == 5_000)
    #expect(moment.timeSource == .exif)
    #expect(moment.location?.source == .file)
    #expect(moment.version == 1)
    #expect(moment.created == 9_000)
    // The file is the owner's now, and nobody else's.
    #expect(try world.test.catalogue.file(file)?.owner == "ada")
    #expect(throws: LibraryError.self) { try world.moments.add([Moment.New(owner: "bob", file: file, posted: 9_000)]) }
    try world.test.catalogue.apply([TestLibrary.done("/r/a.jpg", inode: 1, second: 2_000, taken: 6_000)])
    #expect(try world.moments.moment(id, in: .owner("ada")) == moment)
  }

  @Test("R-MYM-5, R-MYM-6: a note has the location that it is given, or none") func notes() throws {
    let world = try MomentWorld()
    let here = try world.note("hello", of: "ada", location: MomentWorld.place(1, 2))
    let nowhere = try world.note("nowhere", of: "ada")
    let notes = try world.all(.owner("ada"))
    #expect(notes.map(\.id) == [nowhere, here])
    #expect(notes.allSatisfy { $0.kind == .note })
    #expect(notes.map { $0.location?.source } == [nil, .device])
    #expect(try world.library.verify().isIntact)
  }

  @Test("Only photos, videos and audio files can be moments") func kinds() throws {
    let world = try MomentWorld()
    let text = try world.photo("t", type: MediaType("text/plain"))
    let error = #expect(throws: LibraryError.self) {
      try world.moments.add([Moment.New(owner: "a", file: text, posted: 1)])
    }
    #expect(error?.code == .invalidRequest)
    let audio = try world.photo("s", type: MediaType("audio/mpeg"))
    let id = try world.moments.add([Moment.New(owner: "a", file: audio, posted: 1)])[0]
    #expect(try world.moments.moment(id, in: .owner("a"))?.kind == .audio)
  }

  @Test("R-MYM-13: a change made on an earlier version is refused with the current version, and changes nothing")
  func versions() throws {
    let world = try MomentWorld()
    let id = try world.note("one", of: "ada")
    let changed = try world.moments.change(id, of: "ada", version: 1, at: 2_000, [.title("T"), .caption("two")])
    #expect(changed.version == 2)
    #expect(changed.changed == 2_000)
    let error = #expect(throws: LibraryError.self) {
      try world.moments.change(id, of: "ada", version: 1, at: 3_000, [.caption("three")])
    }
    #expect(error?.code == .versionConflict)
    #expect(error?.currentVersion == 2)
    #expect(try world.moments.moment(id, in: .owner("ada"))?.caption == "two")
    // An id of another owner is as unknown as one that was never given.
    let foreign = #expect(throws: LibraryError.self) {
      try world.moments.change(id, of: "bob", version: 2, at: 3_000, [.caption("three")])
    }
    #expect(foreign?.code == .invalidRequest)
    #expect(try world.moments.moment(id, in: .owner("bob")) == nil)
  }

  @Test("R-MYM-19: friends see what is for friends, everyone what is public, and held moments only their owner")
  func audiences() throws {
    let world = try MomentWorld()
    let own = try world.note("p", of: "ada")
    let friends = try world.note("f", of: "ada", visibility: .friends)
    let everyone = try world.note("e", of: "ada", visibility: .public)
    let held = try world.note("h", of: "ada", visibility: .public)
    try world.moments.change(held, of: "ada", version: nil, at: 1, [.state(.held)])
    func seen(_ audience: Moment.Scope.Audience) throws -> Set<Moment.ID> {
      Set(try world.all(Moment.Scope(owners: ["ada"], audience: audience)).map(\.id))
    }
    #expect(try seen(.owner) == [own, friends, everyone, held])
    #expect(try seen(.friends) == [friends, everyone])
    #expect(try seen(.everyone) == [everyone])
    #expect(try world.moments.moment(own, in: .friends(["ada"])) == nil)
    #expect(try world.moments.search("p", in: .friends(["ada"]), after: nil, limit: 9).moments.isEmpty)
  }

  @Test("R-MYM-16: listings of several owners are merged by time or by activity, and filtered") func owners() throws {
    let world = try MomentWorld()
    var expected: [Moment.ID] = []
    for time in 0..<20 {
      expected.insert(
        try world.note("n\(time)", of: "owner\(time % 3)", at: time * 100, visibility: .friends), at: 0)
    }
    let scope = Moment.Scope.friends(["owner0", "owner1", "owner2", "nobody", "owner1"])
    #expect(try world.all(scope).map(\.id) == expected)
    var some = scope
    some.times = 500..<1_000
    #expect(try world.all(some).map(\.time) == [900, 800, 700, 600, 500])
    some.kinds = [.photo]
    #expect(try world.all(some).isEmpty)
    // The last changed first.
    try world.moments.change(expected[19], of: "owner0", version: nil, at: 9_000, [.title("now")])
    let active = try MomentWorld.all { try world.moments.newest(scope, by: .activity, after: $0, limit: 4) }
    #expect(active.map(\.id) == [expected[19]] + expected.dropLast())
    var recent = scope
    recent.changedSince = 1_900
    #expect(Set(try world.all(recent).map(\.id)) == [expected[19], expected[0]])
  }

  @Test("A scope without kinds has no moments, whatever is read") func noKinds() throws {
    let world = try MomentWorld()
    let id = try world.note("hello", of: "ada", location: MomentWorld.place(1, 2))
    var scope = Moment.Scope.owner("ada")
    let cluster = try #require(try world.moments.locations(in: .world, zoom: 3, of: scope).clusters.first?.id)
    scope.kinds = []
    #expect(try world.moments.moment(id, in: scope) == nil)
    #expect(try world.moments.newest(scope, by: .time, after: nil, limit: 9).moments.isEmpty)
    #expect(try world.moments.newest(scope, by: .activity, after: nil, limit: 9).moments.isEmpty)
    #expect(try world.moments.search("hello", in: scope, after: nil, limit: 9).moments.isEmpty)
    #expect(try world.moments.locations(in: .world, zoom: 3, of: scope).clusters.isEmpty)
    #expect(try world.moments.members(of: cluster, in: scope, after: nil, limit: 9).moments.isEmpty)
  }

  @Test("R-MYM-17: words are found in moments and trips of the owners that are searched") func words() throws {
    let world = try MomentWorld()
    let lake = try world.note("Morning at the Lake", of: "ada", visibility: .friends)
    try world.note("The lake again", of: "bob", visibility: .friends)
    let found = try world.moments.search("lak morn", in: .owner("ada"), after: nil, limit: 9)
    #expect(found.moments.map(\.id) == [lake])
    #expect(try world.moments.search("lake", in: .friends(["ada", "bob"]), after: nil, limit: 9).moments.count == 2)
    #expect(try world.moments.search("lake", in: .friends([]), after: nil, limit: 9).moments.isEmpty)
    var new = Trip.New(owner: "ada", title: "Round the lake", started: 1)
    new.description = "By bicycle"
    let trip = try world.moments.add(new)
    #expect(try world.moments.searchTrips("bicyc lake", of: ["ada"], after: nil, limit: 9).trips.map(\.id) == [trip.id])
    #expect(try world.moments.searchTrips("lake", of: ["bob"], after: nil, limit: 9).trips.isEmpty)
    #expect(try world.moments.searchTrips("lake", of: ["ada"], for: .friends, after: nil, limit: 9).trips.isEmpty)
    try world.moments.change(trip.id, of: "ada", version: nil, [.title("Mountains"), .description(nil)])
    #expect(try world.moments.searchTrips("lake", of: ["ada"], after: nil, limit: 9).trips.isEmpty)
    #expect(try world.moments.searchTrips("mountain", of: ["ada"], after: nil, limit: 9).trips.count == 1)
  }

  @Test("R-MYM-26: moments of a quarantined file are in no listing, count or cluster until it is released")
  func quarantined() throws {
    let world = try MomentWorld()
    let file = try world.photo("a", at: (1, 2))
    let trip = try world.moments.add(Trip.New(owner: "ada", title: "T", started: 1))
    let id = try world.moments.add([Moment.New(owner: "ada", file: file, posted: 1)])[0]
    #expect(try world.moments.trip(trip.id, of: ["ada"])?.moments == 1)
    try world.test.catalogue.apply([.quarantined(file, reason: "r")])
    #expect(try world.all(.owner("ada")).isEmpty)
    #expect(try world.moments.moment(id, in: .owner("ada")) == nil)
    #expect(try world.moments.trip(trip.id, of: ["ada"])?.moments == 0)
    #expect(try world.moments.moments(of: trip.id, of: ["ada"], after: nil, limit: 9).moments.isEmpty)
    #expect(try world.moments.locations(in: .world, zoom: 2, of: .owner("ada")).clusters.isEmpty)
    // Its owner cannot hide that by posting it again.
    try world.moments.add([Moment.New(owner: "ada", file: file, posted: 1)])
    #expect(try world.all(.owner("ada")).isEmpty)
    #expect(try world.library.verify().isIntact)
    try world.test.catalogue.apply([.released(file)])
    #expect(try world.all(.owner("ada")).count == 2)
    #expect(try world.moments.trip(trip.id, of: ["ada"])?.moments == 2)
    #expect(try world.library.verify().isIntact)
  }

  @Test("A file that is given to another owner takes no moment along") func given() throws {
    let world = try MomentWorld()
    let file = try world.photo("a")
    try world.moments.add([Moment.New(owner: "ada", file: file, posted: 1)])
    try world.test.catalogue.assign([file], owner: "bob", collection: .none)
    #expect(try world.all(.owner("ada")).isEmpty)
    #expect(try world.all(.owner("bob")).isEmpty)
    #expect(try world.library.verify().isIntact)
  }

  @Test("A damaged row is skipped, found by verify and repaired into one that shows less") func damaged() throws {
    let world = try MomentWorld()
    let id = try world.note("x", of: "ada", location: MomentWorld.place(1, 2), visibility: .public)
    try world.note("y", of: "ada")
    try world.library.database.write { db in
      try db.execute(sql: "UPDATE moment SET state = 7 WHERE id = ?", arguments: [id.rawValue])
    }
    let page = try world.moments.newest(.owner("ada"), after: nil, limit: 9)
    #expect(page.moments.count == 1)
    #expect(page.damaged == [id])
    #expect(try world.library.verify().problems["catalogueDerived"] ?? 0 > 0)
    _ = try world.library.repair()
    #expect(try world.library.verify().isIntact)
    let repaired = try #require(try world.moments.moment(id, in: .owner("ada")))
    #expect(repaired.state == .held)
    #expect(repaired.caption == "x")
    #expect(try world.all(.friends(["ada"])).isEmpty)
  }

  @Test("A repair changes the damaged value of a moment and leaves the others") func repairedValue() throws {
    let world = try MomentWorld()
    var new = Moment.New(owner: "ada", note: "x", posted: 5_000)
    (new.title, new.time, new.utcOffset) = ("T", 4_000, 3_600)
    (new.location, new.visibility) = (.given(MomentWorld.place(1, 2)), .public)
    let id = try world.moments.add([new])[0]
    let before = try #require(try world.moments.moment(id, in: .owner("ada")))
    #expect(before.utcOffset == 3_600)
    func repaired(_ sql: String) throws -> Moment? {
      try world.library.database.write { db in try db.execute(sql: sql) }
      #expect(try !world.library.verify().isIntact, "\(sql)")
      _ = try world.library.repair()
      #expect(try world.library.verify().isIntact, "\(sql)")
      return try world.moments.moment(id, in: .owner("ada"))
    }
    var expected = before
    expected.visibility = .private
    #expect(try repaired("UPDATE moment SET visibility = 7") == expected)
    #expect(try repaired("UPDATE moment SET kind = 9") == expected)
    expected.utcOffset = nil
    #expect(try repaired("UPDATE moment SET utc_offset = 99999") == expected)
    expected.time = 5_000
    #expect(try repaired("UPDATE moment SET time = 'never'") == expected)
    expected.location = nil
    #expect(try repaired("UPDATE moment SET latitude = 91") == expected)
  }

  @Test("Owners with canonically equivalent names are two owners") func equivalentNames() throws {
    let world = try MomentWorld()
    let (one, other) = ("Zo\u{e9}", "Zoe\u{301}")
    let ids = [try world.note("a", of: one, at: 1), try world.note("b", of: other, at: 2)]
    #expect(try world.all(.owner(one)).map(\.id) == [ids[0]])
    #expect(try world.all(Moment.Scope(owners: [one, other], audience: .owner)).map(\.id) == [ids[1], ids[0]])
    let trip = try world.moments.add(Trip.New(owner: one, title: "T", started: 1)).id
    #expect(try world.moments.trip(trip, of: [one]) != nil)
    #expect(try world.moments.trip(trip, of: [other]) == nil)
    let file = try world.photo("a")
    try world.moments.add([Moment.New(owner: one, file: file, posted: 1)])
    #expect(throws: LibraryError.self) { try world.moments.add([Moment.New(owner: other, file: file, posted: 1)]) }
  }

  @Test("R-MYM-23: derived data of moments is built again when its tables are missing or wrong") func healed() throws {
    let world = try MomentWorld()
    for number in 0..<12 {
      try world.note("n\(number)", of: "ada", location: MomentWorld.place(1, 2), visibility: .friends)
    }
    try world.moments.setLocationSharing(.friends, of: "ada", applyingToExisting: true)
    for sql in [
      "DELETE FROM moment_text", "DELETE FROM moment_cell", "UPDATE moment_cell SET files = 3",
      "DROP TABLE moment_text",
      "DROP TABLE moment_cell", "DROP INDEX moment_newest", "DROP TRIGGER moment_inserted",
      "UPDATE moment SET hidden = 1",
    ] {
      try world.library.database.pool.write { db in try db.execute(sql: sql) }
      #expect(try !world.library.verify().isIntact, "\(sql)")
      _ = try world.library.repair()
      #expect(try world.library.verify().isIntact, "\(sql)")
      #expect(try world.moments.search("n1", in: .owner("ada"), after: nil, limit: 9).moments.count == 3, "\(sql)")
      let clusters = try world.moments.locations(in: .world, zoom: 3, of: .friends(["ada"])).clusters
      #expect(clusters.map(\.count) == [12], "\(sql)")
    }
  }
}

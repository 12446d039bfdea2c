internal import FileSupport
internal import GRDB
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

@Suite("Trips whose texts a moderator takes down (R-MYM-26)") struct HeldTripTests {
  let world: MomentWorld
  let trip: Trip.ID
  var moderation: Moderation { world.library.moderation }

  init() throws {
    world = try MomentWorld(copy: true)
    var new = Trip.New(owner: "ada", title: "Quokka", started: 10)
    (new.description, new.visibility) = ("rude words", .public)
    trip = try world.moments.add(new).id
    var note = Moment.New(owner: "ada", note: "kind", posted: 10)
    (note.visibility, note.trips) = (.public, [trip])
    _ = try world.moments.add([note])
  }

  /// What an audience finds of the trip, by each way to read it.
  private func reads(_ audience: Moment.Scope.Audience) throws -> [Bool] {
    let moments = world.moments
    return [
      try moments.trip(trip, of: ["ada"], for: audience) != nil,
      try !moments.trips(of: ["ada"], for: audience, by: .title, after: nil, limit: 9).trips.isEmpty,
      try !moments.trips(of: ["ada"], for: audience, by: .started, after: nil, limit: 9).trips.isEmpty,
      try !moments.searchTrips("quokka", of: ["ada"], for: audience, after: nil, limit: 9).trips.isEmpty,
      try !moments.moments(of: trip, of: ["ada"], for: audience, after: nil, limit: 9).moments.isEmpty,
      try moments.path(of: trip, of: ["ada"], for: audience) != nil,
    ]
  }
  private func report(_ reader: String, at time: Int = 1) throws -> Bool? {
    try moderation.report(trip: trip, by: reader, reason: "rude", at: time, threshold: 2)
  }

  @Test("A held trip is read by its owner alone, by every listing, until it is released; its moments stay visible")
  func held() throws {
    let all = [Bool](repeating: true, count: 6)
    #expect(try reads(.everyone) == all)
    try moderation.hold(trips: [trip], reason: "rude", by: "mod", at: 20)
    #expect(try reads(.everyone) == all.map { !$0 })
    #expect(try reads(.friends) == all.map { !$0 })
    #expect(try reads(.owner) == all)
    let scope = Moment.Scope(owners: ["ada"], audience: .everyone)
    #expect(try world.moments.newest(scope, after: nil, limit: 9).moments.count == 1)
    let standing = try #require(try moderation.standing(ofTrip: trip))
    #expect(standing.hold == Moderation.Decision(reason: "rude", actor: "mod", time: 20))
    #expect(try moderation.heldTrips(after: nil, limit: 9).trips.map(\.id) == [trip])
    #expect(try moderation.trip(trip)?.state == .held)
    #expect(try world.library.verify().isIntact)
    try moderation.release(trips: [trip], by: "mod", at: 30)
    #expect(try reads(.everyone) == all)
    #expect(try moderation.heldTrips(after: nil, limit: 9).trips.isEmpty)
    let entries = try moderation.audit(after: nil, limit: 9).entries
    #expect(entries.map(\.action) == [.release, .hold])
    #expect(entries.map(\.trip) == [trip, trip])
  }

  @Test("Reports of so many readers hold a trip; after a release they do again only once its texts have changed")
  func reports() throws {
    #expect(try report("bob") == false)
    #expect(try report("bob") == false)
    #expect(try report("eve") == true)
    #expect(try moderation.standing(ofTrip: trip)?.reports == 2)
    #expect(try moderation.reports(after: nil, limit: 9).reports.map(\.trip) == [trip, trip])
    try moderation.release(trips: [trip], by: "mod", at: 2)
    #expect(try moderation.reports(after: nil, limit: 9).reports.isEmpty)
    for reader in ["bob", "eve"] { #expect(try report(reader) == false) }
    // Nothing of its texts changes.
    _ = try world.moments.change(trip, of: "ada", version: nil, [.started(11), .title("Quokka")])
    #expect(try report("joe") == false)
    _ = try world.moments.change(trip, of: "ada", version: nil, [.title("Wombat")])
    #expect(try report("joe") == true)
    #expect(try reads(.everyone).contains(true) == false)
  }

  @Test("Reports do not hold a protected trip; a moderator can") func protected() throws {
    try moderation.protect(trips: [trip], reason: "press", by: "mod", at: 1)
    for reader in ["bob", "eve"] { #expect(try report(reader) == false) }
    #expect(try moderation.standing(ofTrip: trip)?.protection?.reason == "press")
    try moderation.unprotect(trips: [trip], by: "mod", at: 2)
    try moderation.unprotect(trips: [trip], by: "mod", at: 2)
    #expect(try report("joe") == true)
    #expect(try moderation.audit(after: nil, limit: 9).entries.map(\.action) == [.hold, .unprotect, .protect])
    #expect(throws: LibraryError.self) {
      try moderation.hold(trips: [trip, Trip.ID(rawValue: 99)], reason: "r", by: "mod", at: 3)
    }
    #expect(try moderation.dismissReports(aboutTrips: [trip], by: "mod", at: 3) == 3)
  }

  @Test("Reports hold a note again that a moderator has released, once its text has changed") func editedNote() throws {
    let note = try #require(try world.moments.newest(.owner("ada"), after: nil, limit: 1).moments.first)
    func report(_ reader: String) throws -> Bool? {
      try moderation.report(moment: note.id, by: reader, reason: "rude", at: 1, threshold: 1)
    }
    #expect(try report("bob") == true)
    try moderation.release(moments: [note.id], by: "mod", at: 2)
    #expect(try report("bob") == false)
    _ = try world.moments.change(note.id, of: "ada", version: nil, at: 3, [.visibility(.friends)])
    #expect(try report("bob") == false)
    _ = try world.moments.change(note.id, of: "ada", version: nil, at: 3, [.caption("rude")])
    #expect(try report("bob") == true)
    try moderation.release(moments: [note.id], by: "mod", at: 4)
    #expect(try report("bob") == false, "the new text was released")
  }

  @Test("The reasons about a trip are erased with it, and a reader's reports with the reader (R-MYM-24)")
  func erased() throws {
    try moderation.hold(trips: [trip], reason: "names ada", by: "mod", at: 1)
    _ = try report("bob")
    try world.library.erase(.owner("bob"))
    #expect(try moderation.standing(ofTrip: trip)?.reports == 0)
    _ = try report("eve")
    try world.library.erase(.trip(trip, owner: "ada", withMoments: false))
    #expect(try moderation.reports(after: nil, limit: 9).reports.isEmpty)
    #expect(try moderation.audit(after: nil, limit: 9).entries.map(\.reason) == [nil])
    #expect(try world.library.verify().isIntact)
  }

  @Test("A damaged state of a trip is reported, and a repair shows less") func damaged() throws {
    try world.library.database.pool.write { db in try db.execute(sql: "UPDATE trip SET state = 7") }
    #expect(try world.library.verify().isIntact == false)
    _ = try world.library.repair()
    #expect(try world.library.verify().isIntact)
    #expect(try reads(.everyone).contains(true) == false)
  }
}

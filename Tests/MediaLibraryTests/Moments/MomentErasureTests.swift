internal import FileSupport
internal import Foundation
internal import GRDB
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

@Suite("Erasing moments and trips") struct MomentErasureTests {
  @Test("R-MYM-12: erasing a moment erases its original when nothing else uses it") func originals() throws {
    let world = try MomentWorld()
    let file = try world.upload("secret bytes", owner: "ada")
    let path = try #require(try world.test.catalogue.file(file)).stamp.path
    let ids = try world.moments.add((0..<2).map { Moment.New(owner: "ada", file: file, posted: $0) })
    try world.moments.addUse("message 12", of: file)
    #expect(try world.library.erase(.moments([ids[0]], owner: "ada")).files == 0)
    let second = try world.library.erase(.moments([ids[1]], owner: "ada"))
    #expect(second.moments == 1)
    #expect(second.files == 0)
    #expect(FileManager.default.fileExists(atPath: path.description))
    try world.moments.endUse("message 12", of: file)
    let third = try world.moments.add([Moment.New(owner: "ada", file: file, posted: 1)])[0]
    // Another owner cannot erase it.
    #expect(try world.library.erase(.moments([third], owner: "bob")).moments == 0)
    let report = try world.library.erase(.moments([third], owner: "ada"))
    #expect(report.moments == 1)
    #expect(report.files == 1)
    #expect(report.originals == 1)
    #expect(!FileManager.default.fileExists(atPath: path.description))
    #expect(try world.library.verify().isIntact)
  }

  @Test("A moment of a file in a scanned folder is erased without the file") func scanned() throws {
    let world = try MomentWorld()
    let file = try world.photo("a")
    let id = try world.moments.add([Moment.New(owner: "ada", file: file, posted: 1)])[0]
    #expect(try world.library.erase(.moments([id], owner: "ada")).files == 0)
    #expect(try world.test.catalogue.file(file) != nil)
    // Erasing the file erases what shows it.
    try world.moments.add([Moment.New(owner: "ada", file: file, posted: 1)])
    let report = try world.library.erase(.file(file))
    #expect(report.moments == 1)
    #expect(try world.all(.owner("ada")).isEmpty)
  }

  @Test("R-MYM-18: deleting a trip keeps its moments; asked for, those that are in no other trip go") func trips()
    throws
  {
    let world = try MomentWorld()
    let ids = try (0..<3).map { try world.note("n\($0)", of: "ada") }
    let trips = try (0..<3).map { try world.moments.add(Trip.New(owner: "ada", title: "T\($0)", started: $0)).id }
    for trip in trips { try world.moments.add(Array(ids[0..<2]), to: trip, of: "ada", version: nil) }
    try world.moments.add([ids[2]], to: trips[1], of: "ada", version: nil)
    let report = try world.library.erase(.trip(trips[0], owner: "ada", withMoments: false))
    #expect(report.trips == 1)
    #expect(report.moments == 0)
    #expect(try world.library.erase(.trip(trips[1], owner: "bob", withMoments: true)).trips == 0)
    let second = try world.library.erase(.trip(trips[1], owner: "ada", withMoments: true))
    #expect(second.moments == 1)
    #expect(try world.all(.owner("ada")).map(\.id) == [ids[1], ids[0]])
    #expect(try world.moments.trip(trips[2], of: ["ada"])?.moments == 2)
    #expect(try world.library.verify().isIntact)
  }

  @Test("R-MYM-24: after an owner is erased, no byte of notes, trips or titles is in the library or its snapshots")
  func owner() throws {
    let world = try MomentWorld(copy: true)
    var trip = Trip.New(owner: "ada", title: "Zanzibarquest", started: 1)
    trip.description = "Quokkadescription"
    try world.moments.add(trip)
    try world.moments.add([Moment.New(owner: "ada", note: "Xylophonesecret", posted: 1)])
    let kept = try world.note("Keptnote", of: "bob")
    _ = try world.library.backUp()
    let report = try world.library.erase(.owner("ada"))
    #expect(report.moments == 1)
    #expect(report.notes == 1)
    #expect(report.snapshots == 1)
    #expect(report.trips == 1)
    #expect(report.isWiped)
    for word in ["Zanzibarquest", "Quokkadescription", "Xylophonesecret"] {
      for spelling in [word, word.lowercased()] {
        #expect(try world.test.folder.files(containing: Array(spelling.utf8)) == [], "\(spelling)")
      }
    }
    #expect(try world.moments.moment(kept, in: .owner("bob")) != nil)
    #expect(try !world.test.folder.files(containing: Array("Keptnote".utf8)).isEmpty)
    #expect(try world.library.erase(.owner("ada")).moments == 0)
  }

  @Test("A snapshot forgets the moment that is erased, and no other") func snapshots() throws {
    let world = try MomentWorld(copy: true)
    let one = try world.note("Erasedone", of: "ada")
    try world.note("Otherone", of: "ada")
    let trip = try world.moments.add(Trip.New(owner: "ada", title: "Triptitle", started: 1)).id
    _ = try world.library.backUp()
    try world.library.erase(.moments([one], owner: "ada"))
    try world.library.erase(.trip(trip, owner: "ada", withMoments: false))
    for word in ["Erasedone", "Triptitle"] { #expect(try world.test.folder.files(containing: Array(word.utf8)) == []) }
    // In the catalogue and in the snapshot.
    #expect(try world.test.folder.files(containing: Array("Otherone".utf8)).count >= 2)
  }

  @Test("R-MYM-23: a catalogue made from a snapshot has moments and trips, and gives no id of theirs again")
  func rebuilt() throws {
    let world = try MomentWorld(copy: true)
    let trip = try world.moments.add(Trip.New(owner: "ada", title: "T", started: 1)).id
    let first = try world.moments.add([Moment.New(owner: "ada", note: "kept", posted: 1)])[0]
    _ = try world.library.backUp()
    let lost = try world.note("lost", of: "ada")
    let (location, options) = (world.library.location, world.library.options)
    try world.library.close()
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: location.catalogue.suffixed(suffix).description)
    }
    let library = try Library.rebuild(at: location, options: options, accepting: { _ in true }).library
    #expect(try library.moments.moment(first, in: .owner("ada"))?.caption == "kept")
    #expect(try library.moments.trip(trip, of: ["ada"])?.moments == 1)
    let next = try library.moments.add([Moment.New(owner: "ada", note: "new", posted: 1)])[0]
    #expect(next > lost)
    #expect(try library.verify().isIntact)
  }
}

internal import FileSupport
internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

@Suite("A rebuild of a catalogue with a damaged page of moments (R-MYM-23)", .serialized) struct DamagedMomentPageTests
{
  @Test("A damaged page of moments costs its own that are newer than the snapshot; what comes from there is private")
  func pageOfMoments() throws {
    let library = try PagedLibrary(copy: true)
    let pages = try library.pages().filter { $0.name == "moment" && $0.type == "leaf" }
    #expect(pages.count > 10)
    for page in [pages.first, pages.dropFirst(pages.count / 2).first, pages.last].compactMap({ $0 }) {
      let (origin, plan) = try library.rebuild(without: page.number)
      let notes = try library.notes()
      let missing = stride(from: 0, to: PagedLibrary.all, by: 2).filter { notes[$0] == nil }
      #expect(missing.allSatisfy { $0 >= PagedLibrary.saved }, "page \(page.number): \(missing)")
      #expect(missing.count < 50)
      #expect(plan?.recovery?.lostMoments == (missing.isEmpty ? nil : missing.count), "it is asked only for a loss")
      let hidden = notes.values.count { $0.visibility == .private }
      #expect(hidden + missing.count > 0)
      #expect(hidden == 0 || origin?.contains("\(hidden) moment") == true, "\(origin ?? "")")
      #expect(notes.values.count { $0.visibility == .public } == notes.count - hidden)
    }
  }

  @Test("A damaged page of trips costs nothing: titles and starts are in indexes, the rest comes from the snapshot")
  func pageOfTrips() throws {
    let library = try PagedLibrary(copy: true)
    let page = try #require(try library.pages().first { $0.name == "trip" && $0.type == "leaf" })
    let (origin, plan) = try library.rebuild(without: page.number)
    #expect(plan == nil, "nothing is lost")
    #expect(origin?.contains("1 moment or trip on damaged pages was made private") == true, "\(origin ?? "")")
    let rebuilt = try Library.open(at: library.test.library.location, for: .reading)
    defer { try? rebuilt.close() }
    let trip = try #require(try rebuilt.moments.trips(of: ["ann"], after: nil, limit: 9).trips.first)
    #expect(trip.title == "Journey")
    #expect(trip.description == "By train")
    #expect(trip.started == 7)
    #expect(trip.ended == nil)
    #expect(trip.moments == 300)
  }

  @Test("Without a copy, a damaged page of moments costs its own, and the rebuild must be accepted") func withoutCopy()
    throws
  {
    let library = try PagedLibrary(copy: false)
    let pages = try library.pages().filter { $0.name == "moment" && $0.type == "leaf" }
    let page = try #require(pages.dropFirst(pages.count / 2).first)
    let error = #expect(throws: LibraryError.self) { try library.rebuild(without: page.number, accepting: false) }
    #expect(error?.code == .wouldLose)
    #expect(error?.message.contains("moments on damaged pages are lost") == true, "\(error as Any)")
    _ = try library.rebuild(without: page.number)
    let notes = try library.notes()
    #expect(notes.count > 250)
    #expect(notes.count < 300)
  }

  @Test("An owner whose setting for locations cannot be read gets none; stored locations stay") func unknownSwitch()
    throws
  {
    let library = try PagedLibrary(copy: true)
    let page = try #require(try library.pages().first { $0.name == "owner" && $0.type == "leaf" })
    let (origin, _) = try library.rebuild(without: page.number)
    #expect(origin?.contains("no locations are stored for 1 owner") == true, "\(origin ?? "")")
    let rebuilt = try Library.open(at: library.test.library.location, for: .reading)
    defer { try? rebuilt.close() }
    #expect(try rebuilt.moments.locationSharing(of: "ann") == .none)
    #expect(try rebuilt.catalogue.file(at: PathBytes(PagedLibrary.path(3)))?.location?.latitude == 3)
  }

  @Test("R-MYM-27: a row from a snapshot brings back no location that its owner has erased since") func erasedLocation()
    throws
  {
    let test = try TestLibrary(copy: true)
    try test.catalogue.apply(
      (0..<3).map { TestLibrary.done("/r/\($0).jpg", inode: UInt64($0 + 1), at: (46.25, 7.5), digest: $0 + 1) })
    for number in 0..<3 {
      let id = try test.id("/r/\(number).jpg")
      try test.catalogue.setText(of: id, title: nil, caption: "\(number)")
      try test.catalogue.assign([id], owner: "ann", collection: .none)
    }
    try test.library.backUp()
    // Not the snapshot, as if it had been unreadable then.
    try test.library.database.setLocationSharing(.none, of: "ann", applyingToExisting: true)
    try test.catalogue.setText(of: test.id("/r/2.jpg"), title: "two", caption: "2")
    let (location, options) = (test.library.location, test.library.options)
    try test.library.close()
    try PagedLibrary.damage(["file", "content"], of: location.catalogue)
    let copy = try #require(options.copy)
    let snapshot = try #require(try Snapshot.all(in: copy).first)
    let candidate = CatalogueCandidate(in: location)
    let (contents, report) = try candidate.recover(from: location.catalogue, and: [snapshot.path], after: 9)
    #expect(contents.files == 3)
    #expect(report.fromSnapshot == 3)
    let located = try CatalogueProbe(path: candidate.path).read { db in
      try Int.fetchOne(
        db,
        sql: """
          SELECT (SELECT count(*) FROM file WHERE latitude IS NOT NULL OR location IS NOT NULL)
            + (SELECT count(*) FROM content WHERE instr(CAST(facts AS TEXT), 'latitude') > 0)
          """)
    }
    #expect(located == 0)
    try candidate.remove()
  }

  /// A catalogue of the first release, with an open collection.
  private func earlier() throws -> (folder: TemporaryFolder, location: LibraryLocation) {
    let folder = try TemporaryFolder()
    try folder.write(Fixture.bytes("libraries/0.1.0.sqlite"), to: "data/catalogue.sqlite")
    return (folder, TestLibrary.location(in: folder))
  }

  private func trips(after damage: (LibraryLocation) throws -> Void) throws -> [String] {
    let (folder, location) = try earlier()
    try damage(location)
    let (library, _) = try Library.rebuild(at: location, accepting: { _ in true })
    defer { try? library.close() }
    #expect(try library.verify().problems.keys.filter { $0 != "renditionMissing" } == [])
    #expect(try SetAsideCatalogues(location).paths().count == 1)
    return try withExtendedLifetime(folder) {
      try library.moments.trips(of: ["ada"], after: nil, limit: 9).trips.map { "\($0.title): \($0.moments)" }
    }
  }

  @Test("The collections of a damaged catalogue of schema 1 become trips, as in an upgrade") func schema1() throws {
    let page = try trips { location in try PagedLibrary.damage(["word"], of: location.catalogue) }
    #expect(page == ["Summer at the lake: 2"], "copied row by row")
    let index = try trips { location in
      let queue = try DatabaseQueue(path: location.catalogue.description)
      try queue.write { db in try db.execute(sql: "DROP INDEX file_kind; DROP TABLE tally; DROP TABLE scan_root") }
      try queue.close()
    }
    #expect(index == ["Summer at the lake: 2"], "completed")
  }

  @Test("A catalogue without its tables of moments gets the trips of its collections again, and gives no id twice")
  func tablesMissing() throws {
    let (folder, location) = try earlier()
    let library = try Library.open(at: location, for: .writing)
    let given = try library.moments.add([Moment.New(owner: "ada", note: "lost", posted: 1)])[0]
    try library.close()
    let queue = try DatabaseQueue(path: location.catalogue.description)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA foreign_keys = OFF; DROP TABLE moment; DROP TABLE trip")
    }
    try queue.close()
    let (rebuilt, _) = try Library.rebuild(at: location, accepting: { _ in true })
    defer { try? rebuilt.close() }
    try withExtendedLifetime(folder) {
      let trip = try #require(try rebuilt.moments.trips(of: ["ada"], after: nil, limit: 9).trips.first)
      #expect(trip.title == "Summer at the lake")
      #expect(trip.moments == 2)
      #expect(trip.id.rawValue > given.rawValue)
      let moments = try rebuilt.moments.moments(of: trip.id, of: ["ada"], after: nil, limit: 9).moments
      #expect(moments.allSatisfy { $0.id.rawValue > given.rawValue })
    }
  }
}

internal import FileSupport
internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

/// A library that was upgraded, whose copy has a snapshot of before.
private struct UpgradedLibrary {
  let folder: TemporaryFolder
  let library: Library
  let copy: PathBytes

  /// - Parameter edit: Changes the snapshot while it has the earlier schema.
  init(_ edit: ((Database) throws -> Void)? = nil) throws {
    folder = try TemporaryFolder()
    copy = PathBytes(folder.path("copy"))
    let earlier = try Fixture.bytes("libraries/0.1.0.sqlite")
    try folder.write(earlier, to: "data/catalogue.sqlite")
    var options = Library.Options()
    options.copy = copy
    library = try Library.open(at: TestLibrary.location(in: folder), for: .writing, options: options)
    try write(earlier, edit)
  }

  var snapshot: PathBytes { Snapshot(sequence: 1, in: copy).path }

  func write(_ bytes: [UInt8], sequence: Int = 1, _ edit: ((Database) throws -> Void)?) throws {
    let path = Snapshot(sequence: sequence, in: copy).path
    try Data(bytes).write(to: URL(fileURLWithPath: path.description))
    guard let edit else { return }
    let queue = try DatabaseQueue(path: path.description)
    try queue.write(edit)
    try queue.close()
  }

  func id(_ path: String) throws -> FileID {
    try #require(try library.catalogue.file(at: PathBytes(path))).id
  }

  func contents() throws -> Library.CatalogueContents? {
    guard case .catalogue(let contents, _) = CatalogueProbe(path: snapshot).look() else { return nil }
    return contents
  }

  func texts(_ sql: String) throws -> [String] {
    try CatalogueProbe(path: snapshot).read { db in try String.fetchAll(db, sql: sql) }
  }

  /// The files of the library and its copy that contain any of some texts, with the text.
  func traces(of texts: [String]) throws -> [String] {
    try texts.flatMap { text in try folder.files(containing: Array(text.utf8)).map { "\(text): \($0)" } }
  }
}

@Suite("Erasing from snapshots of earlier versions (R-MYM-24)") struct EarlierSnapshotTests {
  private static let photo = "/tmp/photos/IMG_0001.jpg"
  private static let other = "/tmp/photos/2019/IMG_0002.jpg"

  @Test("An erased owner is gone from a snapshot of the earlier schema, and from every other byte of library and copy")
  func owner() throws {
    let upgraded = try UpgradedLibrary()
    let words = ["In the morning", "morning", "Summer at the lake", "IMG_0001", "IMG_0002", "-43.2105"]
    #expect(try Set(upgraded.traces(of: words).map { $0.split(separator: ":")[0] }).count == words.count)
    let report = try upgraded.library.erase(.owner("ada"))
    #expect(report.notErased == [])
    #expect(report.isWiped)
    #expect(try upgraded.traces(of: words) == [])
    #expect(try upgraded.contents()?.files == 4, "the files of others stay")
    #expect(try upgraded.contents()?.labels == 1)
    // What is left of it is a catalogue: with it alone, everything comes back.
    let (location, options) = (upgraded.library.location, upgraded.library.options)
    try upgraded.library.close()
    for suffix in ["", "-wal", "-shm"] { try StoreFiles.remove(location.catalogue.suffixed(suffix)) }
    let (library, _) = try Library.rebuild(at: location, options: options, accepting: { _ in true })
    defer { try? library.close() }
    #expect(try library.catalogue.counts(in: .all).reduce(0) { $0 + $1.files } == 4)
    #expect(try library.moments.owners() == ["bob"])
  }

  @Test("An erased file is gone from a snapshot of the earlier schema, with its moment; all others stay") func file()
    throws
  {
    let upgraded = try UpgradedLibrary()
    let report = try upgraded.library.erase(.file(upgraded.id(Self.photo)))
    #expect(report.notErased == [])
    #expect(report.isWiped)
    #expect(try upgraded.traces(of: ["In the morning", "morning", "IMG_0001"]) == [])
    let contents = try #require(try upgraded.contents())
    #expect(contents.files == 5)
    #expect(contents.moments == 1)
    #expect(contents.trips == 1)
    #expect(contents.collections == 1)
  }

  @Test("A snapshot without anything erased keeps its bytes") func unaffected() throws {
    let upgraded = try UpgradedLibrary()
    let before = try Data(contentsOf: URL(fileURLWithPath: upgraded.snapshot.description))
    try upgraded.library.scanIndex.apply([TestLibrary.done("/r/new.jpg", inode: 99)])
    #expect(try upgraded.library.erase(.file(upgraded.id("/r/new.jpg"))).notErased == [])
    #expect(try Data(contentsOf: URL(fileURLWithPath: upgraded.snapshot.description)) == before)
  }

  @Test("A snapshot without anything erased is not migrated to find that out") func notMigrated() throws {
    let upgraded = try UpgradedLibrary { db in try db.execute(sql: "CREATE TABLE trip (id INTEGER)") }
    let library = upgraded.library
    try library.scanIndex.apply([TestLibrary.done("/r/new.jpg", inode: 99)])
    #expect(try library.erase(.file(upgraded.id("/r/new.jpg"))).notErased == [])
    #expect(try library.erase(.owner("carl")).notErased == [])
    #expect(try library.moments.setLocationSharing(.none, of: "carl", applyingToExisting: true) == [])
    // Its own table is in the way of the migration.
    #expect(try library.erase(.owner("ada")).notErased == [upgraded.snapshot.description])
  }

  @Test("Moments and trips are found by file and start, because ids of an upgraded snapshot are its own, also later")
  func ownIDs() throws {
    let upgraded = try UpgradedLibrary { db in
      // Before the other collection, so that its trip has another id; and one moment less.
      try db.execute(
        sql: """
          INSERT INTO collection (id, owner, name, title, open, started) VALUES (0, 1, 'first', 'First', 0, 5);
          UPDATE file SET collection = NULL WHERE id = 1;
          """)
    }
    let library = upgraded.library
    let trip = try #require(try library.moments.trips(of: ["ada"], after: nil, limit: 9).trips.first)
    let moments = try library.moments.moments(of: upgraded.id(Self.other))
    let moment = try #require(moments.first)
    #expect(moment.id.rawValue == 2, "1 in the snapshot")
    #expect(try library.erase(.moments([moment.id], owner: "ada")).notErased == [])
    #expect(try upgraded.contents()?.moments == 0)
    #expect(try upgraded.contents()?.trips == 2)
    #expect(try upgraded.contents()?.files == 6)
    // The snapshot has the schema of this version now, and ids that mean something else.
    #expect(trip.id.rawValue == 1, "2 in the snapshot")
    #expect(try library.erase(.trip(trip.id, owner: "ada", withMoments: false)).notErased == [])
    #expect(try upgraded.texts("SELECT title FROM trip") == ["First"])
    // Files are still known by their ids.
    let id = try upgraded.id(Self.photo)
    try library.scanIndex.apply([.moved(id, to: TestLibrary.stamp("/r/elsewhere.jpg", inode: 5))])
    #expect(try library.erase(.file(id)).notErased == [])
    #expect(try upgraded.contents()?.files == 5)
  }

  @Test("Snapshots that are damaged or of a newer version stay as they are, and are reported") func unreadable() throws
  {
    let upgraded = try UpgradedLibrary()
    var damaged = try Fixture.bytes("libraries/0.1.0.sqlite")
    // The second half, which has rows and indexes.
    for index in damaged.count / 2..<damaged.count - 1_024 { damaged[index] = 0xA5 }
    try upgraded.write(damaged, sequence: 2, nil)
    try upgraded.write(Fixture.bytes("libraries/0.1.0.sqlite"), sequence: 3) { db in
      try db.execute(sql: "INSERT INTO grdb_migrations VALUES ('99')")
    }
    let paths = [3, 2].map { Snapshot(sequence: $0, in: upgraded.copy).path.description }
    let before = try paths.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
    let report = try upgraded.library.erase(.owner("ada"))
    #expect(report.notErased == paths)
    #expect(!report.isWiped)
    #expect(try paths.map { try Data(contentsOf: URL(fileURLWithPath: $0)) } == before)
    #expect(try upgraded.contents()?.files == 4, "the whole one is reached in any case")
  }

  @Test("What a process that was killed left of a rewritten snapshot is removed by the next erasure") func killed()
    throws
  {
    let upgraded = try UpgradedLibrary()
    for name in [".catalogue-1", ".catalogue-1-journal"] {
      try upgraded.folder.write(Array("In the morning".utf8), to: "copy/\(name)")
    }
    try upgraded.library.erase(.owner("ada"))
    #expect(try upgraded.traces(of: ["In the morning"]) == [])
  }

  @Test("R-MYM-27: locations that an owner erases are gone from snapshots too, those of the earlier schema included")
  func locations() throws {
    let upgraded = try UpgradedLibrary()
    try upgraded.library.backUp()
    let latitude = withUnsafeBytes(of: (-22.9519).bitPattern.bigEndian) { [UInt8]($0) }
    let cell = withUnsafeBytes(of: Int64(42_223_102_903_073_383).bigEndian) { [UInt8]($0) }
    let needles = [latitude, cell, Array("-43.2105".utf8)]
    for needle in needles { #expect(try upgraded.folder.files(containing: needle).count >= 2) }
    #expect(try upgraded.library.moments.setLocationSharing(.none, of: "ada", applyingToExisting: true) == [])
    for needle in needles { #expect(try upgraded.folder.files(containing: needle) == []) }
    #expect(try upgraded.contents()?.files == 6)
    #expect(try upgraded.texts("SELECT name FROM owner WHERE location = 0") == ["ada"])
    // The other owner's stay.
    #expect(try upgraded.folder.files(containing: Array("16.3738".utf8)).count >= 2)
  }

  @Test("R-MYM-27: a file that became the owner's after a snapshot loses its location there too") func claimedLater()
    throws
  {
    let world = try MomentWorld(copy: true)
    let file = try world.photo("a", at: (46.123456789, 7.987654321))
    _ = try world.library.backUp()
    try world.moments.add([Moment.New(owner: "ada", file: file, posted: 1)])
    let copy = try #require(world.library.options.copy)
    try world.test.folder.write(Array("no database".utf8), to: "copy/catalogue-000009.sqlite")
    let remaining = try world.moments.setLocationSharing(.none, of: "ada", applyingToExisting: true)
    #expect(remaining == [copy.appending("catalogue-000009.sqlite".utf8).description], "it may have the location")
    let bits = withUnsafeBytes(of: (46.123456789).bitPattern.bigEndian) { [UInt8]($0) }
    for needle in [bits, Array("46.123456".utf8)] { #expect(try world.test.folder.files(containing: needle) == []) }
  }

  @Test("An erased trip takes no trip of the same title along that is still there") func sameTitle() throws {
    let upgraded = try UpgradedLibrary()
    let before = try Data(contentsOf: URL(fileURLWithPath: upgraded.snapshot.description))
    let kept = try #require(try upgraded.library.moments.trips(of: ["ada"], after: nil, limit: 9).trips.first)
    let other = try upgraded.library.moments.add(
      Trip.New(owner: "ada", title: kept.title, started: kept.started + 99))
    #expect(try upgraded.library.erase(.trip(other.id, owner: "ada", withMoments: false)).trips == 1)
    #expect(try Data(contentsOf: URL(fileURLWithPath: upgraded.snapshot.description)) == before)
  }

  @Test("An erased file takes none along that was at its path earlier and is elsewhere now") func samePath() throws {
    let upgraded = try UpgradedLibrary()
    let before = try Data(contentsOf: URL(fileURLWithPath: upgraded.snapshot.description))
    let moved = try upgraded.id(Self.photo)
    try upgraded.library.scanIndex.apply([.moved(moved, to: TestLibrary.stamp("/r/elsewhere.jpg", inode: 5))])
    try upgraded.library.scanIndex.apply([TestLibrary.done(Self.photo, inode: 99)])
    #expect(try upgraded.library.erase(.file(upgraded.id(Self.photo))).files == 1)
    #expect(try upgraded.id("/r/elsewhere.jpg") == moved)
    #expect(try Data(contentsOf: URL(fileURLWithPath: upgraded.snapshot.description)) == before)
  }
}

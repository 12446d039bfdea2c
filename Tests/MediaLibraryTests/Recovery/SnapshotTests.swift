internal import FileSupport
internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

@Suite("Snapshots and set-aside files") struct SnapshotTests {
  @Test("Names of snapshots have a sequence number; other names are not snapshots")
  func names() {
    let folder = PathBytes("/c")
    #expect(Snapshot(sequence: 12, in: folder).path == PathBytes("/c/catalogue-000012.sqlite"))
    #expect(Snapshot(sequence: 1_234_567, in: folder).path == PathBytes("/c/catalogue-1234567.sqlite"))
    for sequence in [0, 1, 999_999, 1_000_000] {
      #expect(Snapshot.sequence(of: Snapshot(sequence: sequence, in: folder).path.name) == sequence)
    }
    for name in [
      "catalogue-1.sqlite", "catalogue-000000.sqlite", "catalogue-0000001.sqlite", "catalogue--00001.sqlite",
      "catalogue-.sqlite",
      ".catalogue-1", "catalogue.sqlite-wal",
    ] {
      #expect(Snapshot.sequence(of: Array(name.utf8)) == nil, "\(name)")
    }
  }

  private func contents(_ files: Int, _ captions: Int) -> Library.CatalogueContents {
    var contents = Library.CatalogueContents()
    (contents.files, contents.captions) = (files, captions)
    return contents
  }

  @Test("Kept are three snapshots, each one that holds more than all later ones, and unreadable ones")
  func superfluous() {
    let few = contents(1, 0)
    #expect(Snapshot.superfluous([few, few, few]) == [])
    #expect(Snapshot.superfluous([few, few, few, few, nil, few]) == [3, 5])
    #expect(Snapshot.superfluous([few, few, few, contents(0, 1), contents(2, 1), contents(2, 1)]) == [5])
    #expect(Snapshot.superfluous([contents(9, 9), few, few, contents(8, 9), contents(9, 10)]) == [3])
  }

  @Test("A backup of a catalogue that holds less reports so, and the fuller snapshot outlives any number of later ones")
  func fuller() throws {
    let test = try TestLibrary(copy: true)
    try test.catalogue.apply((0..<9).map { TestLibrary.done("/r/\($0).jpg", inode: UInt64($0 + 1)) })
    let first = try test.library.backUp()
    #expect(first.contents.files == 9)
    #expect(first.fuller == nil)
    try test.library.database.pool.write { db in try db.execute(sql: "DELETE FROM file") }
    for _ in 0..<6 {
      let later = try test.library.backUp()
      #expect(later.contents.files == 0)
      #expect(later.fuller?.path == first.path)
    }
    let copy = try #require(test.library.options.copy)
    #expect(try Snapshot.all(in: copy).map(\.sequence) == [7, 6, 5, 1])
    for snapshot in try Snapshot.all(in: copy) {
      let mode = try FileManager.default.attributesOfItem(atPath: snapshot.path.description)[.posixPermissions] as? Int
      #expect(mode == 0o600, "R-MYM-28")
    }
    // What a process that died had begun.
    try test.folder.write([1], to: "copy/.catalogue-1")
    try test.library.backUp()
    #expect(!FileManager.default.fileExists(atPath: test.folder.path("copy/.catalogue-1")))
  }

  @Test("A rebuild takes the snapshot that a backup calls fuller: the one with more of what people wrote")
  func rebuiltFromTheFuller() throws {
    let test = try TestLibrary(copy: true)
    try test.catalogue.apply((0..<3).map { TestLibrary.done("/r/\($0).jpg", inode: UInt64($0 + 1)) })
    for index in 0..<3 {
      try test.catalogue.setText(of: test.id("/r/\(index).jpg"), title: nil, caption: "caption \(index)")
    }
    let written = try test.library.backUp()
    try test.library.database.pool.write { db in try db.execute(sql: "UPDATE file SET caption = NULL") }
    try test.catalogue.apply((3..<20).map { TestLibrary.done("/r/\($0).jpg", inode: UInt64($0 + 1)) })
    #expect(try test.library.backUp().fuller?.path == written.path)
    let (location, options) = (test.library.location, test.library.options)
    try test.library.close()
    var plan: Library.RebuildPlan?
    let accept: (Library.RebuildPlan) -> Bool = { known in
      plan = known
      return true
    }
    let (library, _) = try Library.rebuild(at: location, options: options, accepting: accept)
    defer { try? library.close() }
    #expect(plan?.source == written.path)
    #expect(try library.catalogue.file(at: PathBytes("/r/1.jpg"))?.caption == "caption 1")
  }

  @Test("An adopted copy of another library is moved into a subfolder, and stays that library's copy")
  func adoptedCopy() throws {
    let (world, test) = (try RecoveryWorld(), try TestLibrary())
    try world.reset()
    try test.catalogue.apply([TestLibrary.done("/mine/a.jpg", inode: 1)])
    try test.library.close()
    var options = Library.Options()
    (options.copy, options.adoptsCopy) = (world.copy, true)
    for _ in 0..<2 {
      let library = try Library.open(at: test.library.location, for: .writing, options: options)
      #expect(try library.repair().isIntact, "nothing of another library is an orphan of this one")
      try library.backUp()
      try library.close()
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: world.copy.description)
    let aside = try #require(names.filter { $0.hasPrefix("library-") }.first)
    #expect(names.filter { $0.hasPrefix("library-") }.count == 1)
    #expect(!names.contains("orphans"))
    options.copy = world.copy.appending(aside.utf8)
    options.adoptsCopy = false
    let other = try Library.open(at: world.location, for: .writing, options: options)
    #expect(try other.verify().isIntact)
    #expect(try Snapshot.all(in: world.copy.appending(aside.utf8)).count == 1)
    try other.close()
  }

  @Test("R-MYM-24: erased files are removed from every snapshot, by id, path and owner, and nothing else is")
  func erased() throws {
    let test = try TestLibrary(copy: true)
    try test.catalogue.apply(
      ["zebra", "okapi", "moved"].enumerated().map { TestLibrary.done("/r/\($1)", inode: UInt64($0 + 1)) })
    let moved = try test.id("/r/moved")
    try test.catalogue.setText(of: moved, title: nil, caption: "zebra words")
    try test.library.backUp()
    try test.catalogue.apply([.moved(moved, to: TestLibrary.stamp("/r/elsewhere", inode: 3))])
    try test.library.backUp()
    try test.library.database.pool.write { db in try db.execute(sql: "PRAGMA user_version = 77") }
    try test.library.backUp()
    let copy = try #require(test.library.options.copy)
    func names() throws -> [[String]] {
      try Snapshot.all(in: copy).map { snapshot in
        try CatalogueProbe(path: snapshot.path).read { db in
          try String.fetchAll(db, sql: "SELECT CAST(name AS TEXT) FROM file ORDER BY name")
        }
      }
    }
    #expect(try test.library.erase(.file(test.id("/r/zebra"))).isWiped)
    #expect(try names() == [["elsewhere", "okapi"], ["elsewhere", "okapi"], ["moved", "okapi"]])
    try test.library.database.pool.write { db in try db.execute(sql: "PRAGMA user_version = 0") }
    try test.library.erase(.file(moved))
    #expect(try names().map(\.count) == [1, 1, 2], "by its path where ids are of another catalogue")
    // One that cannot be read may still name it.
    try test.folder.write(
      Array("not a database, but a file of some length, with a zebra".utf8), to: "copy/catalogue-000009.sqlite")
    let report = try test.library.erase(.vanished)
    #expect(report.notErased == [test.folder.path("copy/catalogue-000009.sqlite")])
    #expect(!report.isWiped)
  }

  @Test("Orphans come back when a file uses them, and are removed after a time, from one store per run")
  func orphans() throws {
    let test = try TestLibrary(copy: true)
    let library = test.library
    let address = try library.store.put([1, 2, 3])
    let other = try library.store.put([4])
    #expect(try library.repair().repaired == 4)
    #expect(try !library.store.contains(address))
    try test.catalogue.apply([
      TestLibrary.done("/r/a.jpg", inode: 1)
    ])
    try library.database.pool.write { db in
      try db.execute(
        sql: "INSERT INTO rendition SELECT content, 'grid', ?, 'image/webp', 1, 1, 1, 3, 'image' FROM file",
        arguments: [Data(address.bytes)])
    }
    #expect(try library.repair().problems == ["renditionMissing": 2])
    #expect(try library.store.read(address) == [1, 2, 3])
    #expect(try library.verify().isIntact)

    let stores = [library.renditions.main, try #require(library.renditions.copy)]
    let orphans = stores.map { SetAsideFiles(base: $0.folder.folder).orphans }
    #expect(try orphans.map { try $0.contains(other) } == [true, true], "younger than a month")
    try library.removeOrphans(changedBefore: .max)
    #expect(try orphans.map { try $0.contains(other) } == [false, true])
    try library.removeOrphans(changedBefore: .max)
    #expect(try orphans.map { try $0.contains(other) } == [false, false])
    #expect(try library.verify().isIntact)
  }

  @Test("A library with a copy that is repaired without it keeps the rows of missing files")
  func withoutItsCopy() throws {
    let world = try RecoveryWorld()
    try Damage.renditionsMissing.happen(to: world)
    var library = try Library.open(at: world.location, for: .writing)
    #expect(try library.repair().repaired == 0)
    try library.close()
    var options = Library.Options()
    options.copy = world.copy
    library = try Library.open(at: world.location, for: .writing, options: options)
    #expect(try library.repair().repaired == 8)
    #expect(try library.verify().isIntact)
    try library.close()
  }

  @Test("A new catalogue has exactly the schema elements that every opening checks")
  func shape() throws {
    #expect(try CatalogueShape.expected().map(\.name).sorted() == CatalogueShape.names.sorted())
  }
}

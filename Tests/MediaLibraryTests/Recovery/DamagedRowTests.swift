internal import FileSupport
internal import Foundation
internal import GRDB
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

@Suite("A catalogue with damaged rows or schema elements") struct DamagedRowTests {
  private static let fileDamages = [
    "UPDATE content SET facts = x'00FF00' WHERE id = (SELECT content FROM file WHERE name = CAST('2.jpg' AS BLOB))",
    "UPDATE content SET facts = CAST('{}' AS BLOB) WHERE id = (SELECT content FROM file WHERE name = CAST('2.jpg' AS BLOB))",
    "UPDATE file SET state = 77 WHERE name = CAST('2.jpg' AS BLOB)",
    "UPDATE file SET before = 77 WHERE name = CAST('2.jpg' AS BLOB)",
    "UPDATE file SET mismatch = '{' WHERE name = CAST('2.jpg' AS BLOB)",
    "UPDATE file SET kind = 99 WHERE name = CAST('2.jpg' AS BLOB)",
  ]

  private func execute(_ sql: String, in path: String) throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.writeWithoutTransaction { db in try db.execute(sql: sql) }
    try queue.close()
  }

  private func makeLibrary() throws -> (test: TestLibrary, id: FileID) {
    let test = try TestLibrary()
    try test.catalogue.apply(
      (1...4).map { TestLibrary.done("/r/\($0).jpg", inode: UInt64($0), taken: $0, at: (Double($0), 5), digest: $0) })
    let id = try test.id("/r/2.jpg")
    try test.catalogue.setText(of: id, title: "lake", caption: "in the morning")
    try test.catalogue.assign([id], owner: "ann", collection: .none)
    return (test, id)
  }

  @Test(
    "R-MYM-23: one damaged value costs its own file and no listing; verify names it, and a repair gives it back to the next scan",
    arguments: fileDamages)
  func damagedValue(sql: String) throws {
    let (test, id) = try makeLibrary()
    try execute(sql, in: test.folder.path("data/catalogue.sqlite"))
    let page = try test.catalogue.newest(.all, after: nil, limit: 50)
    let readable = page.files.filter { (try? $0.info()) != nil }.map(\.id)
    #expect(readable.count >= 3)
    for number in [1, 3, 4] { #expect(try readable.contains(test.id("/r/\(number).jpg"))) }
    #expect(try TestLibrary.all { try test.catalogue.newest(.all, after: $0, limit: 1) }.count >= 3, "pages of one row")
    _ = try test.catalogue.search("lake", in: .all, after: nil, limit: 50)

    var problems: [Library.VerificationReport.Problem] = []
    #expect(try test.library.verify { problems.append($0) }.problems["catalogueRow"] == 1)
    guard case .damagedRow(id, let detail) = problems.first(where: { $0.code == "catalogueRow" }) else {
      Issue.record("\(problems)")
      return
    }
    #expect(!detail.isEmpty)
    let report = try test.library.repair()
    #expect(report.problems.values.reduce(0, +) == report.repaired)
    #expect(try test.library.verify().isIntact)
    let file = try test.catalogue.file(id)
    #expect(file?.title == "lake")
    #expect(file?.caption == "in the morning")
    #expect(file?.owner == "ann")
    #expect(file?.state == .new, "the next scan reads it")
    #expect(try test.catalogue.knownFolder(PathBytes("/r"))?.fingerprint == nil)

    try test.catalogue.apply([TestLibrary.done("/r/2.jpg", inode: 2, taken: 2, at: (2, 5), digest: 2)])
    #expect(try test.catalogue.file(id)?.info()?.type == .jpeg)
    #expect(try test.catalogue.file(id)?.title == "lake")
    #expect(try test.library.verify().isIntact)
  }

  @Test(
    "A title or caption stored as bytes ends no listing, verify reports it, and a repair reads the bytes as text",
    arguments: ["title", "caption"])
  func textAsBytes(column: String) throws {
    let (test, id) = try makeLibrary()
    try execute(
      "UPDATE file SET \(column) = x'6CFF61' WHERE name = CAST('2.jpg' AS BLOB)",
      in: test.folder.path("data/catalogue.sqlite"))
    #expect(try test.catalogue.newest(.all, after: nil, limit: 50).files.count >= 3)
    #expect(throws: LibraryError.self) { try test.catalogue.file(id) }
    #expect(try test.library.verify().problems["catalogueRow"] == 1)
    _ = try test.library.repair()
    #expect(try test.library.verify().isIntact)
    let file = try test.catalogue.file(id)
    #expect((column == "title" ? file?.title : file?.caption) == "l\u{FFFD}a")
  }

  @Test("A scan reads a file again whose state is damaged, and does not stop") func damagedStateInScan() throws {
    let (test, _) = try makeLibrary()
    try execute("UPDATE file SET state = 77, before = 78", in: test.folder.path("data/catalogue.sqlite"))
    let standing = try test.catalogue.standings(of: [TestLibrary.stamp("/r/2.jpg", inode: 2)])
    guard case .unchanged(let known) = standing.first else {
      Issue.record("\(standing)")
      return
    }
    #expect(known.state == .new)
  }

  @Test("R-MYM-22: damaged facts come back from a snapshot that has the same bytes") func fromSnapshot() throws {
    let test = try TestLibrary(copy: true)
    try test.catalogue.apply([
      TestLibrary.done("/r/1.jpg", inode: 1, taken: 7, digest: 1), TestLibrary.done("/r/2.jpg", inode: 2, taken: 8),
    ])
    try test.library.backUp()
    try execute("UPDATE content SET facts = x'00FF00'", in: test.folder.path("data/catalogue.sqlite"))
    #expect(try test.library.repair().repaired == 2)
    for (path, taken) in [("/r/1.jpg", 7), ("/r/2.jpg", 8)] {
      let file = try test.catalogue.file(at: PathBytes(path))
      #expect(file?.state == .done)
      #expect(try file?.info()?.takenAt?.secondsSince1970 == taken)
    }
    #expect(try test.library.verify().isIntact)
  }

  @Test("A rendition whose row is damaged counts as missing; a repair drops the row and keeps the bytes")
  func damagedRendition() throws {
    let test = try TestLibrary()
    let addresses = try [[1], [2]].map { try test.library.store.put($0) }
    try test.catalogue.apply([
      TestLibrary.done(
        "/r/a.jpg", inode: 1, digest: 1,
        renditions: zip(["grid", "view"], addresses).map {
          StoredRendition(name: $0, address: $1, type: .webp, width: 1, height: 1, bytes: 1, from: .image)
        })
    ])
    try execute(
      "UPDATE rendition SET source = 'nobody' WHERE name = 'grid'", in: test.folder.path("data/catalogue.sqlite"))
    let id = try test.id("/r/a.jpg")
    #expect(try test.catalogue.renditions(of: id).map(\.name) == ["view"])
    #expect(try test.library.verify().problems == ["catalogueRow": 1])
    _ = try test.library.repair()
    #expect(try test.library.verify().isIntact)
    #expect(FileManager.default.subpaths(atPath: test.folder.path("cache/orphans"))?.count == 2, "moved, not removed")
    let known = try test.catalogue.knownFiles(in: PathBytes("/r"), after: nil, limit: 9)
    #expect(known.map(\.recipe) == [""], "the next scan makes it again")
  }

  @Test(
    "R-MYM-23: every index, trigger and derived table that is missing or changed is reported, and created again by a repair"
  )
  func schema() throws {
    let (test, _) = try makeLibrary()
    try test.library.close()
    let path = test.folder.path("data/catalogue.sqlite")
    var options = Library.Options()
    options.opensDamaged = true
    for part in try CatalogueShape.expected()
    where part.type != "table" || CatalogueShape.derivedTables.contains(part.name) {
      try execute("DROP \(part.type) \(part.name)", in: path)
      if part.type == "trigger" {
        // One that is another than it was: it does nothing.
        try execute("CREATE TRIGGER \(part.name) AFTER INSERT ON file BEGIN SELECT 1; END", in: path)
      }
      let reading = try Library.open(at: test.library.location, for: .reading, options: options)
      #expect(try reading.verify().problems["catalogueSchema"] == 1, "\(part.name)")
      try reading.close()
      let writing = try Library.open(at: test.library.location, for: .writing, options: options)
      let report = try writing.repair()
      #expect(report.problems.values.reduce(0, +) == report.repaired, "\(part.name): \(report)")
      #expect(try writing.verify().isIntact, "\(part.name)")
      #expect(try writing.catalogue.search("lake", in: .all, after: nil, limit: 5).files.count == 1, "\(part.name)")
      try writing.close()
    }
    try execute("CREATE TRIGGER added AFTER INSERT ON file BEGIN DELETE FROM file WHERE id = new.id; END", in: path)
    let library = try Library.open(at: test.library.location, for: .writing, options: options)
    #expect(try library.verify().problems == ["catalogueSchema": 1])
    #expect(try library.repair().repaired == 1)
    #expect(try library.verify().isIntact)
  }

  @Test("A missing table of rows is reported, not created empty: that is a rebuild") func missingTable() throws {
    let (test, _) = try makeLibrary()
    try test.library.close()
    try execute("DROP TABLE rendition", in: test.folder.path("data/catalogue.sqlite"))
    var options = Library.Options()
    options.opensDamaged = true
    let library = try Library.open(at: test.library.location, for: .writing, options: options)
    #expect(try library.verify().problems["catalogueSchema"] ?? 0 > 0)
    let report = try library.repair()
    #expect(report.repaired < report.problems.values.reduce(0, +))
    #expect(throws: LibraryError.self) { try Library.open(at: test.library.location, for: .reading) }
  }
}

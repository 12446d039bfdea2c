internal import FileSupport
internal import Foundation
internal import GRDB
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

/// Catalogues of released versions. Each release leaves one in testdata/libraries (scripts/testdata/libraries.sh says how).
@Suite("Catalogues of earlier versions") struct UpgradeTests {
  private static let versions: [String] = {
    let text =
      (try? String(contentsOf: Corpus.packageRoot.appendingPathComponent("CHANGELOG.md"), encoding: .utf8)) ?? ""
    return text.split(separator: "\n").filter { $0.hasPrefix("## ") && $0.hasSuffix(")") }.compactMap {
      $0.split(separator: " ").dropFirst().first.map(String.init)
    }
  }()

  @Test("A released migration never changes: its schema has the digest that it was released with") func pinned() throws
  {
    let released = [
      "1": "b5645b589290323de261b0db8df7a8f754a45164223cda3dc44a78db3496e801",
      "2": "d4f8b46b6e1994c2b9eff877a5608bc6c12a6f2c1c533a5c14ed6b887a179fb6",
      "3": "b3647fcc413337ab4974cfdac343f4e65f45f2e81e141095854d61038cbfa4dc",
      "4": "bfa589af134b3df73bdbbde496517707be6580aec78482f1d625d8638b3ffd0f",
    ]
    for version in Self.versions {
      #expect(Fixture.named("libraries/\(version).sqlite") != nil, "no catalogue of \(version)")
    }
    #expect(!Self.versions.isEmpty)
    for (migration, digest) in released {
      let queue = try DatabaseQueue()
      try CatalogueSchema.migrator.migrate(queue, upTo: migration)
      let schema = try queue.read { db in
        try CatalogueShape(db).parts().map { "\($0.type) \($0.name)\n\($0.sql)\n" }.joined()
      }
      // A change of the schema is a migration of its own: leave the old one as it is, and register the next.
      #expect(DirectoryStore.digest(Array(schema.utf8)).description == digest, "migration \(migration)")
    }
  }

  @Test("The catalogue of every released version is upgraded, and has all that it had", arguments: versions)
  func upgraded(version: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(Fixture.bytes("libraries/\(version).sqlite"), to: "catalogue.sqlite")
    let location = LibraryLocation(folder: PathBytes(folder.url.path))
    let library = try Library.open(at: location, for: .writing)
    var found: Set<String> = []
    _ = try library.verify { found.insert($0.code) }
    // The fixture is the catalogue alone, without the files of the stores.
    #expect(found.subtracting(["renditionMissing"]) == [])
    let lake = try library.catalogue.search("lake morn", in: .owner("ada"), after: nil, limit: 9).files
    #expect(lake.map(\.title) == ["Lake"])
    #expect(lake.first?.caption == "In the morning")
    #expect(lake.first?.collection == "summer")
    #expect(try lake.first?.info()?.type == .jpeg)
    #expect(try library.catalogue.newest(.photosAndVideos, after: nil, limit: 9).files.count == 4)
    #expect(try library.catalogue.counts(in: .all).reduce(0) { $0 + $1.files } == 6)
    #expect(try library.catalogue.files(of: .quarantined, after: nil, limit: 9).files.count == 1)
    #expect(try library.catalogue.files(of: .vanished, after: nil, limit: 9).files.count == 1)
    #expect(try library.catalogue.locations(in: .world, zoom: 3, of: .all).clusters.reduce(0) { $0 + $1.count } == 4)
    #expect(
      try library.catalogue.collections(of: "ada", by: .name, after: nil, limit: 9).collections.map(\.files) == [2])

    // The collection was open, so it is a trip, too, which nobody else sees; it stays open.
    let trips = try library.moments.trips(of: ["ada", "bob"], after: nil, limit: 9).trips
    #expect(trips.map(\.title) == ["Summer at the lake"])
    #expect(trips.map(\.moments) == [2])
    #expect(trips.first?.ended == nil)
    let trip = try #require(trips.first)
    let moments = try library.moments.moments(of: trip.id, of: ["ada"], after: nil, limit: 9).moments
    #expect(moments.map(\.title) == ["Lake", nil])
    #expect(moments.map(\.time) == [1_714_535_553, 1_714_576_449])
    #expect(moments.allSatisfy { $0.visibility == .private })
    #expect(try library.moments.search("lake morn", in: .owner("ada"), after: nil, limit: 9).moments.count == 1)
    #expect(try library.moments.path(of: trip.id, of: ["ada"])?.count == 2)

    try library.scanIndex.apply([TestLibrary.done("/r/new.jpg", inode: 99)])
    #expect(try library.erase(.owner("bob")).files == 1)
    try library.close()
    let again = try Library.open(at: location, for: .reading)
    #expect(try again.catalogue.newest(.all, after: nil, limit: 9).files.count == 4)
  }

  @Test("An upgrade finds which moments are clean, with their cells of the map") func clean() throws {
    let folder = try TemporaryFolder()
    try folder.write(Fixture.bytes("libraries/0.1.0.sqlite"), to: "catalogue.sqlite")
    let queue = try DatabaseQueue(path: folder.path("catalogue.sqlite"))
    try CatalogueSchema.migrator.migrate(queue, upTo: "4")
    try queue.write { db in
      // The two photos of the open collection are moments; nine more of one of them are in one place.
      try db.execute(
        sql: """
          INSERT INTO verdict (digest, state, time) SELECT digest, 1, 1 FROM content WHERE id = 4;
          WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 9)
            INSERT INTO moment (owner, kind, file, time, time_source, latitude, longitude, location, location_reach,
              visibility, state, created, changed)
            SELECT owner, kind, file, time, time_source, latitude, longitude, location, 2, 1, 0, 1, 1
            FROM moment CROSS JOIN number WHERE file = 4;
          """)
      try PendingChanges.apply(db)
    }
    try queue.close()
    var options = Library.Options()
    options.showsOnlyClean = true
    let library = try Library.open(
      at: LibraryLocation(folder: PathBytes(folder.url.path)), for: .writing, options: options)
    let clean = try library.database.read { db in
      try Int64.fetchAll(db, sql: "SELECT DISTINCT file FROM moment WHERE clean")
    }
    #expect(clean == [4])
    let files = try library.database.read { db in
      try Int.fetchOne(db, sql: "SELECT max(files) FROM moment_cell WHERE scope < 0")
    }
    #expect(files == 9)
    let map = try library.moments.locations(in: .world, zoom: 3, of: .friends(["ada"]))
    #expect(map.clusters.map(\.count) == [9])
    let problems = try library.verify().problems
    #expect(Set(problems.keys).subtracting(["renditionMissing"]).isEmpty)
  }

  @Test("An upgrade erases the texts of blocks whose files an earlier version erased, and no others (R-MYM-24)")
  func erasedTexts() throws {
    let folder = try TemporaryFolder()
    try folder.write(Fixture.bytes("libraries/0.1.0.sqlite"), to: "catalogue.sqlite")
    let queue = try DatabaseQueue(path: folder.path("catalogue.sqlite"))
    try CatalogueSchema.migrator.migrate(queue, upTo: "4")
    try queue.write { db in
      // The audit trail of that version has no reasons of what was erased. The contents have files again, one of them with a reason of its own.
      try db.execute(
        sql: """
          INSERT INTO blocked_image (hash, distance, reason, actor, time) VALUES
            (1, 4, 'erased', 'mod', 1), (2, 4, 'of a file', 'mod', 1), (3, 4, 'law', 'mod', 1);
          INSERT INTO audit (time, actor, action, image, file, reason) VALUES
            (1, 'mod', 'blockImage', 1, 99, NULL), (1, 'mod', 'blockImage', 2, 1, 'of a file'),
            (1, 'mod', 'blockImage', 3, NULL, 'law');
          INSERT INTO blocked (digest, reason, actor, time) VALUES (zeroblob(32), 'law', 'mod', 1);
          INSERT INTO blocked (digest, reason, actor, time)
            SELECT digest, iif(id = 4, 'without entry', 'erased'), 'mod', 1 FROM content WHERE id IN (3, 4, 5);
          INSERT INTO audit (time, actor, action, digest, reason) VALUES
            (1, 'mod', 'block', zeroblob(32), NULL), (1, 'mod', 'block', zeroblob(32), 'law');
          INSERT INTO audit (time, actor, action, digest) SELECT 1, 'mod', 'block', digest FROM content WHERE id IN (3, 5);
          """)
      try PendingChanges.apply(db)
    }
    let messages = "SELECT failure_message FROM file WHERE failure = 'quarantined' ORDER BY id"
    #expect(
      try queue.read { db in try String.fetchAll(db, sql: messages) } == ["reported", "without entry", "erased"])
    try queue.close()
    let library = try Library.open(at: LibraryLocation(folder: PathBytes(folder.url.path)), for: .writing)
    try library.database.read { db in
      let images = try String.fetchAll(db, sql: "SELECT reason FROM blocked_image ORDER BY hash")
      #expect(images == ["", "of a file", "law"])
      let contents = try String.fetchAll(
        db,
        sql: """
          SELECT blocked.reason FROM blocked LEFT JOIN content ON content.digest = blocked.digest ORDER BY content.id
          """)
      #expect(contents == ["law", "", "without entry", ""])
      #expect(try String.fetchAll(db, sql: messages) == ["reported", "without entry", ""])
    }
    let problems = try library.verify().problems
    #expect(Set(problems.keys).subtracting(["renditionMissing"]).isEmpty)
  }
}

internal import FileSupport
internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

/// A library with two snapshots, whose catalogue is damaged.
private struct TwiceSavedLibrary {
  let test: TestLibrary
  /// The latest first.
  let snapshots: [PathBytes]

  /// - Parameters:
  ///   - files: Number of files when the first snapshot is made.
  ///   - change: What happens between the two snapshots.
  ///   - later: What happens after the second one.
  init(
    files: Int, change: (TestLibrary) throws -> Void = { _ in }, later: (TestLibrary) throws -> Void = { _ in }
  ) throws {
    test = try TestLibrary(copy: true)
    try test.catalogue.apply(
      (0..<files).map { TestLibrary.done("/r/\($0).jpg", inode: UInt64($0 + 1), digest: $0 + 1) })
    for number in 0..<files { try Self.write("caption \(number)", number, test) }
    try test.library.backUp()
    try change(test)
    try test.library.backUp()
    try later(test)
    snapshots = try Snapshot.all(in: try #require(test.library.options.copy)).map(\.path)
    try test.library.close()
  }

  static func write(_ caption: String, _ number: Int, _ test: TestLibrary) throws {
    try test.catalogue.setText(of: test.id("/r/\(number).jpg"), title: nil, caption: caption)
  }

  /// Removes a file as an erasure does that cannot reach the copy.
  static func erase(_ number: Int, _ test: TestLibrary) throws {
    try test.library.database.pool.write { db in
      try db.execute(sql: "DELETE FROM file WHERE name = CAST('\(number).jpg' AS BLOB)")
    }
  }

  func damage(_ tables: Set<String>) throws {
    try PagedLibrary.damage(tables, of: test.library.location.catalogue)
  }

  /// The captions of what is recovered, by the numbers of files.
  func recovered() throws -> (captions: [Int: String], report: RecoveredRows.Report) {
    let (rows, report) = try recover { db in
      try Row.fetchAll(db, sql: "SELECT CAST(name AS TEXT), caption FROM file")
    }
    let captions = rows.reduce(into: [Int: String]()) {
      let name: String = $1[0]
      $0[Int(name.dropLast(4)) ?? -1] = $1[1]
    }
    return (captions, report)
  }

  /// The names of the recovered files that the next scan reads, because their facts are lost.
  func withoutFacts() throws -> [String] {
    try recover { db in
      let new = CatalogueFile.State.new.sql
      return try String.fetchAll(
        db, sql: "SELECT CAST(name AS TEXT) FROM file WHERE content IS NULL AND state = \(new) ORDER BY id")
    }.0
  }

  private func recover<Value>(_ read: (Database) throws -> Value) throws -> (Value, RecoveredRows.Report) {
    let location = test.library.location
    let candidate = CatalogueCandidate(in: location)
    defer { try? candidate.remove() }
    let (_, report) = try candidate.recover(from: location.catalogue, and: snapshots, after: 2_000)
    return (try CatalogueProbe(path: candidate.path).read(read), report)
  }
}

@Suite("A rebuild that takes damaged pages from several snapshots (R-MYM-23)", .serialized) struct DamagedSnapshotTests
{
  @Test("What the latest snapshot can be read for and does not have does not come back from an earlier one")
  func erasedBetween() throws {
    let library = try TwiceSavedLibrary(files: 4) { test in
      try TwiceSavedLibrary.erase(1, test)
      try TwiceSavedLibrary.write("changed", 2, test)
    }
    // Without the index of paths, and the texts, only the snapshots say which files there were.
    try library.damage(["file", "file_path", "file_text_content"])
    let (captions, report) = try library.recovered()
    #expect(captions == [0: "caption 0", 2: "changed", 3: "caption 3"])
    #expect(report.snapshots == [library.snapshots.first])
    #expect(report.fromSnapshot == 3)
  }

  @Test("What the latest snapshot cannot be read for comes from an earlier one, but for what the index shows as erased")
  func damagedSnapshot() throws {
    let library = try TwiceSavedLibrary(files: 4) { test in try TwiceSavedLibrary.erase(1, test) }
    try library.damage(["file"])
    try PagedLibrary.damage(["file"], of: try #require(library.snapshots.first))
    let (captions, report) = try library.recovered()
    #expect(captions == [0: "caption 0", 2: "caption 2", 3: "caption 3"])
    #expect(report.snapshots == [library.snapshots.last])
    #expect(report.lost == 0)
  }

  @Test("A damaged page of the latest snapshot costs no rows of its other pages") func onePageOfSnapshot() throws {
    let library = try TwiceSavedLibrary(files: 400) { test in
      for number in 0..<400 { try TwiceSavedLibrary.write("changed \(number)", number, test) }
    }
    try library.damage(["file", "file_text_content"])
    let latest = try #require(library.snapshots.first)
    try PagedLibrary.damage(["file"], of: latest, leaf: 1)
    let (captions, report) = try library.recovered()
    #expect(captions.count == 400)
    let older = captions.filter { $0.value == "caption \($0.key)" }.count
    #expect(older > 0)
    #expect(older < 100)
    #expect(captions.filter { $0.value == "changed \($0.key)" }.count == 400 - older)
    #expect(report.snapshots == library.snapshots)
    #expect(report.olderTexts == 400)
  }

  @Test("Damaged folders of a snapshot cost no files of its other folders") func foldersOfSnapshot() throws {
    let filler = String(repeating: "folder-", count: 12)
    let path = { (number: Int) in "/r/\(filler)\(number)/\(number).jpg" }
    let library = try TwiceSavedLibrary(files: 0) { test in
      try test.catalogue.apply(
        (0..<400).map { TestLibrary.done(path($0), inode: UInt64($0 + 1), digest: $0 + 1) })
      for number in 0..<400 { try test.catalogue.setText(of: test.id(path(number)), title: nil, caption: "there") }
    }
    try library.damage(["file", "file_text_content"])
    try PagedLibrary.damage(["folder"], of: try #require(library.snapshots.first), leaf: 1)
    let (captions, report) = try library.recovered()
    #expect(captions.count > 300)
    #expect(captions.count < 400)
    #expect(report.fromSnapshot == captions.count)
    #expect(report.lost == 400 - captions.count)
  }

  @Test(
    "A file whose content is on a damaged page of the latest snapshot is taken from there, with its facts from an earlier one",
    arguments: [[], ["content"], ["content", "sqlite_autoindex_content_1"]] as [Set<String>])
  func contentsOfSnapshot(damaged: Set<String>) throws {
    let library = try TwiceSavedLibrary(files: 400) { test in
      for number in 0..<400 { try TwiceSavedLibrary.write("changed \(number)", number, test) }
    }
    try library.damage(damaged.union(["file", "file_text_content"]))
    try PagedLibrary.damage(["content"], of: try #require(library.snapshots.first))
    let (captions, report) = try library.recovered()
    #expect(captions.count == 400)
    #expect(captions.filter { $0.value != "changed \($0.key)" } == [:])
    #expect(report.snapshots == [library.snapshots.first])
    #expect(try library.withoutFacts() == [])
  }

  @Test("A file that was changed between two snapshots does not get its earlier facts, and is read by the next scan")
  func changedContent() throws {
    let library = try TwiceSavedLibrary(files: 3) { test in
      try test.catalogue.apply([TestLibrary.done("/r/1.jpg", inode: 2, second: 2_000, digest: 77)])
    }
    try library.damage(["file", "content"])
    try PagedLibrary.damage(["content"], of: try #require(library.snapshots.first))
    let (captions, report) = try library.recovered()
    #expect(captions == [0: "caption 0", 1: "caption 1", 2: "caption 2"])
    #expect(report.snapshots == [library.snapshots.first])
    #expect(try library.withoutFacts() == ["1.jpg"])
  }

  @Test("Files from a snapshot have the captions of the damaged catalogue, if its text index can be read")
  func currentCaptions() throws {
    let library = try TwiceSavedLibrary(files: 3, later: { test in try TwiceSavedLibrary.write("latest", 1, test) })
    try library.damage(["file"])
    let (captions, report) = try library.recovered()
    #expect(captions == [0: "caption 0", 1: "latest", 2: "caption 2"])
    #expect(report.olderTexts == 0)
    #expect(!Library.RebuildPlan.Recovery(report).losesRows)
  }

  @Test("Captions that may be older than the damaged ones must be accepted, also if no file is lost")
  func olderCaptions() throws {
    let library = try TwiceSavedLibrary(files: 3, later: { test in try TwiceSavedLibrary.write("latest", 1, test) })
    try library.damage(["file", "file_text_content"])
    let (location, options) = (library.test.library.location, library.test.library.options)
    let error = #expect(throws: LibraryError.self) { try Library.rebuild(at: location, options: options) }
    #expect(error?.code == .wouldLose)
    #expect(
      error?.message.contains("Titles and captions of 3 files, moments and trips may be older") == true,
      "\(error as Any)")
    let (rebuilt, _) = try Library.rebuild(at: location, options: options, accepting: { _ in true })
    defer { try? rebuilt.close() }
    #expect(try rebuilt.catalogue.file(at: PathBytes("/r/1.jpg"))?.caption == "caption 1")
  }

  @Test("A snapshot that has more than newer ones must be accepted: changes since would be lost") func newer() throws {
    let library = try TwiceSavedLibrary(files: 3) { test in
      try test.library.database.pool.write { db in try db.execute(sql: "UPDATE file SET caption = NULL") }
    }
    let (location, options) = (library.test.library.location, library.test.library.options)
    let error = #expect(throws: LibraryError.self) { try Library.rebuild(at: location, options: options) }
    #expect(error?.code == .wouldLose)
    #expect(error?.message.contains("is newer but has less data") == true, "\(error as Any)")
  }

  @Test("A snapshot gives no owner a file whose id another owner had then") func reusedOwner() throws {
    let library = try TwiceSavedLibrary(files: 1) { test in
      try test.catalogue.assign([test.id("/r/0.jpg")], owner: "carl", collection: .none)
    } later: { test in
      try TwiceSavedLibrary.erase(0, test)
      try test.library.database.pool.write { db in try db.execute(sql: "DELETE FROM owner") }
      try test.catalogue.apply([TestLibrary.done("/r/7.jpg", inode: 77, digest: 77)])
      try test.catalogue.assign([test.id("/r/7.jpg")], owner: "dora", collection: .none)
    }
    try library.damage(["owner", "sqlite_autoindex_owner_1"])
    let location = library.test.library.location
    let candidate = CatalogueCandidate(in: location)
    defer { try? candidate.remove() }
    _ = try candidate.recover(from: location.catalogue, and: library.snapshots, after: 99)
    let owners = try CatalogueProbe(path: candidate.path).read { db in
      try String.fetchAll(db, sql: "SELECT name FROM owner")
    }
    #expect(owners == [])
  }

  @Test(
    "A snapshot names an owner by id if both have the owner's file, moment or trip, or the index of the damaged one has it",
    arguments: [
      ("file", false), ("file", true), ("moment", true), ("trip", true),
    ])
  func sameOwner(owned: String, isDamaged: Bool) throws {
    let library = try TwiceSavedLibrary(files: 1) { test in
      let owner = "carl"
      switch owned {
      case "file": try test.catalogue.assign([test.id("/r/0.jpg")], owner: owner, collection: .none)
      case "moment": try test.library.moments.add([Moment.New(owner: owner, note: "his", posted: 1)])
      default: try test.library.moments.add(Trip.New(owner: owner, title: "His", started: 7))
      }
    }
    var damaged: Set = ["owner", "sqlite_autoindex_owner_1"]
    if isDamaged { damaged.insert(owned) }
    try library.damage(damaged)
    let location = library.test.library.location
    let candidate = CatalogueCandidate(in: location)
    defer { try? candidate.remove() }
    _ = try candidate.recover(from: location.catalogue, and: library.snapshots, after: 99)
    let owners = try CatalogueProbe(path: candidate.path).read { db in
      try String.fetchAll(db, sql: "SELECT owner.name FROM \(owned) AS owned JOIN owner ON owner.id = owned.owner")
    }
    #expect(owners == ["carl"])
  }

  @Test("Names of folders are read from their index up to its damaged page") func damagedIndex() throws {
    let test = try TestLibrary()
    let filler = String(repeating: "folder-", count: 12)
    try test.catalogue.apply(
      (0..<400).map { TestLibrary.done("/r/\(filler)\($0)/a.jpg", inode: UInt64($0 + 1), digest: $0 + 1) })
    let location = test.library.location
    try test.library.close()
    try PagedLibrary.damage(["folder"], of: location.catalogue)
    try PagedLibrary.damage(["sqlite_autoindex_folder_1"], of: location.catalogue, leaf: 2)
    let candidate = CatalogueCandidate(in: location)
    defer { try? candidate.remove() }
    let (contents, report) = try candidate.recover(from: location.catalogue, and: [], after: 999)
    #expect(contents.files > 300)
    #expect(contents.files < 400)
    #expect(report.lost == 400 - contents.files)
  }
}

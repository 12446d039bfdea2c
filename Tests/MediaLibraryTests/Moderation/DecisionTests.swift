internal import FileSupport
internal import Foundation
internal import GRDB
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

@Suite("Blocked contents, quarantined and protected files (R-MYM-26)") struct DecisionTests {
  let test: TestLibrary
  var moderation: Moderation { test.library.moderation }
  var catalogue: any MediaCatalogue & ScanIndex { test.catalogue }

  init() throws {
    test = try TestLibrary(copy: true)
    // Two of one content, one of another.
    try test.catalogue.apply(
      (1...3).map { TestLibrary.done("/r/\($0).jpg", inode: UInt64($0), taken: $0, at: (1, 1), digest: $0 < 3 ? 1 : 2) }
    )
  }

  private func content(_ number: Int) throws -> ContentDigest { try #require(TestLibrary.digest(number)) }
  private func id(_ number: Int) throws -> FileID { try test.id("/r/\(number).jpg") }
  private func shown() throws -> [String] {
    try catalogue.newest(.all, after: nil, limit: 99).files.map(\.path).sorted()
  }

  @Test("A blocked content hides every file that has it, also those that are scanned, linked or added later")
  func block() throws {
    try catalogue.assign([id(1)], owner: "ada", collection: .none)
    try catalogue.assign([id(2)], owner: "bob", collection: .none)
    let moment = try test.library.moments.add([Moment.New(owner: "ada", file: id(1), posted: 1)])[0]
    #expect(try moderation.block(content(1), reason: "law", by: "mod", at: 7) == [id(1), id(2)])
    #expect(try shown() == ["/r/3.jpg"])
    #expect(try catalogue.file(id(2))?.state == .quarantined)
    #expect(try catalogue.file(id(2))?.failure?.message == "law")
    #expect(try test.library.moments.moment(moment, in: .owner("ada")) == nil)
    #expect(try catalogue.locations(in: .world, zoom: 3, of: .all).clusters.reduce(0) { $0 + $1.count } == 1)

    try catalogue.apply([TestLibrary.done("/r/4.jpg", inode: 4, digest: 1)])
    try catalogue.apply([.linked(id(1), to: TestLibrary.stamp("/r/5.jpg", inode: 5))])
    try catalogue.apply([.discovered(TestLibrary.stamp("/r/6.jpg", inode: 6))])
    try catalogue.apply([TestLibrary.done("/r/6.jpg", inode: 6, digest: 1)])
    var added = AddedFile(
      path: PathBytes("/r/7.jpg"), modified: 1, received: 1,
      result: FileResult(info: TestLibrary.photo(), digest: try content(1), engine: "e"))
    _ = try catalogue.add([added])
    (added.path, added.owner) = (PathBytes("/r/8.jpg"), "cleo")
    _ = try catalogue.add([added])
    #expect(try shown() == ["/r/3.jpg"])
    #expect(try catalogue.counts(in: .all).filter { $0.state == .quarantined }.reduce(0) { $0 + $1.files } == 7)
    #expect(try test.library.verify().isIntact)

    #expect(try moderation.unblock(content(1), by: "mod", at: 8).count == 7)
    #expect(try shown().count == 8)
    #expect(try catalogue.file(id(2))?.info()?.type == .jpeg)
    #expect(try catalogue.file(id(2))?.failure == nil)
    #expect(try test.library.moments.moment(moment, in: .owner("ada")) != nil)
    #expect(try moderation.unblock(content(1), by: "mod", at: 9) == [], "it is not blocked any more")
    #expect(try test.library.verify().isIntact)
  }

  @Test("A file with two reasons to be hidden is shown when both have ended") func reasons() throws {
    try moderation.quarantine([id(1)], reason: "reported", by: "mod", at: 1)
    #expect(try shown() == ["/r/2.jpg", "/r/3.jpg"], "other files of the content are not affected")
    try moderation.block(content(1), reason: "law", by: "mod", at: 2)
    let blocked = #expect(throws: LibraryError.self) { try moderation.release([id(1)], by: "mod", at: 3) }
    #expect(blocked?.code == .invalidRequest)
    try moderation.unblock(content(1), by: "mod", at: 4)
    #expect(try shown() == ["/r/2.jpg", "/r/3.jpg"])
    let standing = try #require(try moderation.standing(of: id(1)))
    #expect(standing.quarantine == Moderation.Decision(reason: "reported", actor: "mod", time: 1))
    #expect(standing.block == nil)
    #expect(standing.isHidden)
    try moderation.release([id(1)], by: "mod", at: 5)
    #expect(try shown().count == 3)
    #expect(try moderation.standing(of: id(1))?.isHidden == false)
    // A scan may say the same without a name.
    try catalogue.apply([.quarantined(id(1), reason: "r")])
    #expect(try moderation.standing(of: id(1))?.quarantine == Moderation.Decision(reason: "r", actor: "", time: 0))
    try moderation.release([id(1)], by: "mod", at: 6)
    #expect(try shown().count == 3)
    #expect(try test.library.verify().isIntact)
  }

  @Test("What is decided about an unknown file changes nothing") func unknown() throws {
    let files = try [id(1), FileID(rawValue: 99)]
    #expect(throws: LibraryError.self) { try moderation.quarantine(files, reason: "r", by: "mod", at: 1) }
    #expect(throws: LibraryError.self) { try moderation.protect(files, reason: "r", by: "mod", at: 1) }
    #expect(throws: LibraryError.self) { try moderation.release([FileID(rawValue: 99)], by: "mod", at: 1) }
    #expect(try moderation.report(FileID(rawValue: 99), by: "bob", reason: "r", at: 1, threshold: 1) == nil)
    #expect(try moderation.standing(of: FileID(rawValue: 99)) == nil)
    #expect(try shown().count == 3)
    #expect(try moderation.audit(after: nil, limit: 9).entries.isEmpty)
  }

  @Test("Reports of so many readers hide a file until a moderator answers; a reader counts once") func reports() throws
  {
    #expect(try moderation.report(id(1), by: "bob", reason: "rude", at: 1, threshold: 2) == false)
    #expect(try moderation.report(id(1), by: "bob", reason: "very rude", at: 2, threshold: 2) == false)
    #expect(try moderation.report(id(2), by: "cleo", reason: "rude", at: 3, threshold: nil) == false)
    #expect(try shown().count == 3)
    #expect(try moderation.report(id(1), by: "cleo", reason: "rude", at: 4, threshold: 2) == true)
    #expect(try shown() == ["/r/2.jpg", "/r/3.jpg"])
    #expect(try moderation.standing(of: id(1))?.quarantine?.actor == Moderation.readers)
    #expect(try moderation.reports(after: nil, limit: 9).reports.map(\.reason) == ["rude", "rude", "very rude"])
    var pages: [String] = []
    var after: CatalogueFile.Cursor?
    repeat {
      let page = try moderation.reports(after: after, limit: 1)
      pages += page.reports.map { "\($0.file?.rawValue ?? 0) \($0.reader) \($0.time)" }
      after = page.next
    } while after != nil
    #expect(try pages == ["\(id(1).rawValue) cleo 4", "\(id(2).rawValue) cleo 3", "\(id(1).rawValue) bob 2"])
    try moderation.release([id(1)], by: "mod", at: 5)
    #expect(try shown().count == 3)
    #expect(try moderation.report(id(1), by: "bob", reason: "again", at: 6, threshold: 2) == false, "they count again")
    #expect(try moderation.dismissReports(about: [id(1), id(2)], by: "mod", at: 7) == 2)
    #expect(try moderation.reports(after: nil, limit: 9).reports.isEmpty)
  }

  @Test("Reports do not hide a protected file, and erasing vanished files keeps it; a moderator can hide it")
  func protected() throws {
    try moderation.protect([id(1)], reason: "press", by: "mod", at: 1)
    for reader in 0..<9 {
      #expect(try moderation.report(id(1), by: "\(reader)", reason: "r", at: 1, threshold: 1) == false)
    }
    #expect(try shown().count == 3)
    try catalogue.apply([.vanished(id(1)), .vanished(id(2))])
    #expect(try test.library.erase(.vanished).files == 1)
    #expect(try moderation.standing(of: id(1))?.protection?.reason == "press")
    try catalogue.apply([.returned(id(1))])
    try moderation.quarantine([id(1)], reason: "court", by: "mod", at: 2)
    #expect(try shown() == ["/r/3.jpg"])
    try moderation.unprotect([id(1)], by: "mod", at: 3)
    try moderation.release([id(1)], by: "mod", at: 3)
    try catalogue.apply([.vanished(id(1))])
    #expect(try test.library.erase(.vanished).files == 1)
    #expect(try test.library.verify().isIntact)
  }

  @Test("The audit trail has every decision, the last first, and no statement changes it") func audit() throws {
    try moderation.block(content(1), reason: "law", by: "mod", at: 1)
    try moderation.unblock(content(1), reason: "mistake", by: "mod", at: 2)
    try moderation.quarantine([id(1)], reason: "rude", by: "eve", at: 3)
    try moderation.protect([id(3)], by: "eve", at: 4)
    try moderation.release([id(1)], by: "mod", at: 5)
    try moderation.unprotect([id(3)], by: "mod", at: 6)
    try moderation.record(Moderation.Verdict(content(2), .infected, detail: "Eicar", at: 7))
    try moderation.record(Moderation.Verdict(content(2), .clean, at: 8))
    var entries: [Moderation.AuditEntry] = []
    var after: CatalogueFile.Cursor?
    repeat {
      let page = try moderation.audit(after: after, limit: 3)
      entries += page.entries
      after = page.next
    } while after != nil
    #expect(
      entries.map(\.action.rawValue) == [
        "cleared", "infected", "unprotect", "release", "protect", "quarantine", "unblock", "block",
      ])
    #expect(entries.map(\.actor) == ["scanner", "scanner", "mod", "mod", "eve", "eve", "mod", "mod"])
    #expect(entries.map(\.time) == [8, 7, 6, 5, 4, 3, 2, 1])
    #expect(try entries.map(\.file) == [nil, nil, id(3), id(1), id(3), id(1), nil, nil])
    #expect(try entries.last?.content == content(1))
    #expect(entries.map(\.reason) == [nil, "Eicar", nil, nil, nil, "rude", "mistake", "law"])
    for sql in ["UPDATE audit SET actor = 'x'", "DELETE FROM audit"] {
      #expect(throws: LibraryError.self) { try test.library.database.write { db in try db.execute(sql: sql) } }
    }
    #expect(try moderation.audit(after: nil, limit: 99).entries == entries)
  }

  @Test("Blocks are listed the last first, in pages") func blocks() throws {
    for number in 1...5 { try moderation.block(content(number), reason: "\(number)", by: "mod", at: number / 2) }
    var reasons: [String] = []
    var after: CatalogueFile.Cursor?
    repeat {
      let page = try moderation.blocks(after: after, limit: 2)
      reasons += page.blocks.map(\.decision.reason)
      after = page.next
    } while after != nil
    #expect(Set(reasons).count == 5)
    #expect(reasons.count == 5)
    #expect(reasons.last == "1")
    // Another reason replaces the first.
    try moderation.block(content(3), reason: "new", by: "eve", at: 9)
    #expect(try moderation.block(of: content(3)) == Moderation.Decision(reason: "new", actor: "eve", time: 9))
    #expect(try moderation.blocks(after: nil, limit: 9).blocks.count == 5)
  }

  @Test(
    "R-MYM-24: erasing an owner erases the reports of this reader, the flags and verdicts of the files, also in snapshots"
  )
  func erased() throws {
    try catalogue.assign([id(3)], owner: "ada", collection: .none)
    _ = try moderation.report(id(1), by: "ada", reason: "Xylophonecomplaint", at: 1, threshold: nil)
    _ = try moderation.report(id(3), by: "Quokkareader", reason: "r", at: 1, threshold: nil)
    try moderation.quarantine([id(3)], reason: "Zanzibarreason", by: "mod", at: 1)
    try moderation.record(Moderation.Verdict(content(2), .unscannable, detail: "Verdictdetail", at: 1))
    _ = try test.library.backUp()
    let report = try test.library.erase(.owner("ada"))
    #expect(report.files == 1)
    #expect(report.reports == 1)
    #expect(report.isWiped)
    #expect(try moderation.verdict(of: content(2)) == nil)
    for word in ["Xylophonecomplaint", "Quokkareader", "Verdictdetail", "Zanzibarreason"] {
      #expect(try test.folder.files(containing: Array(word.utf8)) == [], "\(word)")
    }
    // The decision stays in the audit trail, and its reason does not.
    #expect(try moderation.audit(after: nil, limit: 9).entries.map(\.action) == [.quarantine])
    #expect(try moderation.audit(after: nil, limit: 9).entries.map(\.reason) == [nil])
    #expect(try test.library.verify().isIntact)
    // A reader who owns nothing.
    _ = try moderation.report(id(1), by: "dora", reason: "Pelicancomplaint", at: 1, threshold: nil)
    _ = try test.library.backUp()
    #expect(try test.library.erase(.owner("dora")).reports == 1)
    #expect(try test.folder.files(containing: Array("Pelicancomplaint".utf8)) == [])
  }

  @Test("Files that an earlier version quarantined can be released after the upgrade") func upgraded() throws {
    let folder = try TemporaryFolder()
    try folder.write(Fixture.bytes("libraries/0.1.0.sqlite"), to: "catalogue.sqlite")
    let library = try Library.open(at: LibraryLocation(folder: PathBytes(folder.url.path)), for: .writing)
    let file = try #require(try library.catalogue.files(of: .quarantined, after: nil, limit: 9).files.first)
    let standing = try #require(try library.moderation.standing(of: file.id))
    #expect(standing.quarantine?.actor == "")
    #expect(standing.quarantine?.reason == file.failure?.message)
    try library.moderation.release([file.id], by: "mod", at: 1)
    #expect(try library.catalogue.files(of: .quarantined, after: nil, limit: 9).files.isEmpty)
    let found = try library.verify().problems
    #expect(Set(found.keys).subtracting(["renditionMissing"]).isEmpty)
  }

  @Test("A file is added with its quarantine in one transaction, with the actor and an entry of the audit trail")
  func addedQuarantined() throws {
    var added = AddedFile(
      path: PathBytes("/r/9.jpg"), modified: 1, received: 5,
      result: FileResult(info: TestLibrary.photo(), engine: "e"))
    (added.quarantine, added.quarantineActor) = ("look", "review")
    let file = try #require(try catalogue.add([added]).first)
    #expect(try catalogue.file(file)?.state == .quarantined)
    let standing = try moderation.standing(of: file)
    #expect(standing?.quarantine == Moderation.Decision(reason: "look", actor: "review", time: 5))
    let entries = try moderation.audit(after: nil, limit: 9).entries
    #expect(entries.map(\.actor) == ["review"])
    #expect(entries.map(\.action) == [.quarantine])
  }

  @Test("A file of a blocked content that is added again gets no quarantine of its own") func addedAgain() throws {
    let added = AddedFile(
      path: PathBytes("/r/9.jpg"), modified: 1, received: 1,
      result: FileResult(info: TestLibrary.photo(), digest: try content(1), engine: "e"))
    let file = try #require(try catalogue.add([added]).first)
    try moderation.block(content(1), reason: "law", by: "mod", at: 1)
    #expect(try catalogue.add([added]) == [file])
    #expect(try catalogue.file(file)?.state == .quarantined)
    #expect(try moderation.standing(of: file)?.quarantine == nil)
    try moderation.unblock(content(1), by: "mod", at: 2)
    #expect(try catalogue.file(file)?.state == .done)
  }

  @Test("A released upload is shown at once, for no scan visits it; a vanished file stays vanished") func released()
    throws
  {
    let added = AddedFile(
      path: PathBytes("/r/9.jpg"), modified: 1, received: 1,
      result: FileResult(info: TestLibrary.photo(), engine: "e"))
    let file = try #require(try catalogue.add([added]).first)
    try catalogue.apply([.quarantined(file, reason: "r")])
    try catalogue.apply([.released(file)])
    #expect(try catalogue.file(file)?.state == .done)
    try catalogue.apply([.vanished(file)])
    try catalogue.apply([.quarantined(file, reason: "r")])
    try catalogue.apply([.released(file)])
    #expect(try catalogue.file(file)?.state == .vanished)
  }

  @Test("A file that comes back while it is quarantined is shown as soon as it is released") func returned()
    throws
  {
    let added = AddedFile(
      path: PathBytes("/r/9.jpg"), modified: 1, received: 1,
      result: FileResult(info: TestLibrary.photo(), digest: try content(1), engine: "e"))
    let file = try #require(try catalogue.add([added]).first)
    try moderation.quarantine([file], reason: "r", by: "mod", at: 1)
    try catalogue.apply([.vanished(file)])
    try catalogue.apply([.returned(file)])
    #expect(try catalogue.file(file)?.state == .quarantined)
    try moderation.release([file], by: "mod", at: 2)
    #expect(try catalogue.file(file)?.state == .done)
    #expect(try catalogue.newest(.all, after: nil, limit: 9).files.map(\.id).contains(file))
    #expect(try test.library.verify().isIntact)
  }
}

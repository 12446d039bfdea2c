internal import FileSupport
internal import Foundation
internal import GRDB
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

/// Files that no scanner could look at, in a library that shows others only what is clean.
@Suite("Accepted contents that could not be scanned (R-MYM-26)") struct AcceptedContentTests {
  let world: MomentWorld
  let library: Library
  let file: FileID
  let moment: Moment.ID
  var moderation: Moderation { library.moderation }

  init() throws {
    world = try MomentWorld()
    try world.test.catalogue.apply([TestLibrary.done("/r/1.jpg", inode: 1, taken: 1, at: (46, 7), digest: 1)])
    var options = world.library.options
    options.showsOnlyClean = true
    try world.library.close()
    library = try Library.open(at: world.library.location, for: .writing, options: options)
    file = try #require(try library.catalogue.file(at: PathBytes("/r/1.jpg"))).id
    var new = Moment.New(owner: "ada", file: file, posted: 1)
    new.visibility = .friends
    moment = try #require(try library.moments.add([new]).first)
    try moderation.record(Moderation.Verdict(content(), .unscannable, detail: "encrypted", signatures: 1, at: 10))
  }

  private func content(_ number: Int = 1) throws -> ContentDigest { try #require(TestLibrary.digest(number)) }
  private func accept(at time: Int = 20) throws {
    try moderation.accept([content()], reason: "opened it", by: "mod", at: time)
  }
  private func isSeen(since time: Int = 0) throws -> Bool {
    let scope = Moment.Scope(owners: ["ada"], audience: .friends, changedSince: time)
    return try library.moments.newest(scope, after: nil, limit: 9).moments.isEmpty == false
  }
  private func waiting() throws -> [ContentDigest] {
    try moderation.unscannable(after: nil, limit: 9).verdicts.map(\.content)
  }

  @Test("An unscannable file waits for a moderator, and friends see its moment as changed once it is accepted")
  func accepted() throws {
    #expect(try waiting() == [content()])
    #expect(try isSeen() == false)
    try accept()
    #expect(try waiting().isEmpty)
    #expect(try isSeen(since: 19))
    let standing = try #require(try moderation.standing(of: file))
    #expect(standing.acceptance == Moderation.Decision(reason: "opened it", actor: "mod", time: 20))
    #expect(standing.verdict?.isClean == true)
    let entry = try #require(try moderation.audit(after: nil, limit: 1).entries.first)
    #expect(entry.action == .accept)
    #expect(entry.content == (try content()))
    #expect(try library.verify().isIntact)
  }

  @Test("The decision survives further scans that cannot look at the content, and ends when one finds malware")
  func scannedAgain() throws {
    try accept()
    try moderation.record(Moderation.Verdict(content(), .unscannable, detail: "tooLarge", signatures: 2, at: 30))
    #expect(try isSeen())
    try moderation.record(Moderation.Verdict(content(), .unscannable, detail: "scannerError", at: 31))
    #expect(try isSeen())
    #expect(try moderation.waitingFiles() == 0)
    try moderation.record(Moderation.Verdict(content(), .clean, signatures: 3, at: 40))
    #expect(try isSeen())
    #expect(try isSeen(since: 40) == false, "it showed nothing new")
    try moderation.record(Moderation.Verdict(content(), .infected, detail: "Eicar", signatures: 4, at: 50))
    #expect(try isSeen() == false)
    try moderation.record(Moderation.Verdict(content(), .clean, signatures: 5, at: 60))
    try moderation.record(Moderation.Verdict(content(), .unscannable, detail: "encrypted", signatures: 6, at: 70))
    #expect(try isSeen() == false, "malware ended the acceptance")
    #expect(try waiting() == [content()])
  }

  @Test("A rejected content is blocked, is in no list of what waits, and waits again once the block ends")
  func rejected() throws {
    try accept()
    try moderation.block(content(), reason: "no", by: "mod", at: 30)
    #expect(try moderation.standing(of: file)?.isHidden == true)
    #expect(try moderation.standing(of: file)?.acceptance == nil)
    #expect(try waiting().isEmpty)
    let refused = #expect(throws: LibraryError.self) { try accept() }
    #expect(refused?.code == .invalidRequest)
    try moderation.unblock(content(), by: "mod", at: 40)
    #expect(try isSeen() == false)
    #expect(try waiting() == [content()])
  }

  @Test("A file that gets another content starts over, and so does a content that comes back")
  func changed() throws {
    try accept()
    try library.scanIndex.apply([TestLibrary.done("/r/1.jpg", inode: 1, second: 2_000, taken: 1, digest: 2)])
    #expect(try isSeen() == false)
    try moderation.record(Moderation.Verdict(content(2), .unscannable, detail: "encrypted", at: 30))
    #expect(try waiting() == [content(2)])
    #expect(try isSeen() == false)
    try library.scanIndex.apply([TestLibrary.done("/r/1.jpg", inode: 1, second: 3_000, taken: 1, digest: 1)])
    try moderation.record(Moderation.Verdict(content(), .unscannable, detail: "encrypted", at: 40))
    #expect(try isSeen() == false, "the first verdict was erased with its last file")
    #expect(try waiting() == [content()])
  }

  @Test("What a scanner decides, and what it has not decided yet, is not accepted")
  func others() throws {
    for state in [Moderation.Verdict.State.clean, .infected] {
      try moderation.record(Moderation.Verdict(content(), state, signatures: 2, at: 20))
      #expect(throws: LibraryError.self) { try accept() }
    }
    #expect(throws: LibraryError.self) { try moderation.accept([content(2)], by: "mod", at: 1) }
    #expect(try moderation.audit(after: nil, limit: 9).entries.contains { $0.action == .accept } == false)
  }

  @Test("What waits is listed in pages, most recent first") func pages() throws {
    try library.scanIndex.apply((2...4).map { TestLibrary.done("/r/\($0).jpg", inode: UInt64($0), digest: $0) })
    for number in 2...4 {
      try moderation.record(Moderation.Verdict(content(number), .unscannable, detail: "tooLarge", at: number * 10))
    }
    var (found, after): ([ContentDigest], CatalogueFile.Cursor?) = ([], nil)
    repeat {
      let page = try moderation.unscannable(after: after, limit: 1)
      found += page.verdicts.map(\.content)
      after = page.next
    } while after != nil
    #expect(try found == [content(4), content(3), content(2), content(1)])
  }

  @Test("A recovery keeps an acceptance, and drops one that the audit trail does not have", arguments: [true, false])
  func recovered(isInTrail: Bool) throws {
    try accept()
    let location = library.location
    if !isInTrail {
      try library.database.pool.write { db in
        try db.execute(sql: "DROP TRIGGER audit_deleted; DELETE FROM audit")
      }
    }
    try library.close()
    let candidate = CatalogueCandidate(in: location)
    _ = try candidate.recover(from: location.catalogue, and: [], after: 0)
    let isAccepted = try CatalogueProbe(path: candidate.path).read { db in
      try Bool.fetchOne(db, sql: "SELECT accepted FROM verdict")
    }
    #expect(isAccepted == isInTrail)
    try candidate.remove()
  }

  @Test("A damaged mark is reported, and a repair accepts nothing") func damaged() throws {
    try accept()
    try library.database.pool.write { db in try db.execute(sql: "UPDATE verdict SET accepted = 7") }
    #expect(try library.verify().isIntact == false)
    _ = try library.repair()
    #expect(try library.verify().isIntact)
    #expect(try isSeen() == false)
  }
}

internal import FileSupport
internal import GRDB
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

@Suite("Reports about notes, and held moments (R-MYM-26)") struct HeldMomentTests {
  let world: MomentWorld
  var moderation: Moderation { world.library.moderation }

  init() throws {
    world = try MomentWorld(copy: true)
    try world.moments.setLocationSharing(.friends, of: "ada")
  }

  private func note(_ text: String = "Rude words") throws -> Moment.ID {
    try world.note(text, of: "ada", location: MomentWorld.place(46, 7), visibility: .friends)
  }

  private func report(_ id: Moment.ID, _ reader: String, threshold: Int? = 2, at time: Int = 1) throws -> Bool? {
    try moderation.report(moment: id, by: reader, reason: "rude", at: time, threshold: threshold)
  }

  @Test("Reports of so many readers hold a note until a moderator releases it; a reader counts once") func threshold()
    throws
  {
    let id = try note()
    #expect(try report(id, "bob") == false)
    #expect(try report(id, "bob") == false)
    #expect(try report(id, "cleo", threshold: nil) == false)
    #expect(try report(id, "dora", threshold: 3) == true)
    #expect(try report(id, "eve") == false, "it is held")
    let standing = try #require(try moderation.standing(ofMoment: id))
    #expect(standing.isHeld)
    #expect(standing.reports == 4)
    #expect(standing.hold == Moderation.Decision(reason: "reported by 3 users", actor: "reports", time: 1))
    #expect(try moderation.heldMoments(after: nil, limit: 9).moments.map(\.id) == [id])
    #expect(try world.moments.moment(id, in: .owner("ada"))?.state == .held)
    #expect(try world.moments.moment(id, in: .owner("ada"))?.version == 1)

    try moderation.release(moments: [id], by: "mod", at: 2)
    #expect(try moderation.standing(ofMoment: id) == Moderation.MomentStanding(isHeld: false, reports: 0))
    #expect(try report(id, "bob", at: 3) == false, "they count again")
    #expect(try moderation.dismissReports(aboutMoments: [id], by: "mod", at: 4) == 1)
    try moderation.hold(moments: [id], reason: "names a child", by: "mod", at: 5)
    #expect(try moderation.standing(ofMoment: id)?.hold?.reason == "names a child")
    let audit = try moderation.audit(after: nil, limit: 9).entries
    #expect(audit.map(\.action) == [.hold, .dismiss, .dismiss, .release, .hold])
    #expect(audit.map(\.moment) == Array(repeating: id, count: 5))
    #expect(audit.allSatisfy { $0.file == nil })
    #expect(try world.library.verify().isIntact)
  }

  @Test("Reports do not hold a note again that a moderator has released, and are recorded; a moderator can hold it")
  func heldOnce() throws {
    let id = try note()
    for reader in ["bob", "cleo"] { _ = try report(id, reader) }
    #expect(try moderation.standing(ofMoment: id)?.isHeld == true)
    try moderation.release(moments: [id], by: "mod", at: 2)
    for reader in ["bob", "cleo", "dora"] { #expect(try report(id, reader, at: 3) == false) }
    #expect(try moderation.standing(ofMoment: id) == Moderation.MomentStanding(isHeld: false, reports: 3))
    try moderation.hold(moments: [id], reason: "r", by: "mod", at: 4)
    #expect(try moderation.standing(ofMoment: id)?.isHeld == true)
  }

  @Test("Reports do not hold a protected note, and are recorded; a moderator can hold it") func protected() throws {
    let id = try note()
    try moderation.protect(moments: [id], reason: "press", by: "mod", at: 1)
    for reader in ["bob", "cleo"] { #expect(try report(id, reader, at: 2) == false) }
    let protection = Moderation.Decision(reason: "press", actor: "mod", time: 1)
    #expect(
      try moderation.standing(ofMoment: id)
        == Moderation.MomentStanding(isHeld: false, protection: protection, reports: 2))
    try moderation.hold(moments: [id], reason: "court", by: "mod", at: 3)
    #expect(try moderation.standing(ofMoment: id)?.isHeld == true)
    #expect(try moderation.standing(ofMoment: id)?.protection == protection)
    #expect(try moderation.audit(after: nil, limit: 9).entries.map(\.action) == [.hold, .protect])
    #expect(try world.library.verify().isIntact)
  }

  @Test("Reports hold a note whose protection has ended; ending it twice is one decision") func unprotected() throws {
    let id = try note()
    try moderation.protect(moments: [id], by: "mod", at: 1)
    #expect(try report(id, "bob", at: 2) == false)
    for time in 3...4 { try moderation.unprotect(moments: [id], reason: "over", by: "eve", at: time) }
    #expect(try moderation.standing(ofMoment: id)?.protection == nil)
    #expect(try report(id, "cleo", at: 5) == true)
    let audit = try moderation.audit(after: nil, limit: 9).entries
    #expect(audit.map(\.action) == [.hold, .unprotect, .protect])
    #expect(audit.map(\.actor) == ["reports", "eve", "mod"])
    #expect(audit.map(\.moment) == [id, id, id])
  }

  @Test("Moments are protected all or none, and one with a file only with its file") func protectedWithFile() throws {
    let (file, id) = (try world.photo("a"), try note())
    let withFile = try world.moments.add([Moment.New(owner: "ada", file: file, posted: 1)])[0]
    for other in [withFile, Moment.ID(rawValue: 99)] {
      for decide in [moderation.protect(moments:reason:by:at:), moderation.unprotect(moments:reason:by:at:)] {
        let error = #expect(throws: LibraryError.self) { try decide([id, other], "r", "mod", 1) }
        #expect(error?.code == .invalidRequest)
      }
    }
    #expect(try moderation.standing(ofMoment: id)?.protection == nil)
    #expect(try moderation.audit(after: nil, limit: 9).entries.isEmpty)
  }

  @Test("A released note is among those that changed since, with the version that it had; a held one is for its owner")
  func changed() throws {
    let id = try note()
    let since = Moment.Scope(owners: ["ada"], audience: .friends, changedSince: 2_500)
    var own = Moment.Scope.owner("ada")
    own.changedSince = 1_500
    #expect(try world.all(own).isEmpty)
    try moderation.hold(moments: [id], reason: "r", by: "mod", at: 2_000)
    #expect(try world.all(own).map(\.state) == [.held])
    #expect(try world.all(since).isEmpty)
    try moderation.release(moments: [id], by: "mod", at: 3_000)
    #expect(try world.all(since).map(\.id) == [id])
    #expect(try world.all(since).map(\.changed) == [3_000])
    #expect(try world.all(since).map(\.version) == [1])
    // A clock that was set back.
    try moderation.hold(moments: [id], reason: "r", by: "mod", at: 1_500)
    try moderation.release(moments: [id], by: "mod", at: 1_600)
    #expect(try world.all(since).map(\.changed) == [3_000])
  }

  @Test("A held note is in no listing, search, map, trip or path of others, and in all of its owner") func reads()
    throws
  {
    let (id, other) = (try note(), try note("Kind words"))
    var new = Trip.New(owner: "ada", title: "Lake", started: 1)
    new.visibility = .friends
    let trip = try world.moments.add(new).id
    try world.moments.add([id, other], to: trip, of: "ada", version: nil)
    let reads = MomentReads(moments: world.moments, owner: "ada", moment: id, trip: trip)
    let (before, own) = (try reads.counts(.friends), try reads.counts(.owner))
    #expect(before.filter { $0.value != 2 } == ["moment": 1])
    try moderation.hold(moments: [id], reason: "r", by: "mod", at: 1)
    #expect(try reads.counts(.friends) == MomentReads.hidden(before))
    #expect(try reads.counts(.owner) == own)
    try moderation.release(moments: [id], by: "mod", at: 2)
    #expect(try reads.counts(.friends) == before)
  }

  @Test("A report about a moment with a file is about the file, which is quarantined; the moment cannot be held alone")
  func withFile() throws {
    let file = try world.photo("a")
    let id = try world.moments.add([Moment.New(owner: "ada", file: file, posted: 1)])[0]
    #expect(try report(id, "bob") == false)
    #expect(try moderation.report(file, by: "cleo", reason: "rude", at: 1, threshold: 2) == true)
    #expect(try moderation.standing(of: file)?.isHidden == true)
    #expect(try world.moments.moment(id, in: .owner("ada")) == nil)
    let error = #expect(throws: LibraryError.self) {
      try moderation.hold(moments: [id], reason: "r", by: "mod", at: 1)
    }
    #expect(error?.code == .invalidRequest)
    let unknown = Moment.ID(rawValue: 99)
    #expect(try report(unknown, "bob") == nil)
    #expect(try moderation.standing(ofMoment: unknown) == nil)
    #expect(throws: LibraryError.self) { try moderation.release(moments: [unknown], by: "mod", at: 1) }
  }

  @Test("Reports about files and about notes are one list, the last first, in pages") func pages() throws {
    let (file, id) = (try world.photo("a"), try note())
    for (number, reader) in ["a", "b", "c", "d"].enumerated() {
      _ = try moderation.report(file, by: reader, reason: "r", at: number / 2, threshold: nil)
      _ = try report(id, reader, threshold: nil, at: number / 2)
    }
    var found: [String] = []
    var after: CatalogueFile.Cursor?
    repeat {
      let page = try moderation.reports(after: after, limit: 3)
      found += page.reports.map { "\($0.time) \($0.moment == nil ? "file" : "note") \($0.reader)" }
      after = page.next
    } while after != nil
    #expect(
      found == [
        "1 note d", "1 note c", "1 file d", "1 file c", "0 note b", "0 note a", "0 file b", "0 file a",
      ])
  }

  @Test("The texts about a note are erased with it, and a reader's reports with the reader, also in snapshots")
  func erased() throws {
    let (id, other) = (try note(), try note("Other words"))
    for moment in [id, other] {
      _ = try moderation.report(moment: moment, by: "bob", reason: "Quokkareport", at: 1, threshold: nil)
    }
    try moderation.protect(moments: [id], reason: "Zebrapress", by: "mod", at: 1)
    try moderation.hold(moments: [id], reason: "Zebrareason", by: "mod", at: 2)
    _ = try world.library.backUp()
    #expect(try !world.test.folder.files(containing: Array("Zebrareason".utf8)).isEmpty)
    _ = try world.library.erase(.moments([id], owner: "ada"))
    for word in ["Zebrapress", "Zebrareason"] {
      #expect(try world.test.folder.files(containing: Array(word.utf8)).isEmpty, "\(word)")
    }
    let entry = try #require(try moderation.audit(after: nil, limit: 9).entries.first)
    #expect(entry.moment == id)
    #expect(entry.reason == nil)
    #expect(entry.actor == "mod")
    #expect(try moderation.reports(after: nil, limit: 9).reports.map(\.moment) == [other])
    #expect(try world.library.erase(.owner("bob")).reports == 1)
    #expect(try moderation.reports(after: nil, limit: 9).reports.isEmpty)
    #expect(try world.test.folder.files(containing: Array("Quokkareport".utf8)).isEmpty)
    #expect(try world.library.verify().isIntact)
  }

  @Test("Damaged reports about notes are found and repaired") func damaged() throws {
    let id = try note()
    _ = try report(id, "bob", threshold: nil)
    try world.library.database.write { db in try db.execute(sql: "UPDATE moment_report SET reason = x'41'") }
    #expect(try !world.library.verify().isIntact)
    _ = try world.library.repair()
    #expect(try world.library.verify().isIntact)
    #expect(try moderation.reports(after: nil, limit: 9).reports.map(\.reason) == ["A"])
  }

  @Test("A note that was held after the snapshot from which its damaged page is taken is held again") func recovered()
    throws
  {
    let ids = try (0..<300).map { try world.note("Note \($0)", of: "ada", visibility: .public) }
    try moderation.hold(moments: [ids[1]], reason: "r", by: "mod", at: 1)
    _ = try world.library.backUp()
    try moderation.hold(moments: [ids[0]], reason: "r", by: "mod", at: 2)
    try moderation.release(moments: [ids[1]], by: "mod", at: 3)
    _ = try report(ids[2], "bob", threshold: nil)
    let (location, copy) = (world.library.location, try #require(world.library.options.copy))
    try world.library.close()
    try PagedLibrary.damage(["moment"], of: location.catalogue)
    let candidate = CatalogueCandidate(in: location)
    defer { try? candidate.remove() }
    let snapshot = try #require(try Snapshot.all(in: copy).first)
    _ = try candidate.recover(from: location.catalogue, and: [snapshot.path], after: 300)
    let (held, reports) = try CatalogueProbe(path: candidate.path).read { db in
      (
        try Int64.fetchAll(db, sql: "SELECT id FROM moment WHERE state = 1 ORDER BY id"),
        try Int.fetchOne(db, sql: "SELECT count(*) FROM moment_report")
      )
    }
    // What a snapshot has is taken in the stricter way.
    #expect(held == [ids[0].rawValue, ids[1].rawValue])
    #expect(reports == 1)
  }
}

internal import Foundation
internal import GRDB
internal import MediaLibrary
internal import TestSupport
internal import Testing

@testable internal import MediaService

@Suite("The erasure of an owner that was interrupted (R-MYM-24)") struct InterruptedOwnerErasureTests {
  private func fill(_ kit: UploadKit) async throws {
    var note = MediaService.NewMoment(note: "Quokkanote")
    note.visibility = .public
    _ = try await kit.service.post(note, for: UploadKit.ada)
    _ = try await kit.service.add(MediaService.NewTrip(title: "Quokkatrip"), for: UploadKit.ada)
    _ = try await kit.service.createDraft(for: UploadKit.ada, text: "Quokkadraft")
    _ = try await kit.service.receiveMessage(try Carrier.retrieved(text: "Quokkathread"), for: UploadKit.ada)
    _ = try await kit.service.post(.init(note: "Othernote"), for: UploadKit.bob)
  }

  private func moments(of owner: String, _ kit: UploadKit) async throws -> Int {
    try await kit.service.library.readMoments {
      try $0.newest(.owner(owner), after: nil, limit: 9).moments.count
    }
  }

  private func noted(_ kit: UploadKit) async throws -> [String] {
    try await kit.service.database.read(ErasingOwners.noted)
  }

  @Test("The next start finishes the erasure in which the process died, in every store") func killed() async throws {
    let kit = try await UploadKit.open()
    try await fill(kit)
    // What the process had done when it died.
    try await kit.service.database.write { db in
      try ErasingOwners.note("ada", db)
      try ErasureCount.begin(db)
    }
    let again = try await kit.restarted()
    #expect(try await moments(of: "ada", again) == 0)
    #expect(try await moments(of: "bob", again) == 1)
    #expect(try await noted(again) == [])
    for word in ["Quokka", "quokka"] { #expect(try again.folder.files(containing: Array(word.utf8)) == []) }
    let count = try await again.service.database.read { db in try ErasureCount.read(db) }
    #expect(count.begun == count.ended)
  }

  @Test("An erasure that fails is not finished by a later start, since its owner may add more") func failed()
    async throws
  {
    let kit = try await UploadKit.open()
    try await fill(kit)
    func change(_ sql: String) throws {
      let queue = try DatabaseQueue(path: kit.folder.path("library/catalogue.sqlite"))
      try queue.write { db in try db.execute(sql: sql) }
      try queue.close()
    }
    try change("CREATE TRIGGER failing BEFORE DELETE ON trip BEGIN SELECT RAISE(ABORT, 'failing'); END")
    let code = await UploadKit.code { () throws(ServiceError) in
      _ = try await kit.service.eraseOwner(for: UploadKit.ada)
    }
    #expect(code != nil)
    #expect(try await noted(kit) == [])
    try change("DROP TRIGGER failing")
    let again = try await kit.restarted()
    #expect(try await moments(of: "ada", again) == 1)
    #expect(try await again.service.eraseOwner(for: UploadKit.ada).moments == 1)
  }

  @Test("A note of an erasure that ended is removed by the sweep, and not that of one that runs") func sweep()
    async throws
  {
    let kit = try await UploadKit.open()
    try await fill(kit)
    try await kit.service.database.write { db in for name in ["ada", "bob"] { try ErasingOwners.note(name, db) } }
    kit.service.erasingOwners.begin("ada")
    await kit.service.sweepErasures()
    #expect(try await noted(kit) == ["ada"])
    kit.service.erasingOwners.end("ada")
    await kit.service.sweepErasures()
    #expect(try await noted(kit) == [])
    #expect(try await moments(of: "ada", kit) == 1)
  }
}

internal import GRDB
internal import MediaEngine
internal import MediaLibrary
internal import Testing

@testable internal import MediaService

@Suite struct ModerationTests {
  @Test("A blocked content that is uploaded costs no image; it is reviewed, and its images are made once it is shown")
  func blockedUndecoded() async throws {
    let asked = Locked(0)
    let kit = try await UploadKit.open {
      $0.review = { _ in
        asked.withLock { $0 += 1 }
        return .allow
      }
    }
    let photo = try UploadKit.photo()
    let first = try await kit.service.attach(Pieces(photo), length: photo.count, for: UploadKit.ada).id
    let content = try #require(try await kit.service.library.catalogue.file(first)?.digest)
    _ = try await kit.service.erase(first, for: UploadKit.ada)
    _ = try await kit.service.block(content: content, reason: "law", by: .moderator)
    let again = try await kit.service.attach(Pieces(photo), length: photo.count, for: UploadKit.bob)
    #expect(asked.withLock { $0 } == 2, "a moderator may show it without asking the application")
    #expect(again.renditions.isEmpty)
    #expect(again.placeholder == nil)
    #expect(try await kit.service.library.catalogue.file(again.id)?.state == .quarantined)
    _ = try await kit.service.unblock(content: content, by: .moderator)
    let shown = try #require(try await kit.service.library.catalogue.file(again.id))
    #expect(shown.state == .done)
    #expect(shown.placeholder != nil)
    #expect(
      try await kit.service.library.catalogue.renditions(of: again.id).map(\.name).sorted() == ["grid", "message"])
  }

  @Test("A blocked attachment is in no listing and read by nobody; its owner sees that it is blocked")
  func block() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    let id = try await library.add("camera-roll/IMG_0001.jpg", labels: ["g": true])
    let reader = Caller(owner: "bob", labels: ["g"])
    let state = try await service.block(id, reason: "reported", by: .moderator)
    #expect(state.blocked)
    #expect(state.owner == "alice")
    for caller in [Caller.alice, reader] {
      #expect(await AttachmentLibrary.code { _ = try await service.original(id, for: .caller(caller)) } == .notFound)
    }
    #expect(await AttachmentLibrary.code { _ = try await service.attachment(id, for: reader) } == .notFound)
    let address = SignedAddress(expires: .max, generation: 1)
    #expect(await AttachmentLibrary.code { _ = try await service.original(id, for: .address(address)) } == .notFound)
    let own = try await service.attachment(id, for: .alice)
    #expect(own.own?.isBlocked == true)
    #expect(own.urls.isEmpty)
    #expect(try await service.library.catalogue.newest(.owner("alice"), after: nil, limit: 9).files.isEmpty)
  }

  @Test("A released attachment is as before, but for the addresses that were signed for it")
  func release() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    let id = try await library.add("camera-roll/IMG_0001.jpg", renditions: ["grid"])
    var change = MediaService.AttachmentChange()
    (change.title, change.collection) = (.set("kept"), .set("trip"))
    let before = try await service.change(id, change, for: .alice)
    let facts = try #require(try await service.library.catalogue.file(id))
    _ = try await service.block(id, reason: "reported", by: .moderator)
    _ = try await service.block(id, reason: "again", by: .moderator)
    #expect(try await service.release(id, by: .moderator).blocked == false)
    let after = try await service.attachment(id, for: .alice)
    #expect(after.info == before.info)
    #expect(after.title == "kept")
    #expect(after.own?.collection == "trip")
    #expect(after.own?.location == before.own?.location)
    #expect(after.time == before.time)
    #expect(after.own?.isBlocked == false)
    #expect(after.placeholder == before.placeholder)
    #expect(after.version == before.version)
    let again = try #require(try await service.library.catalogue.file(id))
    #expect(again.state == .done)
    #expect(again.stamp == facts.stamp)
    #expect(again.engine == facts.engine)
    #expect(try await service.library.catalogue.renditions(of: id).map(\.name) == ["grid"])
    #expect(try await service.library.catalogue.newest(.owner("alice"), after: nil, limit: 9).files.count == 1)
    let old = SignedAddress(expires: .max, generation: 0)
    #expect(await AttachmentLibrary.code { _ = try await service.original(id, for: .address(old)) } == .notFound)
    _ = try await service.original(id, for: .caller(.alice))
  }

  @Test("R-MYM-26: a blocked file that is uploaded again stays blocked, and the answer does not say so")
  func uploadedAgain() async throws {
    let kit = try await UploadKit.open()
    let service = kit.service
    let photo = try UploadKit.photo()
    let first = try await service.attach(Pieces(photo), length: photo.count, for: UploadKit.ada)
    _ = try await service.block(first.id, reason: "reported", by: .moderator)
    let again = try await service.attach(Pieces(photo), length: photo.count, for: UploadKit.ada)
    #expect(again == first)
    #expect(try await service.library.catalogue.file(first.id)?.state == .quarantined)
    #expect(try await service.library.catalogue.newest(.owner("ada"), after: nil, limit: 9).files.isEmpty)
    #expect(
      await AttachmentLibrary.code { _ = try await service.original(first.id, for: .caller(UploadKit.ada)) }
        == .notFound)
  }

  @Test("R-MYM-26: a blocked content is blocked for whoever uploads it, before and afterwards, until it is released")
  func byContent() async throws {
    let kit = try await UploadKit.open()
    let service = kit.service
    let photo = try UploadKit.photo()
    func attach(_ owner: String) async throws -> FileID {
      try await service.attach(Pieces(photo), length: photo.count, for: Caller(owner: owner)).id
    }
    func isReadable(_ id: FileID, _ owner: String) async -> Bool {
      await AttachmentLibrary.code { _ = try await service.original(id, for: .caller(Caller(owner: owner))) } == nil
    }
    let (ada, bob) = (try await attach("ada"), try await attach("bob"))
    _ = try await service.block(ada, reason: "reported", by: .moderator)
    #expect(await !isReadable(bob, "bob"))
    let carl = try await attach("carl")
    #expect(await !isReadable(carl, "carl"))
    #expect(try await service.library.catalogue.newest(.all, after: nil, limit: 9).files.isEmpty)
    #expect(try await service.attachment(carl, for: Caller(owner: "carl")).own?.isBlocked == true)
    // Erasing it does not make it another file.
    _ = try await service.erase(ada, for: Caller(owner: "ada"))
    let later = try await attach("ada")
    #expect(later != ada)
    #expect(await !isReadable(later, "ada"))
    _ = try await service.release(carl, by: .moderator)
    for (id, owner) in [(later, "ada"), (bob, "bob"), (carl, "carl"), (try await attach("dora"), "dora")] {
      #expect(await isReadable(id, owner), "\(owner)")
    }
    #expect(try await service.library.catalogue.newest(.all, after: nil, limit: 9).files.count == 4)
  }

  @Test("What does not exist cannot be moderated")
  func unknown() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    let id = FileID(rawValue: 7)
    #expect(await AttachmentLibrary.code { _ = try await service.block(id, reason: "", by: .moderator) } == .notFound)
    #expect(await AttachmentLibrary.code { _ = try await service.release(id, by: .moderator) } == .notFound)
  }

  @Test("Decisions that were made while the service did not run are followed when it starts") func madeElsewhere()
    async throws
  {
    let library = try await AttachmentLibrary()
    let service = library.service
    let id = try await library.add("camera-roll/IMG_0001.jpg")
    func isNoted() async throws -> Bool {
      try await service.database.read { db in try AttachmentRecord.read(id, db).isBlocked }
    }
    let content = try #require(try await service.library.catalogue.file(id)?.digest)
    _ = try await service.library.moderate { try $0.block(content, reason: "law", by: "mod", at: 1) }
    #expect(try await !isNoted())
    await service.followDecisions()
    #expect(try await isNoted())
    _ = try await service.library.moderate { try $0.unblock(content, by: "mod", at: 2) }
    await service.followDecisions()
    #expect(try await !isNoted())
  }

  @Test("A block whose consequences cannot be stored ends what is kept in memory, and is followed later")
  func failing() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    let id = try await library.add("camera-roll/IMG_0001.jpg")
    let cuts = Locked(0)
    service.onAddressesCut { files in if files.contains(id) { cuts.withLock { $0 += 1 } } }
    try await service.database.write { db in
      try db.execute(
        sql: """
          CREATE TRIGGER failing BEFORE UPDATE ON attachment BEGIN SELECT RAISE(ABORT, 'failing'); END;
          CREATE TRIGGER failing_insert BEFORE INSERT ON attachment BEGIN SELECT RAISE(ABORT, 'failing'); END
          """)
    }
    #expect(try await service.block(id, reason: "law", by: .moderator).blocked)
    #expect(cuts.withLock { $0 } == 1)
    try await service.database.write { db in
      try db.execute(sql: "DROP TRIGGER failing; DROP TRIGGER failing_insert")
    }
    await service.followMissed()
    #expect(try await service.database.read { db in try AttachmentRecord.read(id, db).isBlocked })
  }
}

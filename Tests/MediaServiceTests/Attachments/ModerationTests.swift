internal import MediaLibrary
internal import Testing

@testable internal import MediaService

@Suite struct ModerationTests {
  @Test("A blocked attachment is in no listing and read by nobody; its owner sees that it is blocked")
  func block() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    let id = try await library.add("camera-roll/IMG_0001.jpg", labels: ["g": true])
    let reader = Caller(owner: "bob", labels: ["g"])
    let state = try await service.block(id, reason: "reported", by: .moderator)
    #expect(state.blocked && state.owner == "alice")
    for caller in [Caller.alice, reader] {
      #expect(await AttachmentLibrary.code { _ = try await service.original(id, for: .caller(caller)) } == .notFound)
    }
    #expect(await AttachmentLibrary.code { _ = try await service.attachment(id, for: reader) } == .notFound)
    let address = SignedAddress(expires: .max, generation: 1)
    #expect(await AttachmentLibrary.code { _ = try await service.original(id, for: .address(address)) } == .notFound)
    let own = try await service.attachment(id, for: .alice)
    #expect(own.own?.isBlocked == true && own.urls.isEmpty)
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
    #expect(after.info == before.info && after.title == "kept" && after.own?.collection == "trip")
    #expect(after.own?.location == before.own?.location && after.time == before.time)
    #expect(after.own?.isBlocked == false && after.placeholder == before.placeholder)
    #expect(after.version == before.version)
    let again = try #require(try await service.library.catalogue.file(id))
    #expect(again.state == .done && again.stamp == facts.stamp && again.engine == facts.engine)
    #expect(try await service.library.catalogue.renditions(of: id).map(\.name) == ["grid"])
    #expect(try await service.library.catalogue.newest(.owner("alice"), after: nil, limit: 9).files.count == 1)
    let old = SignedAddress(expires: .max, generation: 0)
    #expect(await AttachmentLibrary.code { _ = try await service.original(id, for: .address(old)) } == .notFound)
    _ = try await service.original(id, for: .caller(.alice))
  }

  @Test("What does not exist cannot be moderated")
  func unknown() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    let id = FileID(rawValue: 7)
    #expect(await AttachmentLibrary.code { _ = try await service.block(id, reason: "", by: .moderator) } == .notFound)
    #expect(await AttachmentLibrary.code { _ = try await service.release(id, by: .moderator) } == .notFound)
  }
}

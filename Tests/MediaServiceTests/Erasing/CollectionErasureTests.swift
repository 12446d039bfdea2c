internal import FileSupport
internal import Foundation
internal import GRDB
internal import MediaEngine
internal import MediaLibrary
internal import TestSupport
internal import Testing

@testable internal import MediaService

@Suite("The erasure of a collection (R-MYM-12)") struct CollectionErasureTests {
  /// Adds a file to a collection.
  private func add(
    _ fixture: String, to collection: String, of caller: Caller = .alice, in library: AttachmentLibrary
  ) async throws -> FileID {
    let id = try await library.add(fixture, owner: caller.owner, labels: ["g:42": true], renditions: ["grid"])
    var change = MediaService.AttachmentChange()
    change.collection = .set(collection)
    _ = try await library.service.change(id, change, for: caller)
    return id
  }

  private func collections(of owner: String, in library: AttachmentLibrary) async throws -> [String] {
    try await library.service.library.catalogue.collections(of: owner, by: .name, after: nil, limit: 10)
      .collections.map(\.name)
  }

  @Test("takes its files in any state, their moments and their uses in drafts, and ends their signed URLs")
  func everything() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    let photo = try await add("camera-roll/IMG_0001.jpg", to: "album", in: library)
    let blocked = try await add("camera-roll/IMG_0002.jpg", to: "album", in: library)
    _ = try await service.block(blocked, reason: "test", by: .moderator)
    let kept = try await add("camera-roll/IMG_0003.jpg", to: "other", in: library)
    let path = try #require(try await service.library.catalogue.file(photo)).stamp.path
    let draft = try await service.createDraft(for: .alice, text: "hello").id
    _ = try await service.addToDraft(
      [.init(attachment: "\(photo.rawValue)"), .init(attachment: "\(kept.rawValue)")], draft: draft, of: .alice)
    _ = try await service.post(.init(attachment: "\(photo.rawValue)"), for: .alice)
    try await service.setAvatar("\(photo.rawValue)", for: .alice)
    let cut = Locked<Set<FileID>>([])
    service.onAddressesCut { ids in cut.withLock { $0.formUnion(ids) } }

    let report = try await service.erase(collection: "album", for: .alice)
    #expect(report.files == 2)
    #expect(report.collections == 1)
    #expect(report.originals == 2)
    #expect(report.moments == 1)
    #expect(cut.withLock { $0 } == [photo, blocked])
    #expect(throws: FileError.self) { _ = try FileStatus(at: path) }
    for id in [photo, blocked] {
      let record = try await service.database.read { db in try AttachmentRecord.read(id, db) }
      #expect(record.isErased)
      #expect(record.labels.isEmpty)
      for generation in 0...3 {
        let address = SignedAddress(expires: .max, generation: generation)
        #expect(
          await AttachmentLibrary.code { _ = try await service.original(id, for: .address(address)) } == .notFound)
      }
    }
    let items = try await service.draft(draft, of: .alice).attachments
    #expect(items.count == 1)
    #expect(try await service.database.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM profile") } == 0)
    _ = try await service.original(kept, for: .caller(.alice))
    #expect(try await collections(of: "alice", in: library) == ["other"])
    #expect(try await rows(in: service) == 0)
  }

  private func rows(in service: MediaService) async throws -> Int? {
    try await service.database.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM erasing_collection") }
  }

  @Test("takes nothing of another owner's collection with the same name, and needs a collection and the right scopes")
  func others() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    _ = try await add("camera-roll/IMG_0001.jpg", to: "album", in: library)
    let bobs = try await add("camera-roll/IMG_0001.jpg", to: "album", of: .bob, in: library)
    let reader = Caller(owner: "alice", scope: .read)
    let refused = await AttachmentLibrary.code { _ = try await service.erase(collection: "album", for: reader) }
    #expect(refused == .forbidden)
    #expect(try await service.erase(collection: "album", for: .alice).files == 1)
    for name in ["album", "nothing", ""] {
      #expect(await AttachmentLibrary.code { _ = try await service.erase(collection: name, for: .alice) } == .notFound)
    }
    _ = try await service.original(bobs, for: .caller(.bob))
    #expect(try await service.attachment(bobs, for: .bob).own?.collection == "album")
  }

  @Test(
    "that was interrupted after its tombstones: nobody reads a file, and the owner or the next start finishes it",
    arguments: [true, false])
  func interrupted(isRepeated: Bool) async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    let id = try await add("camera-roll/IMG_0001.jpg", to: "album", in: library)
    try await service.database.write { db in
      try AttachmentRecord.bury(id, db)
      try db.execute(sql: "INSERT INTO erasing_collection (owner, name) VALUES ('alice', 'album')")
      try ErasureCount.begin(db)
    }
    #expect(await AttachmentLibrary.code { _ = try await service.original(id, for: .caller(.alice)) } == .notFound)
    if isRepeated {
      let report = try await service.erase(collection: "album", for: .alice)
      #expect(report.files == 1)
      #expect(report.collections == 1)
    } else {
      try await service.endErasures()
      let count = try await service.database.read { db in try ErasureCount.read(db) }
      #expect(count.begun == count.ended)
    }
    #expect(try await service.library.catalogue.file(id) == nil)
    #expect(try await collections(of: "alice", in: library) == [])
    #expect(try await rows(in: service) == 0)
  }

  @Test("that was interrupted leaves files that were added to the collection since")
  func addedSince() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    let old = try await add("camera-roll/IMG_0001.jpg", to: "album", in: library)
    try await service.database.write { db in
      try AttachmentRecord.bury(old, db)
      try db.execute(sql: "INSERT INTO erasing_collection (owner, name) VALUES ('alice', 'album')")
      try ErasureCount.begin(db)
    }
    let new = try await add("camera-roll/IMG_0002.jpg", to: "album", in: library)
    try await service.endErasures()
    #expect(try await service.library.catalogue.file(old) == nil)
    _ = try await service.original(new, for: .caller(.alice))
    #expect(try await service.attachment(new, for: .alice).own?.collection == "album")
    #expect(try await rows(in: service) == 0)
  }

  @Test("that nobody needs to finish any more is struck when its owner asks again")
  func nothingLeft() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    try await service.database.write { db in
      try db.execute(sql: "INSERT INTO erasing_collection (owner, name) VALUES ('alice', 'album')")
    }
    let again = await AttachmentLibrary.code { _ = try await service.erase(collection: "album", for: .alice) }
    #expect(again == .notFound)
    #expect(try await rows(in: service) == 0)
  }

  @Test("takes a file that joins it meanwhile, and what was kept in memory for its addresses")
  func joined() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    let first = try await add("camera-roll/IMG_0001.jpg", to: "album", in: library)
    let late = try await add("camera-roll/IMG_0002.jpg", to: "other", in: library)
    let cut = Locked<Set<FileID>>([])
    service.onAddressesCut { ids in cut.withLock { $0.formUnion(ids) } }
    let gate = await ThreadGate(holding: service.library.writing)
    let erasing = Task { try await service.erase(collection: "album", for: .alice) }
    try await waitUntil { service.library.writing.waiting == 1 }
    // After the tombstones, before the rows: it waits behind the first step, and the others begin when that has ended.
    let joining = Task {
      try await service.library.catalogue.assign([late], owner: "alice", collection: .named("album"))
    }
    try await waitUntil { service.library.writing.waiting == 2 }
    try await gate.open()
    try await joining.value
    #expect(try await erasing.value.files == 2)
    #expect(cut.withLock { $0 } == [first, late])
  }
}

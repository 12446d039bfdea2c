internal import Foundation
internal import GRDB
internal import MediaEngine
internal import MediaLibrary
internal import TestSupport
internal import Testing

@testable internal import MediaService

/// Erasures while something else is going on (R-MYM-24).
@Suite struct ErasureRaceTests {
  private let ada = UploadKit.ada

  /// How many rows of a table belong to an owner.
  private func rows(_ table: String, of owner: String = "ada", in kit: UploadKit) async throws -> Int {
    try await kit.service.database.read { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table) WHERE owner = ?", arguments: [owner]) ?? 0
    }
  }

  @Test("A file that arrives in one request while its owner is erased is refused, and nothing of it stays")
  func ingest() async throws {
    let kit = try await UploadKit.open()
    let photo = try UploadKit.photo()
    // Before the row is added, in both of its places: the search for the same content, and the addition.
    let gate = await ThreadGate(holding: kit.service.library.writing)
    let attaching = Task { () -> ServiceError.Code? in
      do throws(ServiceError) {
        _ = try await kit.service.attach(
          Pieces(photo), length: photo.count, claims: Upload.Claims(name: "secret.jpg"), for: UploadKit.ada)
        return nil
      } catch {
        return error.code
      }
    }
    try await waitUntil { kit.service.library.writing.waiting == 1 }
    let erasing = Task { try await kit.service.eraseOwner(for: UploadKit.ada) }
    try await waitUntil { kit.service.library.writing.waiting == 2 }
    try await gate.open()
    _ = try await erasing.value
    #expect(await attaching.value == .gone)
    #expect(try await kit.service.library.catalogue.counts(in: .all).isEmpty)
    #expect(try await rows("attachment", in: kit) == 0)
    #expect(try kit.service.library.library.store.addresses(after: nil, limit: 10).isEmpty)
    #expect(try kit.parts() == [:])
  }

  @Test("The examination of an upload ends with the erasure of its owner, and leaves neither rows nor bytes")
  func examination() async throws {
    let kit = try await UploadKit.open()
    let photo = try UploadKit.photo()
    let upload = try await kit.service.create(photo.count, claims: Upload.Claims(name: "secret.jpg"))
    let gate = await ThreadGate(holding: kit.service.library.writing)
    let sending = Task { try? await kit.service.send(photo, to: upload, at: 0) }
    try await waitUntil { kit.service.library.writing.waiting == 1 }
    let erasing = Task { try await kit.service.eraseOwner(for: UploadKit.ada) }
    try await waitUntil { try await rows("upload", in: kit) == 0 }
    try await gate.open()
    _ = try await erasing.value
    #expect(await sending.value == nil)
    #expect(try await kit.service.library.catalogue.counts(in: .all).isEmpty)
    #expect(try await rows("upload", in: kit) == 0)
    #expect(try await rows("attachment", in: kit) == 0)
    #expect(try kit.parts() == [:])
    #expect(kit.service.uploads.registry.reserved(of: "ada") == UploadRegistry.Reserved())
  }

  @Test("The row of an upload that was erased does not come back")
  func erasedRow() async throws {
    let kit = try await UploadKit.open()
    var upload = try await kit.service.create(10)
    try await kit.service.eraseUploads(of: "ada")
    upload.state = .refused
    try? await kit.service.uploads.write(upload)
    #expect(try await rows("upload", in: kit) == 0)
  }

  @Test("An erased attachment gets neither a name nor labels")
  func tombstone() async throws {
    let kit = try await UploadKit.open()
    let id = try await kit.service.attach(Pieces(UploadKit.text(100)), length: 100, for: ada).id
    try await kit.service.database.write { db in try AttachmentRecord.bury(id, db) }
    try? await kit.service.database.write { db in
      try AttachmentRecord.note(id, owner: "ada", name: "secret.txt", labels: ["g:1": false], in: db)
    }
    let record = try await kit.service.database.read { db in try AttachmentRecord.read(id, db) }
    #expect(record.isErased)
    #expect(record.name == nil)
    #expect(record.labels.isEmpty)
  }

  @Test("No answer is kept for a request during which its owner or its attachment was erased")
  func answers() async throws {
    let kit = try await UploadKit.open()
    let id = try await kit.service.attach(Pieces(UploadKit.text(100)), length: 100, for: ada).id
    _ = try await kit.service.answered(once: "a", request: [], for: ada) { () async throws(ServiceError) in
      _ = try await kit.service.erase(id, for: ada)
      var answer = RepeatableAnswer(status: 201, body: [1])
      answer.attachment = id
      return answer
    }
    _ = try await kit.service.answered(once: "b", request: [], for: ada) { () async throws(ServiceError) in
      _ = try await kit.service.eraseOwner(for: ada)
      return RepeatableAnswer(status: 201, body: [2])
    }
    #expect(try await rows("idempotency", in: kit) == 0)
    // A later request is answered once again.
    _ = try await kit.service.answered(once: "c", request: [], for: ada) { () async throws(ServiceError) in
      RepeatableAnswer(status: 201, body: [3])
    }
    #expect(try await rows("idempotency", in: kit) == 1)
  }

  @Test("An erasure during the hourly rewriting of the catalogue is part of the next one")
  func wipe() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    let first = try await library.add("camera-roll/IMG_0001.jpg")
    let second = try await library.add("camera-roll/IMG_0002.jpg")
    var change = MediaService.AttachmentChange()
    change.caption = .set("a very unusual caption")
    _ = try await service.change(second, change, for: .alice)
    _ = try await service.erase(first, for: .alice)
    let gate = await ThreadGate(holding: service.library.writing)
    let sweeping = Task { await service.sweepErasures() }
    try await waitUntil { service.library.writing.waiting == 1 }
    let erasing = Task { try await service.erase(second, for: .alice) }
    try await waitUntil { service.library.writing.waiting == 2 }
    try await gate.open()
    await sweeping.value
    _ = try await erasing.value
    await service.sweepErasures()
    for name in ["catalogue.sqlite", "catalogue.sqlite-wal"] {
      let bytes = (try? Data(contentsOf: URL(fileURLWithPath: library.folder.path("data/\(name)")))) ?? Data()
      #expect(bytes.range(of: Data("very unusual".utf8)) == nil, "\(name)")
    }
  }

  @Test("A file that is uploaded after the rows of its owner were erased keeps its own, and is the owner's")
  func uploadAfterwards() async throws {
    let kit = try await UploadKit.open()
    let old = try await kit.service.attach(Pieces(UploadKit.text(100)), length: 100, for: ada).id
    _ = try await kit.service.library.erase(.owner("ada"), wiping: false)
    let new = try await kit.service.attach(
      Pieces(UploadKit.text(100, seed: 2)), length: 100, claims: Upload.Claims(name: "new.txt"), for: ada
    ).id
    // The last step of an erasure that began before the new file.
    try await kit.service.buryRest(of: "ada")
    #expect(try await kit.service.attachment(new, for: ada).name == "new.txt")
    let buried = try await kit.service.database.read { db in try AttachmentRecord.read(old, db) }
    #expect(buried.isErased)
    #expect(try await rows("attachment", in: kit) == 1)
  }

  @Test("An erasure whose end cannot be counted succeeds, and the catalogue is rewritten once for it")
  func uncounted() async throws {
    let kit = try await UploadKit.open()
    let id = try await kit.service.attach(Pieces(UploadKit.text(100)), length: 100, for: ada).id
    try await kit.service.database.write { db in
      try db.execute(
        sql: """
          CREATE TRIGGER full BEFORE INSERT ON setting WHEN NEW.name = 'erasuresEnded'
          BEGIN SELECT RAISE(FAIL, 'disk full'); END
          """)
    }
    #expect(try await kit.service.erase(id, for: ada).files == 1)
    await kit.service.sweepErasures()
    try await kit.service.database.write { db in try db.execute(sql: "DROP TRIGGER full") }
    await kit.service.sweepErasures()
    let count = try await kit.service.database.read(ErasureCount.read)
    #expect(count == ErasureCount(begun: 1, ended: 1, wiped: 1))
    #expect(!count.needsWipe)
  }

  @Test("An erasure that failed after its tombstone does not have the catalogue rewritten each hour")
  func failed() async throws {
    let kit = try await UploadKit.open()
    try await kit.service.database.write { db in
      try ErasureCount.begin(db)
      try ErasureCount.begin(db)
      try ErasureCount.end(1, db)
    }
    await kit.service.sweepErasures()
    #expect(try await !kit.service.database.read(ErasureCount.read).needsWipe)
    // The next start ends it.
    let again = try await kit.restarted()
    #expect(try await again.service.database.read(ErasureCount.read).needsWipe)
  }
}

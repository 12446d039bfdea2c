internal import AttachmentPolicy
internal import Foundation
internal import GRDB
internal import MediaEngine
internal import MediaLibrary
internal import TestSupport
internal import Testing

@testable internal import MediaService

/// The end of uploads: expired, deleted, erased.
@Suite struct UploadLifeTests {
  private let ada = UploadKit.ada

  @Test("An upload that is not continued expires, its bytes are removed, and later it is forgotten")
  func expiry() async throws {
    let kit = try await UploadKit.open()
    let upload = try await kit.service.create(100)
    _ = try await kit.service.send(UploadKit.text(50), to: upload, at: 0)
    kit.advance(86_399)
    try await kit.service.sweepUploads()
    #expect(try await kit.service.resumeUpload(upload.id, for: ada).offset == 50)
    kit.advance(1)
    try await kit.service.sweepUploads()
    #expect(try await kit.service.upload(upload.id, for: ada).state == .expired)
    #expect(
      await UploadKit.code { () async throws(ServiceError) in
        _ = try await kit.service.resumeUpload(upload.id, for: ada)
      }
        == .gone)
    #expect(try kit.parts() == [:])
    #expect(kit.service.uploads.registry.reserved(of: "ada") == UploadRegistry.Reserved())
    kit.advance(86_400)
    try await kit.service.sweepUploads()
    #expect(
      await UploadKit.code { () async throws(ServiceError) in _ = try await kit.service.upload(upload.id, for: ada) }
        == .notFound
    )
  }

  @Test("A deleted upload is gone with its bytes")
  func deletion() async throws {
    let kit = try await UploadKit.open()
    let upload = try await kit.service.create(100)
    _ = try await kit.service.send(UploadKit.text(50), to: upload, at: 0)
    try await kit.service.deleteUpload(upload.id, for: ada)
    #expect(try kit.parts() == [:])
    #expect(
      await UploadKit.code { () async throws(ServiceError) in _ = try await kit.service.send([1], to: upload, at: 50) }
        == .gone)
    #expect(
      await UploadKit.code { () async throws(ServiceError) in try await kit.service.deleteUpload(upload.id, for: ada) }
        == .gone)
  }

  @Test("Erasing an owner's uploads leaves neither rows nor bytes")
  func erasure() async throws {
    let kit = try await UploadKit.open()
    let upload = try await kit.service.create(100)
    _ = try await kit.service.send(UploadKit.text(50), to: upload, at: 0)
    let other = try await kit.service.create(100, for: UploadKit.bob)
    try await kit.service.eraseUploads(of: "ada")
    #expect(
      await UploadKit.code { () async throws(ServiceError) in _ = try await kit.service.upload(upload.id, for: ada) }
        == .notFound
    )
    #expect(try kit.parts() == [:])
    #expect(try await kit.service.upload(other.id, for: UploadKit.bob).state == .receiving)
  }

  @Test("An upload that is deleted while its file is examined becomes no attachment")
  func deletedInExamination() async throws {
    let kit = try await UploadKit.open()
    let photo = try UploadKit.photo()
    let upload = try await kit.service.create(photo.count)
    let gate = await ThreadGate(holding: kit.service.library.writing)
    let sending = Task { try? await kit.service.send(photo, to: upload, at: 0) }
    try await waitUntil { kit.service.library.writing.waiting == 1 }
    try await kit.service.deleteUpload(upload.id, for: ada)
    try await gate.open()
    #expect(await sending.value == nil)
    #expect(try await kit.service.upload(upload.id, for: ada).state == .deleted)
    #expect(try await kit.service.library.catalogue.counts(in: .all).isEmpty)
    #expect(try kit.service.library.library.store.addresses(after: nil, limit: 10).isEmpty)
    #expect(try kit.parts() == [:])
  }

  @Test("An upload that waits for its examination is deleted at once, and those of an owner are erased at once")
  func endedWhileWaiting() async throws {
    let kit = try await UploadKit.open()
    let turns = kit.service.examinations
    let (opened, gate) = AsyncStream<Void>.makeStream()
    let opening = Task { for await _ in opened {} }
    let others = Task {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0...2 * kit.service.engine.running {
          group.addTask { try await turns.take(for: "bob") { await opening.value } }
        }
        try await group.waitForAll()
      }
    }
    // One more than there are turns.
    try await waitUntil { await turns.waitingCount("bob") == 1 }
    let photo = try UploadKit.photo()
    let uploads = [try await kit.service.create(photo.count), try await kit.service.create(photo.count)]
    let sending = uploads.map { upload in Task { try? await kit.service.send(photo, to: upload, at: 0) } }
    try await waitUntil { await turns.waitingCount("ada") == 2 }
    try await kit.service.deleteUpload(uploads[0].id, for: ada)
    #expect(await turns.waitingCount("ada") == 1)
    try await kit.service.eraseUploads(of: "ada")
    #expect(await turns.waitingCount("ada") == 0)
    for task in sending { #expect(await task.value == nil) }
    #expect(try kit.parts() == [:])
    gate.finish()
    try await others.value
    #expect(try await kit.service.library.catalogue.counts(in: .all).isEmpty)
  }

  @Test("A sweep ends when the clock is set back while it runs")
  func clockSetBack() async throws {
    let readings = Locked(0)
    let kit = try await UploadKit.open { configuration in
      configuration.clock = {
        readings.withLock {
          $0 += 1
          // A day later once, at the beginning of the sweep.
          return $0 == 3 ? 1_700_100_000 : 1_700_000_000
        }
      }
    }
    let upload = try await kit.service.create(100)
    #expect(readings.withLock { $0 } == 2)
    try await kit.service.sweepUploads()
    #expect(try await kit.service.upload(upload.id, for: ada).state == .expired)
  }

  @Test("A sweep frees the bytes of expired uploads although the database cannot be written, and ends them later")
  func fullDisk() async throws {
    let kit = try await UploadKit.open()
    for owner in ["ada", "bob"] {
      let caller = Caller(owner: owner)
      let upload = try await kit.service.create(100, for: caller)
      _ = try await kit.service.send(UploadKit.text(50), to: upload, at: 0, for: caller)
    }
    #expect(try kit.parts().count == 2)
    kit.advance(90_000)
    try await kit.service.database.write { db in
      for change in ["INSERT", "UPDATE"] {
        try db.execute(
          sql: "CREATE TRIGGER full\(change) BEFORE \(change) ON upload BEGIN SELECT RAISE(FAIL, 'disk full'); END")
      }
    }
    try? await kit.service.sweepUploads()
    #expect(try kit.parts() == [:])
    try await kit.service.database.write { db in
      try db.execute(sql: "DROP TRIGGER fullINSERT; DROP TRIGGER fullUPDATE")
    }
    try await kit.service.sweepUploads()
    let states = try await kit.service.database.read { db in try String.fetchAll(db, sql: "SELECT state FROM upload") }
    #expect(states == ["expired", "expired"])
  }

  @Test("Uploads that cannot be ended now keep none behind them from being ended")
  func held() async throws {
    let kit = try await UploadKit.open { $0.limits.openUploads = 200 }
    var holds: [UploadRegistry.Hold] = []
    for _ in 0..<100 {
      let upload = try await kit.service.create(10)
      holds.append(await kit.service.uploads.registry.hold(upload.id) {})
    }
    kit.advance(1)
    let last = try await kit.service.create(10)
    kit.advance(90_000)
    try await kit.service.sweepUploads()
    #expect(try await kit.service.upload(last.id, for: ada).state == .expired)
    for hold in holds { kit.service.uploads.registry.release(hold) }
    try await kit.service.sweepUploads()
    let states = try await kit.service.database.read { db in
      try String.fetchSet(db, sql: "SELECT state FROM upload")
    }
    #expect(states == ["expired"])
  }
}

internal import AttachmentPolicy
internal import Foundation
internal import GRDB
internal import MediaEngine
internal import MediaLibrary
internal import TestSupport
internal import Testing

@testable internal import MediaService

/// Answers that are repeated for the same idempotency key.
@Suite struct UploadAnswerTests {
  private let ada = UploadKit.ada

  @Test("R-MYM-24: an erased attachment's facts are in no answer that would be repeated")
  func erasedAnswers() async throws {
    let kit = try await UploadKit.open()
    let upload = try await kit.service.send(UploadKit.text(100), to: try await kit.service.create(100), at: 0)
    let id = try #require(upload.attachment?.id)
    func answer(_ body: UInt8) async throws(ServiceError) -> RepeatableAnswer {
      try await kit.service.answered(once: "k", request: [], for: ada) {
        var answer = RepeatableAnswer(status: 201, body: [body])
        answer.attachment = id
        return answer
      }
    }
    #expect(try await answer(1).body == [1])
    _ = try await kit.service.erase(id, for: ada)
    #expect(
      await UploadKit.code { () async throws(ServiceError) in _ = try await kit.service.upload(upload.id, for: ada) }
        == .notFound
    )
    #expect(try await answer(2).body == [2])
  }

  @Test("A request with a known idempotency key is answered as before; another request with that key is refused")
  func idempotency() async throws {
    let kit = try await UploadKit.open()
    let count = Locked(0)
    func answer(_ request: String, for caller: Caller = UploadKit.ada) async throws(ServiceError) -> RepeatableAnswer {
      try await kit.service.answered(once: "k", request: Array(request.utf8), for: caller) {
        RepeatableAnswer(
          status: 201,
          body: [
            UInt8(
              count.withLock {
                $0 += 1
                return $0
              })
          ])
      }
    }
    let first = try await answer("one")
    #expect(try await answer("one") == first)
    #expect(await UploadKit.code { () async throws(ServiceError) in _ = try await answer("two") } == .refused)
    #expect(try await answer("two", for: UploadKit.bob) != first)
    kit.advance(90_000)
    #expect(try await answer("two") != first)
  }

  @Test("A creation of an upload is found by its key after a restart, with the bytes that are on the disk")
  func repeatedCreation() async throws {
    var kit = try await UploadKit.open()
    let new = MediaService.NewUpload(form: .tus, length: 100)
    let created = try await kit.service.createUpload(new, once: "k", request: [1], for: ada)
    #expect(created.isNew)
    _ = await UploadKit.code { () async throws(ServiceError) in
      _ = try await kit.service.send(UploadKit.text(40), to: created.upload, at: 0, end: .cut, stated: 100)
    }
    kit = try await kit.restarted()
    let found = try await kit.service.createUpload(new, once: "k", request: [1], for: ada)
    #expect(!found.isNew)
    #expect(found.upload.id == created.upload.id)
    #expect(found.upload.offset == 40)
    let foreign = try await kit.service.createUpload(new, once: "k", request: [1], for: UploadKit.bob)
    #expect(foreign.isNew)
  }

  @Test("The answer to a client that left while its request ran is repeated")
  func leftClient() async throws {
    let kit = try await UploadKit.open()
    let isRunning = Locked(false)
    let left = Task {
      try await kit.service.answered(once: "k", request: [], for: UploadKit.ada) { () async throws(ServiceError) in
        isRunning.withLock { $0 = true }
        // What was created stays.
        while !Task.isCancelled { await Task.yield() }
        return RepeatableAnswer(status: 201, body: [1])
      }
    }
    while !isRunning.withLock({ $0 }) { await Task.yield() }
    left.cancel()
    #expect(try await left.value.body == [1])
    let again = try await kit.service.answered(once: "k", request: [], for: ada) { () async throws(ServiceError) in
      RepeatableAnswer(status: 201, body: [2])
    }
    #expect(again.body == [1])
  }

  @Test("A success is answered although its idempotency key cannot be stored")
  func unstoredKey() async throws {
    let kit = try await UploadKit.open()
    try await kit.service.database.write { db in
      try db.execute(
        sql: "CREATE TRIGGER fault BEFORE INSERT ON idempotency BEGIN SELECT RAISE(ABORT, 'the disk is full'); END")
    }
    let answer = try await kit.service.answered(once: "k", request: [], for: ada) { () async throws(ServiceError) in
      RepeatableAnswer(status: 201, body: [1])
    }
    #expect(answer.body == [1])
  }
}

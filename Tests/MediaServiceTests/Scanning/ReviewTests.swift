internal import AttachmentPolicy
internal import Foundation
internal import GRDB
internal import MediaEngine
internal import MediaLibrary
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaService

@Suite("Reviews by the application, and reports of readers (R-MYM-26)") struct ReviewTests {
  private static let friend = Caller(owner: "bob", labels: ["g"])

  private func open(
    seconds: Double = 600,
    _ review:
      @escaping @Sendable (MediaService.ReviewQuestion) async throws ->
      MediaService.ReviewAnswer
  ) async throws -> UploadKit {
    try await UploadKit.open {
      $0.review = review
      $0.limits.reviewSeconds = seconds
    }
  }

  private func upload(_ kit: UploadKit) async throws -> IngestedAttachment {
    let bytes = try UploadKit.photo()
    return try await kit.service.attach(
      Pieces(bytes), length: bytes.count, claims: Upload.Claims(name: "beach.jpg"), for: UploadKit.ada)
  }

  @Test("The application is asked about the facts of an upload before it is stored, once per content of an owner")
  func allowed() async throws {
    let asked = Locked<[MediaService.ReviewQuestion]>([])
    let kit = try await open { question in
      asked.withLock { $0.append(question) }
      return .allow
    }
    let first = try await upload(kit)
    #expect(try await upload(kit) == first)
    let questions = asked.withLock { $0 }
    #expect(questions.map(\.owner) == ["ada"])
    #expect(questions.map(\.name) == ["beach.jpg"])
    #expect(questions.first?.info?.type == .jpeg)
    #expect(questions.first?.info?.sha256 == first.info.sha256)
    let json = try JSONEncoder().encode(questions.first)
    #expect(!String(decoding: json, as: UTF8.self).contains("uploads"), "no path of the server")
    #expect(try await kit.service.library.catalogue.newest(.all, after: nil, limit: 9).files.count == 1)
  }

  @Test("A refusal is the answer to the upload, and nothing of the file stays") func refused() async throws {
    let kit = try await open { _ in .refuse(reason: "No beaches here.") }
    do {
      _ = try await upload(kit)
      Issue.record("it was taken in")
    } catch let error as ServiceError {
      #expect(error.code == .refused)
      #expect(error.message == "No beaches here.")
      #expect(error.verdict?.files.flatMap(\.reasons).map(\.code.rawValue) == ["review"])
    }
    #expect(try kit.parts().isEmpty)
    #expect(try await kit.service.library.catalogue.newest(.all, after: nil, limit: 9).files.isEmpty)
  }

  @Test("A file is held until a moderator releases it, if the application says so, fails, or does not answer in time")
  func held() async throws {
    struct Broken: Error {}
    for (reason, seconds) in [("look at this", 600.0), (nil, 600), (nil, 0.01)] as [(String?, Double)] {
      let kit = try await open(seconds: seconds) { _ in
        if let reason { return .hold(reason: reason) }
        if seconds > 1 { throw Broken() }
        while !Task.isCancelled { await Task.yield() }
        return .allow
      }
      let held = try await upload(kit)
      #expect(try await kit.service.library.catalogue.newest(.all, after: nil, limit: 9).files.isEmpty)
      #expect(try await kit.service.attachment(held.id, for: UploadKit.ada).own?.isBlocked == true)
      let standing = try await kit.service.library.readModeration { try $0.standing(of: held.id) }
      #expect(standing?.quarantine?.actor == "review")
      #expect(standing?.quarantine?.reason == reason ?? "the review callback did not answer")
      #expect(try await kit.service.release(held.id, by: .moderator).blocked == false)
      #expect(try await kit.service.library.catalogue.newest(.all, after: nil, limit: 9).files.count == 1)
    }
  }

  @Test(
    "Reports of enough readers hide an attachment until a moderator releases it; who may not view it reports nothing")
  func reports() async throws {
    let kit = try await UploadKit.open { $0.limits.reportThreshold = 2 }
    let service = kit.service
    let id = try await upload(kit).id
    try await service.database.write { db in
      try AttachmentRecord.note(id, owner: "ada", name: nil, labels: ["g": true], in: db)
    }
    func code(_ caller: Caller, _ reason: String = "rude") async -> ServiceError.Code? {
      await UploadKit.code { () async throws(ServiceError) in try await service.report(id, reason: reason, by: caller) }
    }
    #expect(await code(UploadKit.ada) == .invalidRequest)
    #expect(await code(Caller(owner: "eve")) == .notFound)
    #expect(await code(Self.friend, String(repeating: "a", count: 4_001)) == .invalidRequest)
    #expect(await code(Self.friend) == nil)
    #expect(await code(Self.friend, "very rude") == nil)
    #expect(try await service.library.catalogue.newest(.all, after: nil, limit: 9).files.count == 1)
    let page = try await service.reports(after: nil, limit: 9, for: .moderator)
    #expect(page.items.map(\.reason) == ["very rude"])
    #expect(page.items.map(\.reader) == ["bob"])
    #expect(await code(Caller(owner: "cleo", labels: ["g"])) == nil)
    #expect(try await service.library.catalogue.newest(.all, after: nil, limit: 9).files.isEmpty)
    #expect(await code(Caller(owner: "dora", labels: ["g"])) == .notFound, "as if it did not exist")
    #expect(try await service.attachment(id, for: UploadKit.ada).own?.isBlocked == true)
    #expect(try await service.release(id, by: .moderator).blocked == false)
    #expect(try await service.reports(after: nil, limit: 9, for: .moderator).items.isEmpty)
    let audit = try await service.moderationAudit(after: nil, limit: 9, for: .moderator)
    #expect(audit.items.map(\.action) == ["dismiss", "release", "quarantine"])
    #expect(audit.items.last?.actor == "reports")
    let refusal = await UploadKit.code { () async throws(ServiceError) in
      _ = try await service.reports(after: nil, limit: 9, for: UploadKit.ada)
    }
    #expect(refusal == .forbidden)
  }

  @Test("A file that a review holds is never shown, also if its quarantine cannot be stored") func neverShown()
    async throws
  {
    let kit = try await open { _ in .hold(reason: "look at this") }
    let queue = try DatabaseQueue(path: kit.folder.path("library/catalogue.sqlite"))
    try await queue.write { db in
      try db.execute(
        sql: "CREATE TRIGGER failing BEFORE INSERT ON file_flag BEGIN SELECT RAISE(ABORT, 'failing'); END")
    }
    await #expect(throws: ServiceError.self) { _ = try await upload(kit) }
    #expect(try await kit.service.library.catalogue.newest(.all, after: nil, limit: 9).files.isEmpty)
    try await queue.write { db in try db.execute(sql: "DROP TRIGGER failing") }
    let held = try await upload(kit)
    #expect(try await kit.service.library.catalogue.newest(.all, after: nil, limit: 9).files.isEmpty)
    #expect(try await kit.service.attachment(held.id, for: UploadKit.ada).own?.isBlocked == true)
    try queue.close()
  }
}

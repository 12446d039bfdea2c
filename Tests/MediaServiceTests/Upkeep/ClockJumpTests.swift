internal import MalwareScanning
internal import MediaEngine
internal import MediaLibrary
internal import TestSupport
internal import Testing

@testable internal import MediaService

/// A clock that is set back or forward. After it is set back, nothing lasts longer than its lifetime from then on; what a jump forward does not end stays.
@Suite("Jumps of the clock") struct ClockJumpTests {
  private let ada = UploadKit.ada
  private static let tenDays = 864_000
  private let limits = MediaService.Limits()

  @Test("An answer for an idempotency key is repeated after the clock was set back, and for its lifetime at most")
  func idempotency() async throws {
    let kit = try await UploadKit.open()
    let count = Locked(UInt8(0))
    func answer() async throws(ServiceError) -> [UInt8] {
      try await kit.service.answered(once: "k", request: [], for: ada) {
        let number = count.withLock { count in
          count += 1
          return count
        }
        return RepeatableAnswer(status: 201, body: [number])
      }.body
    }
    #expect(try await answer() == [1])
    kit.advance(-Self.tenDays)
    #expect(try await answer() == [1])
    try await kit.service.sweepUploads()
    #expect(try await answer() == [1])
    kit.advance(limits.answerLifetime)
    try await kit.service.sweepUploads()
    #expect(try await answer() == [1])
    kit.advance(1)
    #expect(try await answer() == [2])
  }

  @Test(
    "An upload that was begun before the clock was set back is kept for its lifetime, and its state for another one")
  func upload() async throws {
    let kit = try await UploadKit.open()
    let upload = try await kit.service.create(100)
    _ = try await kit.service.send(UploadKit.text(50), to: upload, at: 0)
    kit.advance(-Self.tenDays)
    try await kit.service.sweepUploads()
    let kept = try await kit.service.resumeUpload(upload.id, for: ada)
    #expect(kept.offset == 50)
    #expect(kept.expires == kit.service.now() + limits.uploadLifetime)
    kit.advance(limits.uploadLifetime - 1)
    try await kit.service.sweepUploads()
    #expect(try await kit.service.upload(upload.id, for: ada).state == .receiving)
    kit.advance(1)
    try await kit.service.sweepUploads()
    #expect(try await kit.service.upload(upload.id, for: ada).state == .expired)
    #expect(try kit.parts() == [:])
    kit.advance(-Self.tenDays)
    try await kit.service.sweepUploads()
    #expect(try await kit.service.upload(upload.id, for: ada).state == .expired)
    kit.advance(limits.answerLifetime)
    try await kit.service.sweepUploads()
    #expect(await code { _ = try await kit.service.upload(upload.id, for: ada) } == .notFound)
  }

  @Test(
    "The answer to a finished upload is kept for its lifetime, whichever of the lifetimes is longer",
    arguments: [100, 900])
  func finished(answerLifetime: Int) async throws {
    let kit = try await UploadKit.open {
      ($0.limits.uploadLifetime, $0.limits.answerLifetime) = (500, answerLifetime)
    }
    let open = try await kit.service.create(100)
    let done = try await kit.service.send(UploadKit.text(100), to: try await kit.service.create(100), at: 0)
    #expect(done.state == .finished)
    kit.advance(-Self.tenDays)
    try await kit.service.sweepUploads()
    #expect(try await kit.service.upload(open.id, for: ada).expires == kit.service.now() + 500)
    kit.advance(answerLifetime - 1)
    #expect(try await kit.service.upload(done.id, for: ada).attachment != nil)
    kit.advance(1)
    try await kit.service.sweepUploads()
    #expect(await code { _ = try await kit.service.upload(done.id, for: ada) } == .notFound)
  }

  @Test("A jump forward ends no upload that sends bytes, and none before its lifetime is over") func forward()
    async throws
  {
    let kit = try await UploadKit.open()
    let (sending, waiting) = (try await kit.service.create(100), try await kit.service.create(100))
    let hold = await kit.service.uploads.registry.hold(sending.id) {}
    kit.advance(limits.uploadLifetime - 1)
    try await kit.service.sweepUploads()
    #expect(try await kit.service.resumeUpload(waiting.id, for: ada).state == .receiving)
    kit.advance(Self.tenDays)
    try await kit.service.sweepUploads()
    kit.service.uploads.registry.release(hold)
    #expect(try await kit.service.upload(waiting.id, for: ada).state == .expired)
    #expect(try await kit.service.upload(sending.id, for: ada).state == .receiving)
    // Its next bytes begin a new lifetime.
    _ = try await kit.service.send(UploadKit.text(50), to: sending, at: 0)
    try await kit.service.sweepUploads()
    #expect(try await kit.service.resumeUpload(sending.id, for: ada).offset == 50)
  }

  @Test("A draft that was changed before the clock was set back is kept for its lifetime") func draft() async throws {
    let kit = try await UploadKit.open()
    let draft = try await kit.service.createDraft(for: ada, text: "Hello")
    kit.advance(-10 * Self.tenDays)
    try await kit.service.sweepUploads()
    kit.advance(limits.draftLifetime)
    try await kit.service.sweepDrafts()
    #expect(try await kit.service.draft(draft.id, of: ada).text == "Hello")
    kit.advance(1)
    try await kit.service.sweepDrafts()
    #expect(await code { _ = try await kit.service.draft(draft.id, of: ada) } == .notFound)
  }

  @Test(
    "A signed URL ends at the second that it states, and one that is signed after the clock was set back ends earlier")
  func signed() async throws {
    let keys = try #require(SigningKeys([SigningKeys.Key(id: "k1", secret: Array(UInt8(0)..<32))]))
    let kit = try await UploadKit.open { $0.signingKeys = keys }
    let lifetime = kit.service.configuration.addressLifetime
    func expiry() throws -> (path: String, query: String, expires: Int) {
      let parts = kit.service.address(of: .original, of: FileID(rawValue: 1), generation: 0).split(separator: "?")
      let (path, query) = (String(parts[0]), String(parts[1]))
      return (path, query, try #require(keys.verify(path: path, query: query, now: 0)).expires)
    }
    let before = try expiry()
    for days in [-10, 20] {
      kit.advance(days * 86_400)
      let after = try expiry()
      #expect((lifetime...2 * lifetime).contains(after.expires - kit.service.now()))
      #expect(keys.verify(path: after.path, query: after.query, now: after.expires) == nil)
    }
    #expect(keys.verify(path: before.path, query: before.query, now: before.expires - 1) != nil)
    #expect(keys.verify(path: before.path, query: before.query, now: before.expires) == nil)
    #expect(keys.verify(path: before.path, query: before.query, now: kit.service.now()) == nil)
  }

  @Test("What an application or a scanner answered before the clock was set back is asked again") func remembered()
    async throws
  {
    let time = Locked(1_700_000_000)
    let clock: @Sendable () -> Int = { time.withLock { $0 } }
    let policy = ScriptedPolicy { _ in true }
    let decisions = AccessDecisions(policy, seconds: 60, clock: clock)
    let question = MediaService.AccessQuestion(
      subject: "carol", attachment: FileID(rawValue: 1), owner: nil, right: .view)
    let scans = ArrivalScans(clock: clock)
    let content = try #require(ContentDigest(bytes: UploadKit.sha256([1])))
    let count = Locked(0)
    for number in 1...2 {
      #expect(try await decisions.allows(question))
      #expect(policy.questions.count == number)
      _ = try await scans.scan(content, of: "ada") {
        count.withLock { $0 += 1 }
        return MalwareScan(.clean)
      }
      #expect(count.withLock { $0 } == number)
      time.withLock { $0 -= 1 }
    }
    let parts = UnscannedParts()
    parts.add(content, of: "ada", at: 1_700_000_000)
    #expect(parts.contains(content, of: "ada", at: 1_700_000_000))
    #expect(!parts.contains(content, of: "ada", at: 1_699_999_999))
  }

  @Test("A verdict without a version of signatures, given before the clock was set back, is not trusted") func verdict()
    async throws
  {
    let scanner = FakeScanner()
    scanner.find(signatures: nil) { _ in .clean }
    let fixture = try await ServiceFixture { $0.scanning = MediaService.Scanning(scanner) }
    let anna = Caller(owner: "anna")
    let received = try await fixture.service.receiveMessage(try Carrier.retrieved(), for: anna)
    let message = try #require(received.message?.id)
    for scans in [1, 2] {
      for _ in 1...2 { _ = try await fixture.service.messageFile(1, of: message, for: anna) }
      #expect(scanner.scans == scans)
      fixture.clock.advance(-Self.tenDays)
    }
  }

  @Test("A file that waits for a scan is scanned within the hour after the clock was set back") func waiting()
    async throws
  {
    let scanner = FakeScanner()
    let kit = try await UploadKit.open { $0.scanning = MediaService.Scanning(scanner) }
    scanner.isAway = true
    let photo = try UploadKit.photo()
    let held = try await kit.service.attach(Pieces(photo), length: photo.count, for: ada)
    #expect(held.isHeld == true)
    scanner.isAway = false
    kit.advance(-Self.tenDays)
    #expect(try await kit.service.sweepScans() == 0)
    #expect(try await kit.service.sweepScans(everything: true) == 1)
    #expect(try await kit.service.attachment(held.id, for: ada).own?.isHeld == false)
  }

  @Test("Work of a day is due after the clock was set back, and after a jump of a day forward") func daily()
    async throws
  {
    let kit = try await UploadKit.open()
    let start = kit.service.now()
    try await kit.service.database.write { db in
      try DailyTask.copy.note(at: start, db)
      #expect(try !DailyTask.copy.isDue(at: start + 86_399, db))
      #expect(try DailyTask.copy.isDue(at: start + 86_400, db))
      #expect(try DailyTask.copy.isDue(at: start - 1, db))
    }
  }

  private func code(_ body: () async throws -> Void) async -> ServiceError.Code? { await AttachmentLibrary.code(body) }
}

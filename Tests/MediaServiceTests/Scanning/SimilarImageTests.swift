internal import AttachmentPolicy
internal import FileSupport
internal import Foundation
internal import GRDB
internal import MediaLibrary
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaService

@Suite("Uploads that look like blocked images") struct SimilarImageTests {
  private static let moderator = Caller(owner: "mod", scope: [.moderate])

  private func attach(
    _ name: String, to kit: UploadKit, for caller: Caller = UploadKit.bob
  ) async throws -> IngestedAttachment {
    let bytes = try Fixture.bytes(name)
    return try await kit.service.attach(Pieces(bytes), length: bytes.count, for: caller)
  }

  /// A service with a blocked image.
  private func blocked(_ policy: MediaService.SimilarImages) async throws -> (kit: UploadKit, id: FileID) {
    let kit = try await UploadKit.open { $0.similarImages = policy }
    let added = try await attach("color/rgb8.png", to: kit, for: UploadKit.ada)
    _ = try await kit.service.block(added.id, reason: "law", similar: true, by: Self.moderator)
    return (kit, added.id)
  }

  private func isShown(_ id: FileID, _ kit: UploadKit) async throws -> Bool {
    try await kit.service.library.catalogue.newest(.all, after: nil, limit: 9).files.contains { $0.id == id }
  }

  @Test("By default, an image that looks like a blocked one is shown: only its content is blocked") func ignored()
    async throws
  {
    let (kit, id) = try await blocked(.ignore)
    #expect(try await !isShown(id, kit))
    let other = try await attach("color/display-p3.png", to: kit)
    #expect(try await isShown(other.id, kit))
  }

  @Test(
    "With hold and refuse, blocking an image hides stored files that look like it; with ignore it hides none",
    arguments: MediaService.SimilarImages.allCases)
  func stored(policy: MediaService.SimilarImages) async throws {
    let kit = try await UploadKit.open { $0.similarImages = policy }
    let first = try await attach("color/rgb8.png", to: kit, for: UploadKit.ada)
    let copy = try await attach("color/display-p3.png", to: kit)
    let protected = try await attach("color/display-p3.png", to: kit, for: Caller(owner: "eve"))
    let other = try await attach("camera-roll/IMG_0006.heic", to: kit)
    _ = try await kit.service.protect(protected.id, reason: "press", by: Self.moderator)
    _ = try await kit.service.block(first.id, reason: "law", similar: true, by: Self.moderator)
    #expect(try await !isShown(first.id, kit))
    #expect(try await isShown(copy.id, kit) == (policy == .ignore))
    #expect(try await isShown(protected.id, kit))
    #expect(try await isShown(other.id, kit))
    let standing = try await kit.service.library.readModeration { try $0.standing(of: copy.id) }
    #expect(standing?.quarantine?.actor == (policy == .ignore ? nil : "similarity"))
    if policy == .ignore { return }
    _ = try await kit.service.release(copy.id, by: Self.moderator)
    let image = try #require(try await kit.service.library.catalogue.file(copy.id)?.imageHash)
    await kit.service.hideFiles(like: image)
    #expect(try await isShown(copy.id, kit), "a moderator has decided")
  }

  /// Lets the catalogue refuse every quarantine of a file because of its look, or no longer.
  private func failQuarantine(_ fails: Bool, _ kit: UploadKit) throws {
    let queue = try DatabaseQueue(path: kit.folder.path("library/catalogue.sqlite"))
    try queue.write { db in
      try db.execute(
        sql: fails
          ? """
          CREATE TRIGGER failing BEFORE INSERT ON file_flag WHEN new.actor = 'similarity' BEGIN
            SELECT RAISE(ABORT, 'failing');
          END
          """ : "DROP TRIGGER failing")
    }
    try queue.close()
  }

  @Test("A block whose similar files cannot be hidden stays, reports that, and is completed by the next sweep")
  func incomplete() async throws {
    let kit = try await UploadKit.open { $0.similarImages = .hold }
    let first = try await attach("color/rgb8.png", to: kit, for: UploadKit.ada)
    let copy = try await attach("color/display-p3.png", to: kit)
    try failQuarantine(true, kit)
    let state = try await kit.service.block(first.id, reason: "law", similar: true, by: Self.moderator)
    #expect(state.blocked)
    #expect(state.similar?.complete == false)
    #expect(state.similar?.hidden == 0)
    #expect(try await isShown(copy.id, kit))
    await kit.service.followMissed()
    #expect(try await isShown(copy.id, kit))
    try failQuarantine(false, kit)
    await kit.service.followMissed()
    #expect(try await !isShown(copy.id, kit))
    #expect(try await !isShown(first.id, kit))
    let again = try await kit.service.block(first.id, reason: "law", similar: true, by: Self.moderator)
    #expect(again.similar?.complete == true)
    #expect(again.similar?.hidden == 0)
  }

  @Test("A repeated block hides what the first one could not hide; after an unblock, no sweep hides anything")
  func repeated() async throws {
    let kit = try await UploadKit.open { $0.similarImages = .hold }
    let first = try await attach("color/rgb8.png", to: kit, for: UploadKit.ada)
    let copy = try await attach("color/display-p3.png", to: kit)
    func block() async throws -> MediaService.SimilarFiles? {
      try await kit.service.block(first.id, reason: "law", similar: true, by: Self.moderator).similar
    }
    try failQuarantine(true, kit)
    #expect(try await block()?.complete == false)
    _ = try await kit.service.release(first.id, by: Self.moderator)
    try failQuarantine(false, kit)
    await kit.service.followMissed()
    #expect(try await isShown(copy.id, kit))
    let similar = try await block()
    #expect(similar?.complete == true)
    #expect(similar?.hidden == 1)
    #expect(try await !isShown(copy.id, kit))
  }

  @Test("An image that is blocked after an upload was compared, and before it is stored, holds it")
  func blockedMeanwhile()
    async throws
  {
    let kit = try await UploadKit.open { $0.similarImages = .hold }
    let first = try await attach("color/rgb8.png", to: kit, for: UploadKit.ada)
    let image = try #require(try await kit.service.library.catalogue.file(first.id)?.imageHash)
    // The upload takes the thread twice: for the search for the same content, and for the addition, before which it is compared.
    let writing = kit.service.library.writing
    let search = await ThreadGate(holding: writing)
    let attaching = Task { try await attach("color/display-p3.png", to: kit) }
    try await waitUntil { writing.waiting == 1 }
    let second = Task { await ThreadGate(holding: writing) }
    try await waitUntil { writing.waiting == 2 }
    try await search.open()
    let addition = await second.value
    try await waitUntil { writing.waiting == 1 }
    try kit.service.library.library.moderation.blockImages(like: image, reason: "law", by: "mod", at: 1)
    try await addition.open()
    let copy = try await attaching.value
    #expect(try await !isShown(copy.id, kit))
    #expect(try await kit.service.attachment(copy.id, for: UploadKit.bob).own?.isBlocked == true)
    let standing = try await kit.service.library.readModeration { try $0.standing(of: copy.id) }
    #expect(standing?.quarantine?.actor == "similarity")
  }

  @Test("A client that disconnects does not end the search for similar files") func disconnected() async throws {
    let kit = try await UploadKit.open { $0.similarImages = .hold }
    _ = try await attach("color/rgb8.png", to: kit, for: UploadKit.ada)
    let copy = try await attach("color/display-p3.png", to: kit)
    let image = try #require(try await kit.service.library.catalogue.file(copy.id)?.imageHash)
    let state = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await kit.service.hideSimilar(to: image)
    }.value
    #expect(state?.complete == true)
    #expect(state?.hidden == 2)
  }

  @Test("With hold, it is quarantined until a moderator releases it, and another image is shown") func held()
    async throws
  {
    let (kit, id) = try await blocked(.hold)
    let copy = try await attach("color/display-p3.png", to: kit)
    #expect(try await !isShown(copy.id, kit))
    let standing = try await kit.service.library.readModeration { try $0.standing(of: copy.id) }
    #expect(standing?.quarantine?.actor == "similarity")
    #expect(standing?.quarantine?.reason == "looks like a blocked image")
    let other = try await attach("camera-roll/IMG_0006.heic", to: kit)
    #expect(try await isShown(other.id, kit))
    _ = try await kit.service.release(copy.id, by: Self.moderator)
    #expect(try await isShown(copy.id, kit))
    // It only looks like the blocked image, which stays blocked for others.
    let another = try await attach("color/display-p3.png", to: kit, for: Caller(owner: "eve"))
    #expect(try await !isShown(another.id, kit))
    _ = try await kit.service.release(id, by: Self.moderator)
    let last = try await attach("color/display-p3.png", to: kit, for: Caller(owner: "zoe"))
    #expect(try await isShown(last.id, kit))
  }

  /// A service that scans uploads and has this rule for images that look like a blocked one.
  private func scanning(_ rule: MediaService.SimilarImages) async throws -> (kit: UploadKit, scanner: FakeScanner) {
    let scanner = FakeScanner()
    let kit = try await UploadKit.open {
      $0.similarImages = rule
      $0.scanning = MediaService.Scanning(scanner)
    }
    return (kit, scanner)
  }

  @Test("With refuse, the upload fails, and nothing of it stays") func refused() async throws {
    let (kit, _) = try await blocked(.refuse)
    do {
      _ = try await attach("color/display-p3.png", to: kit)
      Issue.record("it was stored")
    } catch let error as ServiceError {
      #expect(error.code == .refused)
      #expect(error.verdict?.files.flatMap(\.reasons).map(\.code.rawValue) == ["similar"])
    }
    #expect(try await kit.service.usage(for: UploadKit.bob).files == 0)
    #expect(try kit.parts().isEmpty)
  }

  @Test("An upload that waited for its malware scan is held when its images are made") func scannedLater() async throws
  {
    let (kit, scanner) = try await scanning(.refuse)
    let added = try await attach("color/rgb8.png", to: kit, for: UploadKit.ada)
    _ = try await kit.service.block(added.id, reason: "law", similar: true, by: Self.moderator)
    scanner.isAway = true
    let copy = try await attach("color/display-p3.png", to: kit)
    #expect(copy.isHeld == true)
    scanner.isAway = false
    kit.advance(60)
    #expect(try await kit.service.sweepScans() == 1)
    #expect(try await !isShown(copy.id, kit))
    #expect(try await kit.service.attachment(copy.id, for: UploadKit.bob).own?.isBlocked == true)
  }

  @Test("A release and a protection last: the file is not compared again, that of another owner is") func decided()
    async throws
  {
    let (kit, _) = try await blocked(.hold)
    let copy = try await attach("color/display-p3.png", to: kit)
    let other = try await attach("color/display-p3.png", to: kit, for: Caller(owner: "eve"))
    let file = try await kit.service.library.catalogue.file(copy.id)
    let content = try #require(file?.digest)
    let placeholder = try #require(file?.placeholder)
    func isHeldAgain(_ owner: String) async throws -> Bool {
      try await kit.service.similarity(placeholder, of: content, owner: owner) != nil
    }
    #expect(try await isHeldAgain("bob"))
    _ = try await kit.service.release(copy.id, by: Self.moderator)
    try await kit.service.hideIfSimilar(copy.id, placeholder)
    #expect(try await isShown(copy.id, kit))
    #expect(try await !isHeldAgain("bob"))
    #expect(try await isHeldAgain("eve"))
    try await kit.service.library.moderate { try $0.protect([other.id], by: "mod", at: 1) }
    #expect(try await !isHeldAgain("eve"))
  }

  @Test("An upload that waited for its scan is compared by the image that its content has already") func sharedLater()
    async throws
  {
    let kit = try await UploadKit.open { $0.similarImages = .hold }
    let added = try await attach("color/rgb8.png", to: kit, for: UploadKit.ada)
    _ = try await attach("color/display-p3.png", to: kit, for: Caller(owner: "eve"))
    _ = try await kit.service.block(added.id, reason: "law", similar: true, by: Self.moderator)
    let scanner = FakeScanner()
    scanner.isAway = true
    let again = try await kit.restarted {
      $0.similarImages = .hold
      $0.scanning = MediaService.Scanning(scanner)
    }
    let copy = try await attach("color/display-p3.png", to: again)
    #expect(copy.isHeld == true)
    scanner.isAway = false
    _ = try await again.service.sweepScans(everything: true)
    #expect(try await !isShown(copy.id, again))
  }

  @Test("A held upload that its owner uploads again is compared once it is clean") func scannedAgain() async throws {
    let (kit, scanner) = try await scanning(.hold)
    let added = try await attach("color/rgb8.png", to: kit, for: UploadKit.ada)
    _ = try await kit.service.block(added.id, reason: "law", similar: true, by: Self.moderator)
    scanner.isAway = true
    let held = try await attach("color/display-p3.png", to: kit)
    scanner.isAway = false
    let again = try await attach("color/display-p3.png", to: kit)
    #expect(again.id == held.id)
    #expect(try await !isShown(held.id, kit))
    #expect(try await kit.service.attachment(held.id, for: UploadKit.bob).own?.isBlocked == true)
  }

  @Test("A held upload that cannot be compared stays held, also if its scan is clean") func notCompared() async throws {
    let (kit, scanner) = try await scanning(.hold)
    scanner.isAway = true
    let held = try await attach("color/rgb8.png", to: kit)
    let found = try await kit.service.library.catalogue.file(held.id)
    let file = try #require(found)
    let content = try #require(file.digest)
    try FileManager.default.removeItem(atPath: file.stamp.path.description)
    try await kit.service.apply(Moderation.Verdict(content, .clean, at: 1_700_000_000))
    let verdict = try await kit.service.library.readModeration { try $0.verdict(of: content) }
    #expect(verdict?.state != .clean)
    #expect(verdict?.due == 1_700_000_600)
    #expect(try await kit.service.attachment(held.id, for: UploadKit.bob).own?.isHeld == true)
  }

  @Test(
    "A file without an image by which others could be recognised cannot be blocked with its like, and nothing is blocked then"
  )
  func noImage() async throws {
    let kit = try await UploadKit.open()
    let text = UploadKit.text(100)
    let added = try await kit.service.attach(Pieces(text), length: text.count, for: UploadKit.ada)
    let code = await UploadKit.code { () throws(ServiceError) in
      _ = try await kit.service.block(added.id, reason: "law", similar: true, by: Self.moderator)
    }
    #expect(code == .invalidRequest)
    #expect(try await kit.service.attachment(added.id, for: UploadKit.ada).own?.isBlocked == false)
  }
}

extension CatalogueFile {
  fileprivate var imageHash: Moderation.ImageHash? {
    placeholder.flatMap { Moderation.ImageHash(thumbhash: $0.thumbhash) }
  }
}
